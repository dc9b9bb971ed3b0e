"""The examples give every value that they promise, take the path that they name, and build without Bazel.

The plain build uses the include and library flags of the README with the toolchain's compiler, and
with the machine's g++ where there is one.
"""

import os
import platform
import re
import shutil
import subprocess

import pytest
from runfiles import Runfiles

_HERE = "examples/block_attention_residuals_grad"
_SOCS = ["ascend910b", "ascend910_93"]
# Values of grad_partial_block, grad_block_res, grad_proj_weight, grad_norm_weight; path and kernel in the log.
_EXAMPLES = {
    "full_h_example": ([128, 512, 64, 64], "path=FULL_H", "hMode=0, kernel=FULL_H"),
    "split_h_example": ([16384, 32768, 8192, 8192], "path=SPLIT_H", "hMode=1, kernel=SPLIT_H"),
}


def _file(path):
    found = Runfiles.Create().Rlocation(path)
    assert found and os.path.exists(found), path
    return found


def _own_file(path):
    return _file("%s/%s" % (os.environ["TEST_WORKSPACE"], path))


def _run(program, soc, **variables):
    environment = {**os.environ, "ATTNRES_SOC": soc, **variables}
    return subprocess.run([program], env=environment, capture_output=True, text=True, timeout=60, check=False)


def _check(result, name):
    assert result.returncode == 0, result.stdout + result.stderr
    lines = result.stdout.splitlines()[1:]
    assert [line.split()[1:] for line in lines] == [
        [str(count), "of", str(count), "values", "are", "right"] for count in _EXAMPLES[name][0]
    ]


@pytest.mark.parametrize("soc", _SOCS)
@pytest.mark.parametrize("name", _EXAMPLES)
def test_every_value_is_right(name, soc):
    _check(_run(_own_file("%s/%s" % (_HERE, name)), soc), name)


@pytest.mark.parametrize("name", _EXAMPLES)
def test_log_names_the_path(name):
    result = _run(_own_file("%s/%s" % (_HERE, name)), "ascend910b", ASCEND_GLOBAL_LOG_LEVEL="0")
    _, path, kernel = _EXAMPLES[name]
    assert "tiling path: %s arch=arch22" % path in result.stderr
    assert len(re.findall(r"\[kernel\] core 0: op_kernel/\S+\.cpp:\d+: %s\n" % kernel, result.stderr)) == 1


def test_nothing_is_logged_unless_asked_for():
    assert _run(_own_file(_HERE + "/full_h_example"), "ascend910b").stderr == ""


def test_unknown_soc_is_refused():
    result = _run(_own_file(_HERE + "/full_h_example"), "ascend310p")
    assert result.returncode == 1
    assert "ATTNRES_SOC is 'ascend310p': expected one of ascend910b, ascend910_93, ascend950" in result.stdout


@pytest.mark.parametrize("compiler", ["toolchain", "g++"])
def test_builds_without_bazel(compiler, tmp_path):
    if compiler == "toolchain":
        # Target, level and stripping as in the build, so that the C++ library that it made serves here too.
        command = [_file("zig_toolchain/tools/c++"), "-target", platform.machine() + "-linux-gnu.2.28", "-O2", "-Wl,-s"]
    elif shutil.which("g++") is None:
        pytest.skip("no g++ on this machine")
    else:
        command = ["g++"]
    header = _own_file("cc/acl/include/acl/acl.h")
    operator_header = _own_file(
        "op_host/block_attention_residuals_grad/op_api/include/aclnnop/aclnn_block_attention_residuals_grad.h"
    )
    folders = [os.path.dirname(_own_file(library)) for library in ("cc/acl/libascendcl.so", "op_host/libcust_opapi.so")]
    caller = tmp_path / "caller"
    subprocess.run(
        command
        + ["-std=c++17", "-o", str(caller)]
        + [_own_file("%s/%s" % (_HERE, source)) for source in ("full_h_example.cc", "gradient_call.cc")]
        + ["-I" + os.path.dirname(os.path.dirname(path)) for path in (header, operator_header)]
        + ["-L" + folder for folder in folders]
        + ["-lcust_opapi", "-lascendcl"],
        check=True,
        cwd=tmp_path,
        timeout=240,
    )
    _check(_run(str(caller), "ascend910b", LD_LIBRARY_PATH=":".join(folders)), "full_h_example")
