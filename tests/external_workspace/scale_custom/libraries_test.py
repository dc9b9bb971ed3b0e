"""Both libraries are found among the runfiles by the names that this workspace gives the repositories, and run."""

import ctypes

from runfiles import Runfiles

_NULL_POINTER = 161001  # what aclnn interfaces answer to a null pointer


def _load(location):
    path = Runfiles.Create().Rlocation(location)
    assert path is not None, location
    return ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)


def test_libraries_are_found_and_run():
    _load("operators/cc/acl/libascendcl.so")
    operators = _load("external_workspace/scale_custom/libscale_opapi.so")
    phase_one = operators.aclnnScaleCustomGetWorkspaceSize
    phase_one.argtypes = [ctypes.c_void_p, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    assert phase_one(None, 1.0, None, None, None) == _NULL_POINTER
