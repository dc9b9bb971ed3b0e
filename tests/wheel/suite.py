"""Runs test files of this workspace against the installed package."""

import os
import pathlib
import re
import subprocess
from typing import Protocol

from runfiles import Runfiles


class Environment(Protocol):
    """Where a package is installed: environment.py has one of this machine."""

    def run(self, program: str, *arguments, timeout: int, **variables: str) -> subprocess.CompletedProcess:
        """Runs a program there."""


def run(installed: Environment, files: list[str], folder: pathlib.Path, *, cases: str = "", timeout: int = 600) -> int:
    """Runs them, paths from the workspace's root, all of which must pass; returns the number of cases.

    `cases` is an expression of pytest's -k that selects some of them.
    """
    root = pathlib.Path(Runfiles.Create().Rlocation(os.environ["TEST_WORKSPACE"] + "/version.bzl")).parent
    (folder / "testing").symlink_to(root / "python/attnres/testing")
    options = ["-q", "--tb=short", "-p", "no:cacheprovider", "-p", "suite_plugin", "--import-mode=importlib"]
    options += ["-k", cases] if cases else []
    done = installed.run(
        "python",
        "-m",
        "pytest",
        *options,
        f"--rootdir={folder}",
        f"--basetemp={folder / 'basetemp'}",
        "--config-file=/dev/null",
        *(root / file for file in files),
        timeout=timeout,
        ATTNRES_TESTING=str(folder),
        PYTHONPATH=os.pathsep.join([str(root / "tests/wheel"), str(root)]),
        PYTHONDONTWRITEBYTECODE="1",
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    return int(re.search(r"(\d+) passed", done.stdout)[1])
