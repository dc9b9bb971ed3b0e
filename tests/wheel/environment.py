"""A virtual environment in which the wheel is installed, by pip, and nothing else of this workspace.

Dependencies are the pinned packages of the test that makes it, as Bazel has unpacked them.
"""

import dataclasses
import os
import pathlib
import subprocess
import sys

from tests.wheel import archive


@dataclasses.dataclass(frozen=True)
class Environment:
    """Where it is, and how to run something in it."""

    folder: pathlib.Path

    @property
    def package(self) -> pathlib.Path:
        """The installed package."""
        return site_packages(self.folder) / "attnres"

    def run(self, program: str, *arguments: str | os.PathLike, timeout=600, **variables: str):
        """Runs a program of its bin folder in the root directory; nothing of the caller's environment but HOME."""
        environment = {"HOME": str(self.folder), "PATH": "/usr/bin:/bin"} | variables
        command = [str(self.folder / "bin" / program), *map(str, arguments)]
        return subprocess.run(command, cwd="/", env=environment, capture_output=True, text=True, timeout=timeout)

    def python(self, code: str) -> str:
        """What some code prints; it must succeed."""
        done = self.run("python", "-c", code)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


def site_packages(folder: pathlib.Path) -> pathlib.Path:
    """Where packages go in an environment."""
    return folder / "lib" / ("python%d.%d" % sys.version_info[:2]) / "site-packages"


def create(folder: pathlib.Path) -> Environment:
    """Makes it in a new folder, without asking any index."""
    _call(sys.executable, "-I", "-m", "venv", "--without-pip", folder)
    pinned = [entry for entry in sys.path if os.path.basename(entry) == "site"]
    assert pinned
    (site_packages(folder) / "pinned.pth").write_text("".join(f"{os.path.realpath(entry)}\n" for entry in pinned))
    pip = [sys.executable, "-I", "-m", "pip", "--disable-pip-version-check", "--python", folder / "bin" / "python"]
    # With its dependencies: pip looks whether the pinned ones are enough.
    _call(*pip, "install", "--quiet", "--no-index", "--no-cache-dir", archive.path())
    return Environment(folder)


def _call(*command):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, f"{command}: {done.stdout}"
