"""The operators' own package: what it holds, and programs that are built against an installation of it.

tools/package/make_package_test.py has the rules of installing; .ci/run does the same with build.sh and plain g++.
"""

import json
import os
import platform
import re
import subprocess
import sys

import pytest
from runfiles import Runfiles

_GRAD = "block_attention_residuals_grad"
_OPERATORS = {"block_attention_residuals": "BlockAttentionResiduals", _GRAD: "BlockAttentionResidualsGrad"}
# How many values the results of each example have.
_EXAMPLES = {
    "block_attention_residuals": {"full_h_example": [128, 10, 10], "split_h_example": [65536]},
    _GRAD: {"full_h_example": [128, 512, 64, 64], "split_h_example": [16384, 32768, 8192, 8192]},
}
_ENTRIES = {"ascend910b": "", "ascend910_93": "", "ascend950": "_apt"}
_DEVICES = {"ascend910b": "Ascend910B1", "ascend910_93": "Ascend910_9391", "ascend950": "Ascend950PR_9589"}
_TBE = "op_impl/ai_core/tbe/"


def _file(path):
    return Runfiles.Create().Rlocation("%s/%s" % (os.environ["TEST_WORKSPACE"], path))


def _run_package(*arguments):
    package = _file("op_host/cann-ops-transformer-custom_linux-%s.run" % platform.machine())
    return subprocess.run([package, *arguments], capture_output=True, text=True, check=True, timeout=60).stdout


@pytest.fixture(name="prefix", scope="module")
def _prefix(tmp_path_factory):
    """Where the package is installed while tests run; afterwards nothing is left there."""
    prefix = tmp_path_factory.mktemp("opp")
    _run_package("--install-path=%s" % prefix)
    yield prefix
    _run_package("--uninstall", "--install-path=%s" % prefix)
    assert os.listdir(prefix) == []


@pytest.fixture(name="vendor")
def _vendor(prefix):
    return prefix / "vendors/custom_transformer"


def test_holds_libraries_headers_kernels_and_operator_info(vendor):
    listed = {line.split("/", 2)[2] for line in _run_package("--list").splitlines()}
    assert {"op_api/lib/libcust_opapi.so", "op_api/lib/libascendcl.so", "op_api/include/acl/acl.h"} < listed
    for operator in _OPERATORS:
        assert "op_api/include/aclnnop/aclnn_%s.h" % operator in listed
        for entry in ["", "_apt"]:
            assert "%scustom_transformer_impl/ascendc/%s/%s%s.cpp" % (_TBE, operator, operator, entry) in listed
    assert (vendor / "version.info").read_text().startswith("version=")
    for soc in _ENTRIES:
        assert "%sconfig/%s/aic-%s-ops-info.json" % (_TBE, soc, soc) in listed
    installed = {str(path.relative_to(vendor)) for path in vendor.rglob("*") if path.is_file()}
    assert installed - listed == {"scripts/first_new_folder"}
    assert listed - installed == set()


@pytest.mark.parametrize("soc", _ENTRIES)
def test_operator_info_is_what_the_definitions_say(vendor, soc):
    info = json.loads((vendor / _TBE / "config" / soc / ("aic-%s-ops-info.json" % soc)).read_text())
    assert sorted(info) == sorted(_OPERATORS.values())
    grad = info["BlockAttentionResidualsGrad"]
    assert grad["opFile"] == {"value": _GRAD + _ENTRIES[soc]}
    assert [grad["input%d" % index]["name"] for index in range(7)] == (
        "partial_block block_res proj_weight norm_weight grad_hidden_states inv_norm probs".split()
    )
    assert grad["input0"] == {
        "name": "partial_block",
        "paramType": "required",
        "dtype": "float16,bfloat16,float32",
        "format": "ND,ND,ND",
        "unknownshape_format": "ND,ND,ND",
        "shape": "all",
    }
    assert grad["input6"]["dtype"] == "float32,float32,float32"
    assert grad["output3"]["name"] == "grad_norm_weight"
    assert grad["attr"] == {"list": "valid_block_num"}
    assert grad["attr_valid_block_num"] == {
        "type": "int",
        "value": "all",
        "paramType": "optional",
        "defaultValue": "-1",
    }
    assert grad["dynamicShapeSupport"] == {"flag": "true"}


def test_kernels_are_loaded_from_their_folders(vendor):
    libraries = {}
    for soc, arch in [("ascend910b", "arch22"), ("ascend910_93", "arch22"), ("ascend950", "arch35")]:
        for operator in _OPERATORS:
            path = vendor / _TBE / "kernel" / soc / operator / ("lib%s_%s.so" % (operator, arch))
            assert path.exists()
            libraries.setdefault(path.name, []).append(str(path))
    program = "import ctypes, sys; ctypes.CDLL(sys.argv[1]); print(open('/proc/self/maps').read())"
    command = [sys.executable, "-c", program, str(vendor / "op_api/lib/libcust_opapi.so")]
    loaded = set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
    # Two SoCs have the same architecture: its library is loaded once.
    assert [len(loaded.intersection(paths)) for paths in libraries.values()] == [1] * 4


def test_kernel_sources_include_nothing_that_is_not_there(vendor):
    sources = vendor / _TBE / "custom_transformer_impl/ascendc"
    for path in sources.rglob("*"):
        if path.is_file():
            for include in re.findall(r'#include "([^"]+)"', path.read_text()):
                places = [path.parent / include, *(sources / operator / include for operator in _OPERATORS)]
                public = include in ("kernel_operator.h", "ascendc/host_api/tiling/template_argument.h")
                assert public or any(place.exists() for place in places), (path, include)


@pytest.mark.parametrize("soc", _ENTRIES)
@pytest.mark.parametrize("operator", _EXAMPLES)
def test_examples_build_against_the_installation_and_are_right(prefix, operator, soc, tmp_path):
    zig = Runfiles.Create().Rlocation("zig_toolchain/tools/c++")
    # Target and level as in the build, so that the C++ library that it made serves here too.
    compiler = "%s -target %s-linux-gnu.2.28 -O2 -Wl,-s" % (zig, platform.machine())
    command = ["bash", _file("build.sh"), "--run_example", operator, "eager", "cust"]
    done = subprocess.run(
        [*command, "--soc=" + soc, "--vendor_name=custom", "--install-path=%s" % prefix],
        env={"PATH": os.environ["PATH"], "CXX": compiler, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.findall(r"^== (\w+),|(\d+) of \2 values are right$", done.stdout, re.MULTILINE) == [
        line
        for name, counts in _EXAMPLES[operator].items()
        for line in [(name, ""), *(("", str(count)) for count in counts)]
    ]
    assert done.stdout.count(_DEVICES[soc] + ", T=2") == 2


def test_set_env_makes_the_installation_known(vendor):
    command = 'source "$1"; echo "$ASCEND_CUSTOM_OPP_PATH $LD_LIBRARY_PATH"'
    script = str(vendor / "bin/set_env.bash")
    environment = {"PATH": os.environ["PATH"], "ASCEND_CUSTOM_OPP_PATH": "/other"}
    done = subprocess.run(
        ["bash", "-c", command, "bash", script], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "%s:/other %s/op_api/lib\n" % (vendor, vendor)
