"""Trains a small character-level language model with block attention residuals; docs/training.md shows runs.

    ./bazelw run //examples:train_lm -- --steps=300 --plot=/tmp/loss.png

Exit codes: 0 done, 1 a process failed or PyTorch is missing, 2 the caller's input is wrong (one sentence on stderr).
"""

import os
import pathlib
import sys

from absl import app, flags

try:
    from examples.train_lm import job, processes
    from examples.train_lm.errors import InputError
    from examples.train_lm.training import Recipe
except ModuleNotFoundError as error:
    if error.name != "torch":
        raise
    sys.exit("train_lm needs PyTorch; set ATTNRES_TORCH_INDEX to a package index that has its CPU builds")

_OWN_TEXT = pathlib.Path(__file__).with_name("project_pages.txt")

_TEXT = flags.DEFINE_string("text", None, "UTF-8 file to learn; default: the pages of this project's documentation.")
_STEPS = flags.DEFINE_integer("steps", 300, "Steps of the optimizer, those before a resume included.", lower_bound=0)
_BATCH = flags.DEFINE_integer("batch", Recipe.batch, "Pieces of text in a step, over all processes.")
_CONTEXT = flags.DEFINE_integer("context", Recipe.context, "Characters in a piece.")
_LAYERS = flags.DEFINE_integer("layers", Recipe.layers, "Layers, each attention and MLP.")
_LAYERS_PER_BLOCK = flags.DEFINE_integer("layers_per_block", Recipe.layers_per_block, "Layers in a residual block.")
_HIDDEN = flags.DEFINE_integer("hidden", Recipe.hidden, "Hidden size.")
_LEARNING_RATE = flags.DEFINE_float("learning_rate", Recipe.learning_rate, "Of AdamW, after 20 steps.")
_SEED = flags.DEFINE_integer("seed", Recipe.seed, "Of the weights and of the pieces that a step takes.")
_BASELINE = flags.DEFINE_boolean("baseline", False, "Mix blocks by PyTorch's own operations, same weights and data.")
_RECOMPUTE = flags.DEFINE_boolean("recompute", False, "Activation checkpointing: run sub-layers again in the backward.")
_CHECKPOINT = flags.DEFINE_string("checkpoint", None, "File for the run's state, written at the end.")
_CHECKPOINT_EVERY = flags.DEFINE_integer("checkpoint_every", 0, "And after each so many steps.", lower_bound=0)
_RESUME = flags.DEFINE_boolean("resume", False, "Continue from --checkpoint, as if there had been no interruption.")
_PLOT = flags.DEFINE_string("plot", None, "PNG file for the loss.")
_COMPARE = flags.DEFINE_string("compare", None, "Output of another run with --json: its curve and the difference.")
_JSON = flags.DEFINE_boolean("json", False, "Print one JSON object on stdout, all else on stderr.")
_THREADS = flags.DEFINE_integer("threads", None, "Of each process; default: all CPUs, shared out.", lower_bound=1)
_PROCESSES = flags.DEFINE_integer("processes", 1, "Processes to start on this machine.", lower_bound=1)
_TIMEOUT = flags.DEFINE_integer("timeout", 60, "Seconds that a process waits for another.", lower_bound=1)


def main(argv: list[str]) -> int:
    if len(argv) > 1:
        return _refuse(f"argument {argv[1]!r} is not expected; flags are --name=value")
    wanted = _job()
    given = processes.of_torchrun()
    try:
        wanted.check(given[1] if given else _PROCESSES.value)
        if given:
            return processes.take_part(wanted, *given)
        if _PROCESSES.value > 1:
            return processes.launch(wanted, _PROCESSES.value)
        job.run(wanted)
    except InputError as error:
        return _refuse(str(error))
    return 0


def _job():
    recipe = Recipe(
        batch=_BATCH.value,
        context=_CONTEXT.value,
        layers=_LAYERS.value,
        layers_per_block=_LAYERS_PER_BLOCK.value,
        hidden=_HIDDEN.value,
        learning_rate=_LEARNING_RATE.value,
        seed=_SEED.value,
        baseline=_BASELINE.value,
        recompute=_RECOMPUTE.value,
    )
    return job.Job(
        recipe=recipe,
        text=_resolve(_TEXT.value) or str(_OWN_TEXT),
        text_name=_TEXT.value or "the project's pages",
        steps=_STEPS.value,
        checkpoint=_resolve(_CHECKPOINT.value),
        checkpoint_every=_CHECKPOINT_EVERY.value,
        resume=_RESUME.value,
        plot=_resolve(_PLOT.value),
        compare=_resolve(_COMPARE.value),
        as_json=_JSON.value,
        threads=_THREADS.value,
        timeout=_TIMEOUT.value,
    )


def _resolve(path):
    """The path as the user means it: `bazel run` starts a program elsewhere and tells where it was typed."""
    return path and os.path.abspath(os.path.join(os.environ.get("BUILD_WORKING_DIRECTORY", ""), path))


def _refuse(sentence):
    sys.stderr.write(f"train_lm: {sentence}\n")
    return processes.EXIT_INPUT


if __name__ == "__main__":
    app.run(main)
