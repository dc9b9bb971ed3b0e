"""docs/jax.md shows a model that runs as it stands there, and learns."""

import os
import re

from runfiles import Runfiles


def program():
    path = Runfiles.Create().Rlocation(os.environ["TEST_WORKSPACE"] + "/docs/jax.md")
    with open(path, encoding="utf-8") as text:
        (block,) = re.findall(r"```python\n(.*?)```", text.read(), re.DOTALL)
    return block


def test_the_model_runs_and_learns(capsys):
    exec(compile(program(), "docs/jax.md", "exec"), {"__name__": "pasted"})
    losses = [float(line.rpartition(" ")[2]) for line in capsys.readouterr().out.splitlines()]
    assert len(losses) == 3 and losses[0] > 4 and losses[-1] < losses[0] / 4
    assert losses == sorted(losses, reverse=True)
