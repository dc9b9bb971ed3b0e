"""build.sh and the package that it makes, as a user calls them, with plain g++.

`./bazelw run //tests/package:commands_test`: the commands need Bazel, which a test must not call.
"""

import os
import pathlib
import platform
import re
import subprocess
import tempfile

import pytest

# How many values the results of an operator's examples have, and their sources.
_COUNTS = {
    "block_attention_residuals": ["128", "10", "10", "65536"],
    "block_attention_residuals_grad": ["128", "512", "64", "64", "16384", "32768", "8192", "8192"],
}
_SOURCES = {
    "block_attention_residuals": ["forward_call.cc", "forward_reference.cc"],
    "block_attention_residuals_grad": ["gradient_call.cc"],
}
_SOC = "ascend950"
_VENDOR = "acme"
_WORKSPACE = os.environ["BUILD_WORKSPACE_DIRECTORY"]


def _run(*command, cwd=_WORKSPACE, **variables):
    # Bazel would take TEST_TMPDIR for where to build all anew.
    environment = {**{name: os.environ[name] for name in os.environ if name != "TEST_TMPDIR"}, **variables}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=600)


def _done(*command, **variables):
    done = _run(*command, **variables)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _run_example(operator):
    return ["bash", "build.sh", "--run_example", operator, "eager", "cust", "--vendor_name=" + _VENDOR]


def _run_on_soc(operator):
    return [*_run_example(operator), "--soc=" + _SOC]


@pytest.fixture(name="operator", scope="module", params=_COUNTS)
def _operator(request):
    return request.param


@pytest.fixture(name="package", scope="module")
def _package(operator):
    """A package of one operator for one SoC."""
    flags = ["--soc=" + _SOC, "--ops=" + operator, "--vendor_name=" + _VENDOR, "-j2"]
    path = _done("bash", "build.sh", "--pkg", *flags).splitlines()[-1]
    assert path == "build_out/cann-ops-transformer-%s_linux-%s.run" % (_VENDOR, platform.machine())
    yield os.path.join(_WORKSPACE, path)
    os.remove(os.path.join(_WORKSPACE, path))


@pytest.fixture(name="folder")
def _folder():
    """A temporary folder; pytest's own is one that Bazel empties."""
    with tempfile.TemporaryDirectory() as folder:
        yield pathlib.Path(folder)


@pytest.fixture(name="prefix")
def _prefix(package, folder):
    """An empty folder with the package installed; empty again afterwards."""
    prefix = folder / "opp"
    prefix.mkdir()
    _done(package, "--install-path=%s" % prefix)
    yield prefix
    _done(package, "--uninstall", "--install-path=%s" % prefix)
    assert os.listdir(prefix) == []


def _right_values(output):
    return re.findall(r"(\d+) of \1 values are right$", output, re.MULTILINE)


def test_holds_what_was_named(package, operator):
    listed = _done(package, "--list")
    assert re.findall(r"/aclnnop/(.*)", listed) == ["aclnn_%s.h" % operator]
    assert "/config/%s/aic-%s-ops-info.json" % (_SOC, _SOC) in listed
    assert "ascend910b" not in listed
    kernels = [line.split("/tbe/kernel/")[1] for line in listed.splitlines() if "/tbe/kernel/" in line]
    assert kernels == ["%s/%s/lib%s_arch35.so" % (_SOC, operator, operator)]


def test_examples_are_right_by_the_command(prefix, operator):
    command = _run_on_soc(operator)
    assert _right_values(_done(*command, "--install-path=%s" % prefix)) == _COUNTS[operator]
    assert _right_values(_done(*command, ASCEND_OPP_PATH=str(prefix))) == _COUNTS[operator]
    custom = "%s/vendors/%s_transformer" % (prefix, _VENDOR)
    assert _right_values(_done(*command, ASCEND_CUSTOM_OPP_PATH="/other:" + custom)) == _COUNTS[operator]


def test_examples_are_right_with_plain_gxx(prefix, operator, folder):
    api = "%s/vendors/%s_transformer/op_api" % (prefix, _VENDOR)
    examples = pathlib.Path(_WORKSPACE, "examples")
    values = []
    for name in ["full_h_example", "split_h_example"]:
        sources = [examples / operator / source for source in (name + ".cc", *_SOURCES[operator])]
        sources += (examples / "aclnn_caller").glob("*.cc")
        flags = ["-I" + _WORKSPACE, "-I%s/include" % api, "-L%s/lib" % api, "-lcust_opapi", "-lascendcl"]
        _done("g++", "-std=c++17", "-o", str(folder / name), *map(str, sources), *flags)
        variables = {"LD_LIBRARY_PATH": api + "/lib", "ATTNRES_SOC": _SOC}
        values += _right_values(_done(str(folder / name), **variables))
    assert values == _COUNTS[operator]


def test_kernels_of_other_socs_are_not_there(prefix, operator):
    done = _run(*_run_example(operator), "--soc=ascend910b", "--install-path=%s" % prefix)
    assert done.returncode == 1
    assert "561003" in done.stdout


def test_example_without_an_installation_makes_one(operator):
    done = _run(*_run_on_soc(operator))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "is not installed; making a package and installing it for this run alone" in done.stderr
    assert _right_values(done.stdout) == _COUNTS[operator]


@pytest.mark.parametrize("place", [0.001, 0.3, 0.6, 0.9999])
def test_a_damaged_package_is_refused(package, folder, place):
    with open(package, "rb") as file:
        content = bytearray(file.read())
    content[int(place * (len(content) - 1))] ^= 4
    damaged = folder / "damaged.run"
    damaged.write_bytes(content)
    done = _run("sh", str(damaged), "--install-path=%s/opp" % folder)
    assert done.returncode == 3
    assert "damaged.run is damaged: its sha256 is" in done.stderr
    assert not (folder / "opp").exists()
