"""The examples give every value that they promise, take the path that they name, and build without Bazel.

The plain build uses the include and library flags of the README with the toolchain's compiler, and
with the machine's g++ where there is one.
"""

import glob
import os
import platform
import re
import shutil
import subprocess

import pytest
from runfiles import Runfiles

_SOCS = ["ascend910b", "ascend910_93", "ascend950"]
_FORWARD = "block_attention_residuals"
_GRAD = "block_attention_residuals_grad"
# How many values each result of a program has.
_COUNTS = {
    (_FORWARD, "full_h_example"): {"hidden_states": 128, "inv_norm": 10, "probs": 10},
    (_FORWARD, "split_h_example"): {"hidden_states": 65536},
    (_GRAD, "full_h_example"): {
        "grad_partial_block": 128,
        "grad_block_res": 512,
        "grad_proj_weight": 64,
        "grad_norm_weight": 64,
    },
    (_GRAD, "split_h_example"): {
        "grad_partial_block": 16384,
        "grad_block_res": 32768,
        "grad_proj_weight": 8192,
        "grad_norm_weight": 8192,
    },
}
# What a program is made of besides its own file and those of aclnn_caller.
_SOURCES = {_FORWARD: ["forward_call", "forward_reference"], _GRAD: ["gradient_call"]}
# In the log, by program: what tiling chose and what the kernel says.
_PATHS = {
    "full_h_example": ("path=FULL_H", "hMode=0, kernel=FULL_H"),
    "split_h_example": ("path=SPLIT_H", "hMode=1, kernel=SPLIT_H"),
}
_every_example = pytest.mark.parametrize("operator, name", _COUNTS)


def _file(path):
    found = Runfiles.Create().Rlocation(path)
    assert found and os.path.exists(found), path
    return found


def _own_file(path):
    return _file("%s/%s" % (os.environ["TEST_WORKSPACE"], path))


def _program(operator, name):
    return _own_file("examples/%s/%s" % (operator, name))


def _run(program, soc, **variables):
    environment = {**os.environ, "ATTNRES_SOC": soc, **variables}
    return subprocess.run([program], env=environment, capture_output=True, text=True, timeout=60, check=False)


def _check(result, operator, name):
    assert result.returncode == 0, result.stdout + result.stderr
    lines = result.stdout.splitlines()[1:]
    assert [line.split() for line in lines] == [
        [output, str(count), "of", str(count), "values", "are", "right"]
        for output, count in _COUNTS[operator, name].items()
    ]


@pytest.mark.parametrize("soc", _SOCS)
@_every_example
def test_every_value_is_right(operator, name, soc):
    _check(_run(_program(operator, name), soc), operator, name)


@_every_example
def test_log_names_the_path(operator, name):
    result = _run(_program(operator, name), "ascend910b", ASCEND_GLOBAL_LOG_LEVEL="0")
    path, kernel = _PATHS[name]
    assert "tiling path: %s arch=arch22" % path in result.stderr
    assert len(re.findall(r"\[kernel\] core 0: op_kernel/\S+\.cpp:\d+: %s\n" % kernel, result.stderr)) == 1


@_every_example
def test_nothing_is_logged_unless_asked_for(operator, name):
    assert _run(_program(operator, name), "ascend910b").stderr == ""


@_every_example
def test_unknown_soc_is_refused(operator, name):
    result = _run(_program(operator, name), "ascend310p")
    assert result.returncode == 1
    assert "ATTNRES_SOC is 'ascend310p': expected one of ascend910b, ascend910_93, ascend950" in result.stdout


@pytest.mark.parametrize("compiler", ["toolchain", "g++"])
@pytest.mark.parametrize("operator", _SOURCES)
def test_builds_without_bazel(operator, compiler, tmp_path):
    if compiler == "toolchain":
        # Target, level and stripping as in the build, so that the C++ library that it made serves here too.
        command = [_file("zig_toolchain/tools/c++"), "-target", platform.machine() + "-linux-gnu.2.28", "-O2", "-Wl,-s"]
    elif shutil.which("g++") is None:
        pytest.skip("no g++ on this machine")
    else:
        command = ["g++"]
    name = "full_h_example"
    examples = os.path.dirname(os.path.dirname(_own_file("examples/aclnn_caller/two_phase_call.h")))
    sources = ["%s/%s/%s.cc" % (examples, operator, stem) for stem in [name, *_SOURCES[operator]]]
    sources += glob.glob(examples + "/aclnn_caller/*.cc")
    header = _own_file("cc/acl/include/acl/acl.h")
    operator_header = _own_file("op_host/%s/op_api/include/aclnnop/aclnn_%s.h" % (operator, operator))
    folders = [os.path.dirname(_own_file(library)) for library in ("cc/acl/libascendcl.so", "op_host/libcust_opapi.so")]
    caller = tmp_path / "caller"
    subprocess.run(
        command
        + ["-std=c++17", "-o", str(caller)]
        + sources
        + ["-I" + os.path.dirname(examples)]
        + ["-I" + os.path.dirname(os.path.dirname(path)) for path in (header, operator_header)]
        + ["-L" + folder for folder in folders]
        + ["-lcust_opapi", "-lascendcl"],
        check=True,
        cwd=tmp_path,
        timeout=240,
    )
    _check(_run(str(caller), "ascend910b", LD_LIBRARY_PATH=":".join(folders)), operator, name)
