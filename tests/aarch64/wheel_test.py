"""The wheel for aarch64 under an emulator: the bits of both operators, the demo, what its libraries are for.

ATTNRES_AARCH64_WHEEL names the wheel; `tests/aarch64/run` builds it and starts this test.
"""

import json
import os
import pathlib
import subprocess
import sys

import attnres
import pytest
from runfiles import Runfiles

GRID = pathlib.Path(__file__).with_name("grid_bits.py")
REPOSITORY = pathlib.Path(Runfiles.Create().Rlocation("aarch64_linux/site")).parent
PYTHON = "python%d.%d" % sys.version_info[:2]
CASES = 72


@pytest.fixture(scope="module", name="site")
def _site(tmp_path_factory):
    """A folder with the wheel and what it needs, as pip installs it for such a machine."""
    folder = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-I", "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    target = ["--no-index", "--no-deps", "--no-cache-dir", f"--target={folder}", "--only-binary=:all:"]
    tags = ["--platform=manylinux_2_28_aarch64", "--implementation=cp", "--python-version=%d.%d" % sys.version_info[:2]]
    done = subprocess.run(
        [*pip, *target, *tags, os.environ["ATTNRES_AARCH64_WHEEL"]],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    return folder


@pytest.fixture(scope="module", name="emulated")
def _emulated(site):
    """Runs Debian's CPython for arm64 with some arguments."""
    pure = [entry for entry in sys.path if os.path.basename(entry) == "site"]
    path = os.pathsep.join([str(site), str(REPOSITORY / "site"), *pure])

    def run(*arguments):
        program = REPOSITORY / "root/usr/bin" / PYTHON
        command = [str(REPOSITORY / "run.sh"), str(program), *map(str, arguments)]
        environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(command, env=environment, cwd="/", capture_output=True, text=True)

    return run


def test_both_operators_give_the_bits_of_this_machine(site, emulated):
    done = emulated(GRID)
    assert done.returncode == 0, done.stderr
    assert done.stderr.split()[-2:] == ["aarch64", str(site / "attnres/__init__.py")]
    here = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys, runpy; sys.path[:0] = {sys.path!r}; "
         f"runpy.run_path({str(GRID)!r}, run_name='__main__')"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    expected, actual = here.stdout.splitlines(), done.stdout.splitlines()
    assert len({line.split()[0] for line in expected}) == CASES
    assert actual == expected


def test_demo(site, emulated):
    done = emulated(site / "bin/attnres", "demo", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["right"] and len(result["runs"]) == 9


def test_version(site, emulated):
    assert emulated("-m", "attnres", "--version").stdout == f"attnres {attnres.__version__}\n"
