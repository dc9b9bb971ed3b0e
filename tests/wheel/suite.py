"""Runs test files of this workspace against the installed package."""

import os
import pathlib
import re

from runfiles import Runfiles

from tests.wheel import environment


def run(installed: environment.Environment, files: list[str], folder: pathlib.Path, timeout: int = 600) -> int:
    """Runs them, paths from the workspace's root, all of which must pass; returns the number of cases."""
    root = pathlib.Path(Runfiles.Create().Rlocation(os.environ["TEST_WORKSPACE"] + "/version.bzl")).parent
    (folder / "testing").symlink_to(root / "python/attnres/testing")
    options = ["-q", "--tb=short", "-p", "no:cacheprovider", "-p", "suite_plugin", "--import-mode=importlib"]
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
        PYTHONPATH=str(root / "tests/wheel"),
        PYTHONDONTWRITEBYTECODE="1",
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    return int(re.search(r"(\d+) passed", done.stdout)[1])
