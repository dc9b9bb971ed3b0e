"""A progress bar on stderr with loss and tokens per second; lines now and then where stderr is no terminal."""

import time

import rich.console
import rich.progress

_LINES = 10


class Progress:
    """Shown from `with` to its end, if `shown`; `advance` after each step."""

    def __init__(self, done: int, steps: int, tokens_per_step: int, *, shown: bool = True):
        self._console = rich.console.Console(stderr=True, highlight=False)
        self._bar = rich.progress.Progress(
            rich.progress.TextColumn("step {task.completed} of {task.total}"),
            rich.progress.BarColumn(),
            rich.progress.TextColumn("loss {task.fields[loss]}, {task.fields[rate]} tokens/s,"),
            rich.progress.TimeRemainingColumn(),
            console=self._console,
            disable=not shown or not self._console.is_terminal,
        )
        self._lines = shown and not self._console.is_terminal
        self._every = max(1, steps // _LINES)
        self._task = self._bar.add_task("", total=steps, completed=done, loss="-", rate="-")
        self._steps, self._done = steps, done
        self._tokens_per_step = tokens_per_step

    def __enter__(self):
        if not self._bar.disable:
            self._bar.start()
        self._last = time.perf_counter()
        return self

    def __exit__(self, *_):
        if not self._bar.disable:
            self._bar.stop()

    def advance(self, loss: float) -> None:
        now = time.perf_counter()
        rate = f"{self._tokens_per_step / (now - self._last):,.0f}"
        self._last = now
        self._done += 1
        self._bar.update(self._task, advance=1, loss=f"{loss:.4f}", rate=rate)
        if self._lines and (self._done % self._every == 0 or self._done == self._steps):
            line = f"step {self._done} of {self._steps}: loss {loss:.4f}, {rate} tokens/s"
            self._console.print(line, markup=False, soft_wrap=True)
