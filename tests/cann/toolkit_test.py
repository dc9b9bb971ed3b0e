"""--config=cann with a stand-in for a toolkit: empty header folders, compilers that write down their arguments.

What a compiler gets lands in its output file: the command line, and the headers that it could have read. No toolkit has
been at hand to compile with. `./bazelw run //tests/cann:toolkit_test`: it calls Bazel, which a test must not do.
"""

import os
import pathlib
import re
import subprocess
import tempfile

import pytest

_WORKSPACE = os.environ["BUILD_WORKSPACE_DIRECTORY"]
_OPERATORS = {
    "block_attention_residuals": "BlockAttentionResiduals",
    "block_attention_residuals_grad": "BlockAttentionResidualsGrad",
}
_DTYPES = {"float16": "half", "bfloat16": "bfloat16_t", "float32": "float"}
_SOCS = {
    "ascend910b": ["--cce-aicore-arch=dav-c220-vec", "--cce-auto-sync=on"],
    "ascend910_93": ["--cce-aicore-arch=dav-c220-vec", "--cce-auto-sync=on"],
    "ascend950": ["--cce-aicore-arch=dav-c310-vec", "--cce-auto-sync=off"],
}
_BIN = "compiler/ccec_compiler/bin"
_COMPILER = """#!/bin/sh
for argument in "$@"; do [ "${previous-}" != -o ] || out=$argument; previous=$argument; done
{ echo "$0"; echo "$ASCEND_HOME_PATH"; printf '%s\\n' "$@" "-- headers"; find . -name '*.h'; } > "$out"
"""


def _bazel(*arguments, toolkit):
    environment = {**os.environ, "ASCEND_HOME_PATH": str(toolkit)}
    command = ["./bazelw", *os.environ.get("BAZEL_STARTUP", "").split(), *arguments]
    return subprocess.run(command, cwd=_WORKSPACE, env=environment, capture_output=True, text=True, timeout=600)


def _make_toolkit(folder):
    for name in [_BIN, "include", "lib64", "compiler/tikcpp/tikcfw/interface"]:
        (folder / name).mkdir(parents=True)
    for name in ["bisheng", "ccec"]:
        (folder / _BIN / name).write_text(_COMPILER)
        (folder / _BIN / name).chmod(0o755)
    (folder / "version.cfg").write_text("stand-in\n")
    return folder


@pytest.fixture(name="toolkit", scope="module")
def _toolkit():
    with tempfile.TemporaryDirectory() as folder:
        yield _make_toolkit(pathlib.Path(folder) / "cann")


class _Call:
    """One recorded call of a compiler."""

    def __init__(self, path):
        command, _, headers = path.read_text().partition("-- headers\n")
        self.program, self.home_path, *self.arguments = command.splitlines()
        self.headers = headers.splitlines()


@pytest.fixture(name="built", scope="module")
def _built(toolkit):
    """The folder of what --config=cann makes of the operator library."""
    done = _bazel("build", "--config=cann", "--noshow_progress", "//op_host:opapi", toolkit=toolkit)
    assert done.returncode == 0, done.stderr
    info = _bazel("info", "--noshow_progress", "bazel-bin", toolkit=toolkit)
    return pathlib.Path(info.stdout.strip()) / "op_host"


def _kernel(built, soc, operator, dtype):
    name = "%s_%s" % (_OPERATORS[operator], dtype)
    return built / operator / (operator + "_cann") / soc / operator / name


def _host_calls(built):
    return {
        str(path.relative_to(built / "opapi_cann"))[:-2]: _Call(path) for path in (built / "opapi_cann").rglob("*.o")
    }


@pytest.mark.parametrize("dtype", _DTYPES)
@pytest.mark.parametrize("operator", _OPERATORS)
@pytest.mark.parametrize("soc", _SOCS)
def test_kernels_get_the_documented_flags(built, toolkit, soc, operator, dtype):
    stem = _kernel(built, soc, operator, dtype)
    call = _Call(stem.with_suffix(".o"))
    assert call.program == str(toolkit / _BIN / "ccec")
    assert call.home_path == str(toolkit)
    assert call.arguments[:5] == ["-c", "-O3", "-std=c++17", "-xcce", "--cce-aicore-only"]
    assert [flag for flag in call.arguments if flag.startswith(("--cce-aicore-arch", "--cce-auto-sync"))] == _SOCS[soc]
    assert "-DDTYPE_PARTIAL_BLOCK=" + _DTYPES[dtype] in call.arguments
    assert [flag for flag in call.arguments if flag.startswith("-I")] == [
        "-I.",
        "-I%s/compiler/tikcpp/tikcfw" % toolkit,
        "-I%s/compiler/tikcpp/tikcfw/interface" % toolkit,
        "-I%s/include" % toolkit,
    ]
    entry = operator + ("_apt" if soc == "ascend950" else "")
    unit = stem.with_suffix(".cpp").read_text()
    assert unit.splitlines()[0] == '#include "op_kernel/%s/%s.cpp"' % (operator, entry)
    for mode in ("TPL_H_MODE_FULL", "TPL_H_MODE_SPLIT"):
        assert "%s<%s>;" % (operator, mode) in unit


