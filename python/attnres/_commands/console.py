"""What the commands print: tables for people, or one JSON object on stdout and the rest on stderr."""

import contextlib
import json
import math
import sys
import threading
import time

import rich.console
import rich.table
import rich.text

# Seconds between signs of life where stderr is no terminal.
_HEARTBEAT_SECONDS = 10

# Columns for output that goes to a file or a pipe, where rich would assume 80.
_PIPE_WIDTH = 160


class Console:
    """Output of one command run; with `as_json` stdout is for the JSON object alone."""

    def __init__(self, as_json: bool):
        self.as_json = as_json
        stream = sys.stderr if as_json else sys.stdout
        width = None if stream.isatty() else _PIPE_WIDTH
        self._rich = rich.console.Console(file=stream, width=width, highlight=False)

    def line(self, text: str) -> None:
        self._rich.print(text, markup=False, soft_wrap=True)

    def table(self, title: str, columns, rows) -> None:
        """A table under its title; a column is its heading, with ">" in front if its cells align to the right."""
        # As a line of its own: a table folds its title to its width, paths in it too.
        self.line(title)
        table = rich.table.Table()
        for column in columns:
            # Folded where it is too narrow: the end of a path has the line.
            table.add_column(column.lstrip(">"), justify="right" if column[0] == ">" else "left", overflow="fold")
        for row in rows:
            table.add_row(*(rich.text.Text(str(cell)) for cell in row))
        self._rich.print(table)

    @contextlib.contextmanager
    def working(self, text: str):
        """Says on stderr that work goes on, as long as the block runs."""
        if sys.stderr.isatty():
            with rich.console.Console(stderr=True).status(rich.text.Text(text)):
                yield
            return
        start = time.monotonic()
        done = threading.Event()

        def beat():
            while not done.wait(_HEARTBEAT_SECONDS):
                sys.stderr.write(f"{text}: {time.monotonic() - start:.0f} s\n")

        heart = threading.Thread(target=beat, daemon=True)
        heart.start()
        try:
            yield
        finally:
            done.set()
            heart.join()

    def result(self, value: dict) -> None:
        """The JSON object, if it is wanted."""
        if self.as_json:
            json.dump(_finite(value), sys.stdout, allow_nan=False)
            sys.stdout.write("\n")
            sys.stdout.flush()


def _finite(value):
    """The value with null in place of numbers that JSON does not have."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
