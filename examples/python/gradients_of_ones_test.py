"""The README shows the example as it is, and the example prints what the README says."""

import os
import re
import subprocess

from runfiles import Runfiles


def _file(name):
    found = Runfiles.Create().Rlocation("%s/%s" % (os.environ["TEST_WORKSPACE"], name))
    assert found and os.path.exists(found), name
    return found


def _readme_program():
    with open(_file("README.md"), encoding="utf-8") as text:
        blocks = re.findall(r"```python\n(.*?)```", text.read(), re.DOTALL)
    assert len(blocks) == 1
    return blocks[0]


def test_readme_shows_the_example():
    with open(_file("examples/python/gradients_of_ones.py"), encoding="utf-8") as source:
        docstring, program = source.read().split("\n\n", 1)
    assert docstring.startswith('"""')
    assert _readme_program() == program


def test_prints_what_the_readme_says():
    promised = _readme_program().rpartition("  # ")[2]
    result = subprocess.run(
        [_file("examples/python/gradients_of_ones")], capture_output=True, text=True, timeout=60, check=False
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, promised, "")
