"""Finds the files that belong to the package: the two shared libraries and the shipped captures.

They are found through Bazel's runfiles: by manifest, by directory, or from where this package itself lies.
Never from the current directory. _rlocations.py (generated) knows their paths below the runfiles root.
"""

import os
import threading

import runfiles

from attnres import _rlocations, _twin
from attnres._errors import KERNEL_NOT_FOUND, AclnnError

RUNTIME_LIBRARY = "libascendcl.so"
OPERATOR_LIBRARY = "libcust_opapi.so"

_lock = threading.Lock()
_loaded = False
_log_level: int | None = None


def locate(name: str) -> str:
    """The absolute path of a declared file that exists; FileNotFoundError says where it was sought."""
    location = _rlocations.RLOCATIONS[name]
    sought = []
    for origin, find in _finders():
        path = find(location)
        if path is not None and os.path.isfile(path):
            return os.path.abspath(path)
        sought.append(f"{origin}: {path or 'not listed'}")
    if not sought:
        raise FileNotFoundError(
            f"{name} needs a runfiles tree: RUNFILES_MANIFEST_FILE and RUNFILES_DIR are not set, and "
            f"{__file__} lies in no tree; run a Bazel-built target"
        )
    raise FileNotFoundError(f"{name} is missing among the runfiles ({'; '.join(sought)})")


def _finders():
    """Pairs of a name for messages and a function from runfiles path to path or None."""
    finders = []
    for variable, create in (
        ("RUNFILES_MANIFEST_FILE", runfiles.CreateManifestBased),
        ("RUNFILES_DIR", runfiles.CreateDirectoryBased),
    ):
        value = os.environ.get(variable)
        if value and os.path.exists(value):
            finders.append((variable, _rlocation(create(value))))
    own_path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_rlocations.py")
    suffix = os.sep + _rlocations.SELF
    if own_path.endswith(suffix):
        root = own_path[: -len(suffix)]
        finders.append(("the tree of this package", _rlocation(runfiles.CreateDirectoryBased(root))))
    return finders


def _rlocation(tree):
    # The paths are canonical already, so the repository mapping must not touch them: it has no entry whose
    # source is a main repository under its own name.
    repository = _rlocations.SELF.partition("/")[0]
    return lambda location: tree.Rlocation(location, source_repo=repository)


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