def test_host_code_is_compiled_with_the_toolkits_headers(built, toolkit):
    calls = _host_calls(built)
    assert {"op_host/%s/op_api/aclnn_%s.cpp" % (operator, operator) for operator in _OPERATORS} < set(calls)
    assert {"op_host/%s/%s_tiling.cpp" % (operator, operator) for operator in _OPERATORS} < set(calls)
    for source, call in calls.items():
        assert call.program == str(toolkit / _BIN / "bisheng")
        assert call.arguments[:4] == ["-c", "-O2", "-std=c++17", "-fPIC"]
        assert source in call.arguments
        assert "-I%s/include" % toolkit in call.arguments


def test_no_compiler_sees_a_header_of_the_twin(built):
    calls = list(_host_calls(built).values())
    calls += [_Call(path) for operator in _OPERATORS for path in (built / operator / (operator + "_cann")).rglob("*.o")]
    assert len(calls) > 40
    for call in calls:
        assert call.headers
        assert [header for header in call.headers if not header.startswith(("./op_host/", "./op_kernel/"))] == []
        assert [argument for argument in call.arguments if re.search("(^|-I|/)cc/", argument)] == []


def test_libraries_divide_interface_and_tiling(built, toolkit):
    for name, folder, library in [("libcust_opapi.so", True, "-lnnopbase"), ("liboptiling.so", False, "-lregister")]:
        call = _Call(built / "opapi_cann" / name)
        objects = [argument for argument in call.arguments if argument.endswith(".cpp.o")]
        assert objects
        assert {"/op_api/" in path for path in objects} == {folder}
        assert {"-L%s/lib64" % toolkit, library, "-Wl,-soname," + name} < set(call.arguments)


def test_one_soc_and_operator_alone(built, toolkit):
    flags = ["--//tools/build_defs:socs=ascend950", "--//tools/build_defs:operators=block_attention_residuals_grad"]
    done = _bazel("build", "--config=cann", "--noshow_progress", *flags, "//op_host:package", toolkit=toolkit)
    assert done.returncode == 0, done.stderr
    package = next(built.glob("cann-ops-transformer-custom_*.run"))
    listed = subprocess.run([str(package), "--list"], capture_output=True, text=True, check=True).stdout.splitlines()
    kernels = sorted(path.split("/kernel/")[1] for path in listed if "/tbe/kernel/" in path)
    assert kernels == [
        "ascend950/block_attention_residuals_grad/BlockAttentionResidualsGrad_%s.o" % dtype for dtype in sorted(_DTYPES)
    ]
    assert sum(path.endswith(("op_api/lib/libcust_opapi.so", "op_tiling/liboptiling.so")) for path in listed) == 2
    assert [path for path in listed if "ascendcl" in path or "/include/acl/" in path] == []


def test_a_changed_compiler_compiles_again(built, toolkit):
    compiler = toolkit / _BIN / "ccec"
    compiler.write_text(_COMPILER.replace('echo "$0"', 'echo "changed $0"'))
    done = _bazel("build", "--config=cann", "--noshow_progress", "//op_host:opapi", toolkit=toolkit)
    assert done.returncode == 0, done.stderr
    kernel = _kernel(built, "ascend950", "block_attention_residuals", "float16").with_suffix(".o")
    assert _Call(kernel).program == "changed %s" % compiler


def _empty(folder):
    folder.mkdir()
    return folder


def _without_compiler(folder):
    (folder / "include").mkdir(parents=True)
    return folder


@pytest.mark.parametrize(
    "make, sentence",
    [
        (lambda folder: "", "ASCEND_HOME_PATH is not set; --config=cann needs the folder of a CANN toolkit there"),
        (lambda folder: "cann", "ASCEND_HOME_PATH is 'cann', which is no folder; expected the absolute path"),
        (lambda folder: folder / "none", "/none', which is no folder; expected the absolute path of a CANN toolkit"),
        (
            lambda folder: _empty(folder / "empty"),
            "/empty', which has no compiler; expected bisheng or ccec in one of bin,",
        ),
        (lambda folder: _without_compiler(folder / "headers"), "/headers', which has no compiler"),
    ],
)
def test_a_wrong_toolkit_is_one_sentence(make, sentence):
    with tempfile.TemporaryDirectory() as folder:
        done = _bazel(
            "build",
            "--config=cann",
            "--nobuild",
            "--noshow_progress",
            "//op_host:opapi",
            toolkit=make(pathlib.Path(folder)),
        )
    assert done.returncode == 1
    assert sum(sentence in line for line in done.stderr.splitlines()) == 1


def test_the_twin_is_built_without_a_toolkit():
    done = _bazel("build", "--nobuild", "--noshow_progress", "//op_host:opapi", toolkit="")
    assert done.returncode == 0, done.stderr
