"""docs/training.md names every flag of the program, and no other."""

import os
import re

from absl import flags
from runfiles import Runfiles

from examples.train_lm import train_lm


def page():
    path = Runfiles.Create().Rlocation(os.environ["TEST_WORKSPACE"] + "/docs/training.md")
    with open(path, encoding="utf-8") as text:
        return text.read()


def own_flags():
    return {flag.name for flag in flags.FLAGS.flags_by_module_dict()[train_lm.__name__]}


def test_the_table_has_every_flag():
    table = [line for line in page().splitlines() if line.startswith("| `--")]
    named = {name for line in table for name in re.findall(r"`--(\w+)", line.split("|")[1])}
    assert named == own_flags()


def test_commands_have_their_flags():
    commands = re.findall(r"//examples:train_lm --(.*)", page())
    used = {name for command in commands for name in re.findall(r" --(\w+)", command)}
    assert used and used <= own_flags() | {"help"}
