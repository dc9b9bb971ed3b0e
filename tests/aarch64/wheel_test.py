"""The wheel for aarch64 under an emulator: the bits of both operators, their goldens, the demo.

`tests/aarch64/run` builds the wheel and starts this test.
"""

import json
import pathlib
import subprocess
import sys

import attnres
import pytest

from tests.aarch64 import emulated
from tests.backward import capture_files
from tests.wheel import suite

GRID = pathlib.Path(__file__).with_name("grid_bits.py")
CAPTURES = [
    capture_files.find(shape, dtype).inputs
    for shape in ("T128_N4_H192", "T48_N6_H1168")
    for dtype in ("bfloat16", "float16", "float32")
]
# 24 of the grid and 6 captures, on each of 3 SoCs.
CASES = 90

# Tests against float64, of the captures and on the table of shapes, which is cut to a few hidden sizes: tails of
# vectors, rows in one piece and in tiles.
GOLDEN_TESTS = {
    "tests/backward/captures_test.py": ("", 24),
    "tests/forward/cascade_test.py": ("", 18),
    "tests/backward/grid_test.py": ("H17- or H127- or H1168- or H7186-", 180),
    "tests/forward/grid_test.py": ("H17- or H127- or H1168- or H7186-", 180),
}


@pytest.fixture(scope="module", name="installed")
def _installed(tmp_path_factory):
    return emulated.install(tmp_path_factory.mktemp("site"))


def test_both_operators_give_the_bits_of_this_machine(installed):
    done = installed.run("python", GRID, *CAPTURES)
    assert done.returncode == 0, done.stderr
    assert done.stderr.split()[-2:] == ["aarch64", str(installed.folder / "attnres/__init__.py")]
    here = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys, runpy; sys.path[:0] = {sys.path!r}; "
         f"runpy.run_path({str(GRID)!r}, run_name='__main__')", *CAPTURES],
        capture_output=True, text=True,
    )  # fmt: skip
    assert here.returncode == 0, here.stderr
    expected, actual = here.stdout.splitlines(), done.stdout.splitlines()
    assert len({line.split()[0] for line in expected}) == CASES
    assert actual == expected


@pytest.mark.parametrize("file", GOLDEN_TESTS)
def test_goldens(installed, file, tmp_path):
    cases, number = GOLDEN_TESTS[file]
    assert suite.run(installed, [file], tmp_path, cases=cases) == number


def test_demo(installed):
    done = installed.run("attnres", "demo", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["right"] and len(result["runs"]) == 9


def test_version(installed):
    assert installed.run("python", "-m", "attnres", "--version").stdout == f"attnres {attnres.__version__}\n"
