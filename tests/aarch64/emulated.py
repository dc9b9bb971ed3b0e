"""The wheel for aarch64 where it is installed: Debian's CPython for arm64 runs programs over it, under qemu-user.

ATTNRES_AARCH64_BIN names the folder of what --config=aarch64 has built. What the wheel needs comes from @aarch64_linux,
and pure Python from this test's own pinned packages.
"""

import dataclasses
import os
import pathlib
import subprocess
import sys

from runfiles import Runfiles

REPOSITORY = pathlib.Path(Runfiles.Create().Rlocation("aarch64_linux/site")).parent
_PYTHON = REPOSITORY / "root/usr/bin" / ("python%d.%d" % sys.version_info[:2])


@dataclasses.dataclass(frozen=True)
class Environment:
    """The folder into which pip has put the wheel."""

    folder: pathlib.Path

    def run(self, program: str, *arguments: str | os.PathLike, timeout=600, **variables: str):
        """Runs `python`, or a program of the wheel, in the root directory; nothing of the caller's environment."""
        pure = [entry for entry in sys.path if os.path.basename(entry) == "site"]
        path = [variables.pop("PYTHONPATH", ""), str(self.folder), str(REPOSITORY / "site"), *pure]
        environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": os.pathsep.join(filter(None, path))} | variables
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        start = [] if program == "python" else [self.folder / "bin" / program]
        command = map(str, [REPOSITORY / "run.sh", _PYTHON, *start, *arguments])
        return subprocess.run([*command], env=environment, cwd="/", capture_output=True, text=True, timeout=timeout)


def built(pattern: str) -> pathlib.Path:
    """The one file of that pattern that was built for aarch64."""
    (file,) = pathlib.Path(os.environ["ATTNRES_AARCH64_BIN"]).glob(pattern)
    return file


def install(folder: pathlib.Path) -> Environment:
    """Puts the wheel into a folder, as pip does for such a machine."""
    pip = [sys.executable, "-I", "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    target = ["--no-index", "--no-deps", "--no-cache-dir", f"--target={folder}", "--only-binary=:all:"]
    tags = ["--platform=manylinux_2_28_aarch64", "--implementation=cp", "--python-version=%d.%d" % sys.version_info[:2]]
    done = subprocess.run(
        [*pip, *target, *tags, built("python/attnres-*_aarch64.whl")],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    return Environment(folder)
