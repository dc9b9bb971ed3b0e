"""What the built libraries promise to programs that another compiler made.

Only C functions are exported, libc++ is inside and hidden, glibc 2.28 is enough, libraries are found beside
each other, and no path of the machine that built them is left in them. What they hold in every
mode and wherever they are built, reproducible_test says.
"""

import fnmatch
import os
import re

import pytest
from runfiles import Runfiles

from tests.build.elf_reader import SharedObject

_RUNTIME = "cc/acl/libascendcl.so"
_OPERATORS = "op_host/libcust_opapi.so"
_TWIN_MODULE = "python/attnres/_twin.so"
_TILING_MODULE = "python/attnres/_tiling_native.so"
_FFI_MODULE = "python/attnres/jax/_ffi_native.so"
_ALL = [_RUNTIME, _OPERATORS, _TWIN_MODULE, _TILING_MODULE, _FFI_MODULE]

_EXPORTS = {
    _RUNTIME: ["acl*", "Acl*"],
    _OPERATORS: ["aclnn*"],
    _TWIN_MODULE: ["PyInit__twin"],
    _TILING_MODULE: ["PyInit__tiling_native"],
    _FFI_MODULE: ["PyInit__ffi_native"],
}

# What the libraries ask for beside versioned symbols of glibc: the runtime library's functions, and Python's.
_UNDEFINED = {
    _RUNTIME: [],
    _OPERATORS: ["acl*"],
    _TWIN_MODULE: ["Py*", "_Py*"],
    _TILING_MODULE: ["Py*", "_Py*"],
    _FFI_MODULE: ["Py*", "_Py*"],
}

# glibc's own libraries; 2.34 folded all but libc, libm and the loader into libc.
_GLIBC = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "ld-linux-x86-64.so.2"}
_GLIBC |= {"ld-linux-aarch64.so.1"}
_OLDEST_GLIBC = (2, 28)


def _open(name):
    return SharedObject(Runfiles.Create().Rlocation("%s/%s" % (os.environ["TEST_WORKSPACE"], name)))


def _unlisted(symbols, globs):
    return [symbol for symbol in symbols if not any(fnmatch.fnmatchcase(symbol, glob) for glob in globs)]


@pytest.mark.parametrize("name", _ALL)
def test_exports_only_what_the_list_names(name):
    exported = _open(name).exported
    assert exported
    assert _unlisted(exported, _EXPORTS[name]) == []


@pytest.mark.parametrize("name", _ALL)
def test_asks_others_only_for_what_the_list_names(name):
    undefined = _open(name).undefined
    assert "malloc" in undefined or "memcpy" in undefined
    unversioned = [symbol for symbol, version in undefined.items() if not version]
    assert _unlisted(unversioned, _UNDEFINED[name]) == []
    assert {version.split("_")[0] for version in undefined.values() if version} == {"GLIBC"}


def test_operator_library_asks_the_runtime_library_for_what_that_exports():
    asked = {symbol for symbol in _open(_OPERATORS).undefined if symbol.startswith("acl")}
    assert asked
    assert asked <= _open(_RUNTIME).exported


def test_operator_library_exports_both_phases_of_every_operator():
    exported = _open(_OPERATORS).exported
    assert {
        "aclnnBlockAttentionResiduals",
        "aclnnBlockAttentionResidualsGetWorkspaceSize",
        "aclnnBlockAttentionResidualsGrad",
        "aclnnBlockAttentionResidualsGradGetWorkspaceSize",
    } == exported


@pytest.mark.parametrize("name", [_RUNTIME, _OPERATORS])
def test_soname_is_the_file_name(name):
    assert _open(name).soname == os.path.basename(name)


@pytest.mark.parametrize("name", [_TWIN_MODULE, _TILING_MODULE, _FFI_MODULE])
def test_extension_module_has_no_soname(name):
    assert _open(name).soname is None


@pytest.mark.parametrize("name", _ALL)
def test_looks_for_libraries_only_beside_itself(name):
    library = _open(name)
    assert library.rpath == []
    assert library.runpath == (["$ORIGIN"] if name in (_RUNTIME, _OPERATORS) else [])


def test_operator_library_needs_the_runtime_library():
    assert "libascendcl.so" in _open(_OPERATORS).needed


@pytest.mark.parametrize("name", _ALL)
def test_needs_only_glibc_and_our_libraries(name):
    needed = set(_open(name).needed)
    assert needed - _GLIBC <= {"libascendcl.so", "libcust_opapi.so"}


@pytest.mark.parametrize("name", _ALL)
def test_runs_on_glibc_2_28(name):
    found = [re.fullmatch(r"GLIBC_(\d+)\.(\d+)(\.\d+)?", version) for version in _open(name).versions]
    newest = max((int(match[1]), int(match[2])) for match in found if match)
    assert newest <= _OLDEST_GLIBC


@pytest.mark.parametrize("name", _ALL)
def test_holds_no_path_of_the_build_machine(name):
    content = _open(name).content
    for trace in (b"/execroot/", b"/sandbox/", b"attnres-zig-", b"/external/zig_toolchain"):
        assert trace not in content
