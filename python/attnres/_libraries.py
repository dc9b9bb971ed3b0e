"""Finds the files that belong to the package: the two shared libraries and the shipped captures.

They lie in the package's own folder, in Bazel's runfiles as in an installed wheel (see package_files.bzl), so that no
variable and no current directory can mislead.
"""

import os
import threading

from attnres import _twin
from attnres._errors import KERNEL_NOT_FOUND, AclnnError

RUNTIME_LIBRARY = "libascendcl.so"
OPERATOR_LIBRARY = "libcust_opapi.so"

_FOLDER = os.path.dirname(os.path.abspath(__file__))

_lock = threading.Lock()
_loaded = False
_log_level: int | None = None


def locate(name: str) -> str:
    """The absolute path of a file of the package, "data/…" of a capture; FileNotFoundError where it is missing."""
    path = os.path.join(_FOLDER, name)
    if not os.path.isfile(path):
        raise FileNotFoundError(f"{name} is missing in the package: there is no file {path}")
    return path


def ensure_loaded(soc: str) -> None:
    """Loads both libraries once in the process; AclnnError names the SoC and the library if that fails."""
    global _loaded
    with _lock:
        if not _loaded:
            _load(soc)
            _loaded = True
            if _log_level is not None:
                _twin.set_log_level(_log_level)


def set_log_level(level: int) -> None:
    """Level of the host and kernel logs from now on: 0 debug to 3 error."""
    global _log_level
    with _lock:
        _log_level = level
        if _loaded:
            _twin.set_log_level(level)


def _load(soc):
    paths = []
    for name in (RUNTIME_LIBRARY, OPERATOR_LIBRARY):
        try:
            paths.append(locate(name))
        except FileNotFoundError as error:
            raise AclnnError(KERNEL_NOT_FOUND, f"no kernel for {soc}: {error}") from error
    fault = _twin.load_libraries(paths[0], paths[1:])
    if fault:
        raise AclnnError(KERNEL_NOT_FOUND, f"no kernel for {soc}: {fault}")
