"""The pinned formatters, and which files of the workspace each one is for.

`commands` gives the command lines to check or to fix; lint.py runs the first, tools/format the second.
"""

import glob
import os
import subprocess

from runfiles import Runfiles

_CC = (".h", ".cc", ".cpp")
_PY = (".py",)
_BAZEL = ("BUILD.bazel", "WORKSPACE", ".bzl", ".BUILD")


def workspace():
    """The source tree that `bazel run` started in."""
    return os.environ["BUILD_WORKSPACE_DIRECTORY"]


def source_files():
    """Every file that git tracks or would track, relative to the workspace."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=workspace(),
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    names = sorted(set(filter(None, listed.stdout.split("\0"))))
    return [name for name in names if os.path.isfile(os.path.join(workspace(), name))]


def _program(pattern):
    root = Runfiles.Create().Rlocation(pattern.split("*")[0].rsplit("/", 1)[0])
    (found,) = glob.glob(os.path.join(root, os.path.relpath(pattern, pattern.split("*")[0].rsplit("/", 1)[0])))
    return found


def commands(fix):
    """[(name, command, files)]: each command takes its files as further arguments."""
    clang_format = _program("pip_clang_format/site/clang_format/data/bin/clang-format")
    ruff = _program("pip_ruff/site/ruff-*/scripts/ruff")
    buildifier = _program("buildifier/buildifier")
    files = source_files()
    cc = [name for name in files if name.endswith(_CC)]
    py = [name for name in files if name.endswith(_PY)]
    bazel = [name for name in files if name.endswith(_BAZEL)]
    if fix:
        return [
            ("clang-format", [clang_format, "-i"], cc),
            ("ruff check", [ruff, "check", "--no-cache", "--quiet", "--fix"], py),
            ("ruff format", [ruff, "format", "--no-cache", "--quiet"], py),
            ("buildifier", [buildifier, "-mode=fix"], bazel),
        ]
    return [
        ("clang-format", [clang_format, "--dry-run", "--Werror"], cc),
        ("ruff check", [ruff, "check", "--no-cache", "--quiet"], py),
        ("ruff format", [ruff, "format", "--no-cache", "--quiet", "--check"], py),
        ("buildifier", [buildifier, "-mode=check"], bazel),
    ]
