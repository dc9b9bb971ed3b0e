"""What one invocation does: trains to a number of steps, keeps a checkpoint, tells what came out.

Every process of several runs the same job; the first of them writes and prints.
"""

import dataclasses
import json
import os
import sys

import torch

from examples.train_lm import checkpoint, text
from examples.train_lm.errors import InputError
from examples.train_lm.progress import Progress
from examples.train_lm.training import Recipe, Training

_FIRST_STEPS = 10


@dataclasses.dataclass(frozen=True)
class Job:
    """The flags of train_lm.py, with absolute paths; `text_name` is what the user called the text."""

    recipe: Recipe
    text: str
    text_name: str
    steps: int
    checkpoint: str | None = None
    checkpoint_every: int = 0
    resume: bool = False
    plot: str | None = None
    compare: str | None = None
    as_json: bool = False
    threads: int | None = None
    timeout: int = 60

    def check(self, processes: int) -> None:
        """InputError for what can be known to be wrong before the work is done."""
        self.recipe.check(processes)
        if self.resume and not self.checkpoint:
            raise InputError("--resume needs --checkpoint, the file to continue from")
        for flag in ("checkpoint", "plot"):
            path = getattr(self, flag)
            if path and not os.path.isdir(os.path.dirname(path)):
                raise InputError(f"--{flag}={path} cannot be written: {os.path.dirname(path)} is no directory")
        if self.compare:
            _read_losses(self.compare)
        text.read(self.text, self.text_name, self.recipe.context)


def run(job: Job, rank: int = 0, processes: int = 1) -> None:
    """Trains and reports; InputError where the caller's input is wrong."""
    torch.set_num_threads(job.threads or max(1, len(os.sched_getaffinity(0)) // processes))
    words = text.read(job.text, job.text_name, job.recipe.context)
    training = Training(job.recipe, words, rank, processes)
    if job.resume:
        training.load(checkpoint.read(job.checkpoint))
    _train(job, training, rank)
    if rank == 0:
        _report(job, training, words, processes)


def _train(job, training, rank):
    done = len(training.losses)
    tokens = job.recipe.batch * job.recipe.context
    with Progress(done, job.steps, tokens, shown=rank == 0) as progress:
        for step in range(done, job.steps):
            progress.advance(training.step())
            last = step + 1 == job.steps
            due = job.checkpoint_every and (step + 1) % job.checkpoint_every == 0
            if rank == 0 and job.checkpoint and (last or due):
                checkpoint.write(job.checkpoint, training.state())


def _report(job, training, words, processes):
    recipe, losses = job.recipe, training.losses
    result = {
        "recipe": dataclasses.asdict(recipe),
        "processes": processes,
        "threads": torch.get_num_threads(),
        "text": {
            "name": words.name,
            "characters": len(words.tokens),
            "vocabulary": len(words.vocabulary),
            "sha256": words.digest,
        },
        "parameters": sum(value.numel() for value in training.model.parameters()),
        "parameters_sha256": training.parameters_digest(),
        "losses": losses,
        **_times(training),
    }
    lines = [_summary(result)]
    curves = {_name(result): losses}
    if job.compare:
        other = _read_losses(job.compare)
        result["compared"] = _differences(losses, other["losses"])
        lines.append(
            "losses differ from those of {} by at most {:.1e} of a loss in the first {} steps, {:.1e} in {}".format(
                job.compare, result["compared"]["first"], _FIRST_STEPS, *map(result["compared"].get, ("all", "steps"))
            )
        )
        curves[_name(other) + ("" if _name(other) not in curves else ", before")] = other["losses"]
    if job.plot:
        from examples.train_lm import loss_plot

        loss_plot.write(job.plot, curves)
    stream = sys.stderr if job.as_json else sys.stdout
    stream.write("\n".join(lines) + "\n")
    if job.as_json:
        json.dump(result, sys.stdout)
        sys.stdout.write("\n")
    sys.stdout.flush()


def _times(training):
    """Of this process's steps but the first; null where there was no other."""
    steps = training.timed_steps
    return {
        "step_seconds": training.seconds / steps if steps else None,
        "operator_seconds": training.operator_seconds / steps if steps else None,
        "operator_share": training.operator_seconds / training.seconds if steps else None,
        "tokens_per_second": training.recipe.batch * training.recipe.context * steps / training.seconds
        if steps
        else None,
    }


def _name(result):
    return "plain PyTorch" if result["recipe"]["baseline"] else "attnres"


def _summary(result):
    losses, recipe = result["losses"], result["recipe"]
    course = f": loss {losses[0]:.4f} at first, {losses[-1]:.4f} at last" if losses else ""
    line = f"{len(losses)} steps of {recipe['batch'] * recipe['context']} tokens{course}"
    if result["step_seconds"]:
        line += (
            f"\n{result['step_seconds'] * 1e3:.1f} ms a step ({result['tokens_per_second']:,.0f} tokens/s), of which "
            f"{result['operator_seconds'] * 1e3:.1f} ms ({result['operator_share']:.1%}) mix blocks, "
            f"forward and backward, by {_name(result)}"
        )
    return line


def _differences(losses, others):
    relative = [abs(a - b) / abs(b) for a, b in zip(losses, others)]
    return {
        "steps": len(relative),
        "first": max(relative[:_FIRST_STEPS], default=0.0),
        "all": max(relative, default=0.0),
    }


def _read_losses(path):
    """The result of a run with --json, from a file."""
    try:
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        if not isinstance(result["recipe"]["baseline"], bool):
            raise KeyError("baseline")
        return {"recipe": result["recipe"], "losses": [float(loss) for loss in result["losses"]]}
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"--compare={path} is no result of a run with --json: {error}") from error
