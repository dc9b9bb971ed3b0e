"""build.sh: what it asks of Bazel, and one sentence with exit code 2 for every wrong command line.

It runs in a copy of the few files that it reads, beside a stand-in for bazelw that writes down how it was called.
"""

import os
import platform
import shutil
import subprocess

import pytest
from runfiles import Runfiles

# An operator without an example among them.
_FILES = [
    "build.sh",
    "examples/block_attention_residuals_grad/full_h_example.cc",
    "op_host/block_attention_residuals/block_attention_residuals_def.cpp",
    "op_host/block_attention_residuals_grad/block_attention_residuals_grad_def.cpp",
]
_BAZELW = """#!/bin/sh
echo "$*" >> calls
case " $*" in *" info "*) echo "$PWD/bin" ;; esac
"""
_GRAD = "block_attention_residuals_grad"


@pytest.fixture(name="project")
def _project(tmp_path):
    for path in _FILES:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(Runfiles.Create().Rlocation("%s/%s" % (os.environ["TEST_WORKSPACE"], path)), tmp_path / path)
    (tmp_path / "bazelw").write_text(_BAZELW)
    (tmp_path / "bazelw").chmod(0o755)
    return tmp_path


def _run(project, *arguments, **variables):
    environment = {"PATH": os.environ["PATH"], **variables}
    command = ["bash", str(project / "build.sh"), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)


def _calls(project):
    calls = project / "calls"
    return calls.read_text().splitlines() if calls.exists() else []


def test_package_is_built_with_what_was_named(project):
    name = "cann-ops-transformer-acme_linux-%s.run" % platform.machine()
    (project / "bin/op_host").mkdir(parents=True)
    (project / "bin/op_host" / name).write_text("the package")
    done = _run(project, "--pkg", "--soc=ascend950,ascend910b", "--ops=" + _GRAD, "--vendor_name=acme", "-j3")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "build_out/%s\n" % name
    assert (project / "build_out" / name).read_text() == "the package"
    assert _calls(project)[0] == (
        "build --//tools/build_defs:socs=ascend950,ascend910b --//tools/build_defs:operators=%s"
        " --//tools/build_defs:vendor_name=acme --jobs=3 //op_host:package" % _GRAD
    )


def test_package_of_everything_needs_no_flag(project):
    (project / "bin/op_host").mkdir(parents=True)
    (project / "bin/op_host" / ("cann-ops-transformer-custom_linux-%s.run" % platform.machine())).write_text("")
    done = _run(project, "--pkg", BAZEL_STARTUP="--output_base=/a")
    assert done.returncode == 0, done.stderr
    assert _calls(project)[0] == "--output_base=/a build //op_host:package"


@pytest.mark.parametrize(
    "arguments, call",
    [
        (["-u"], "test //op_host/..."),
        (
            ["-u", "-j2", "--ops=block_attention_residuals," + _GRAD],
            "test --jobs=2 //op_host/block_attention_residuals/... //op_host/%s/..." % _GRAD,
        ),
    ],
)
def test_unit_tests(project, arguments, call):
    assert _run(project, *arguments).returncode == 0
    assert _calls(project) == [call]


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_names_operators_and_socs(project, flag):
    done = _run(project, flag)
    assert done.returncode == 0
    for word in [
        "--pkg",
        "--run_example",
        "-u",
        "--soc",
        "--ops",
        "--vendor_name",
        "--install-path",
        "-jN",
        _GRAD,
        "ascend910_93",
    ]:
        assert word in done.stdout


_SOCS = "ascend910_93, ascend910b, ascend950"
_EXAMPLE = ["--run_example", _GRAD, "eager", "cust"]


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        ([], "nothing to do; expected --pkg, --run_example, -u or --help"),
        (["--package"], "'--package' is no option"),
        (["pkg"], "'pkg' is no option"),
        (["--pkg", "-u"], "'-u' cannot go with '--pkg'"),
        (["--pkg", "--soc"], "'--soc' is no option"),
        (["--pkg", "--soc="], "--soc is ''; expected names of %s, separated by commas" % _SOCS),
        (["--pkg", "--soc=ascend950,"], "--soc is 'ascend950,'; expected names of"),
        (["--pkg", "--soc=ascend310p"], "--soc has 'ascend310p'; expected one of " + _SOCS),
        (["--pkg", "--ops=add"], "--ops has 'add'; expected one of block_attention_residuals, " + _GRAD),
        (["--pkg", "--vendor_name="], "--vendor_name is ''; expected letters"),
        (["--pkg", "--vendor_name=a/b"], "--vendor_name is 'a/b'; expected letters"),
        (["--pkg", "-j"], "-j is followed by ''; expected a number"),
        (["--pkg", "-j0"], "-j is followed by '0'; expected a number"),
        (["--pkg", "--install-path=/a"], "--install-path cannot go with --pkg"),
        (["-u", "--soc=ascend950"], "--soc cannot go with -u"),
        (["-u", "--vendor_name=a"], "--vendor_name cannot go with -u"),
        (["--run_example", _GRAD], "--run_example needs three words: OPERATOR eager cust"),
        (["--run_example", "add", "eager", "cust"], "--run_example has 'add'; expected one of"),
        (["--run_example", "block_attention_residuals", "eager", "cust"], "which has no example in examples/"),
        (["--run_example", _GRAD, "graph", "cust"], "the mode of --run_example is 'graph'; expected eager"),
        (["--run_example", _GRAD, "eager", "builtin"], "the package mode of --run_example is 'builtin'; expected cust"),
        ([*_EXAMPLE, "--soc=ascend950,ascend910b"], "an example runs on one"),
        ([*_EXAMPLE, "--ops=" + _GRAD], "--ops cannot go with --run_example"),
        ([*_EXAMPLE, "--install-path="], "--install-path names no folder"),
        (
            [*_EXAMPLE, "--install-path=/nowhere"],
            "--install-path is '/nowhere', where vendor 'custom' is not installed",
        ),
    ],
    ids=lambda value: " ".join(value) or "none" if isinstance(value, list) else "",
)
def test_wrong_command_lines_get_one_sentence(project, arguments, sentence):
    done = _run(project, *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("build.sh: ")
    assert sentence in done.stderr
    assert _calls(project) == []


def test_a_missing_compiler_is_named(project):
    done = _run(project, *_EXAMPLE, CXX="no-such-compiler")
    assert done.returncode == 1
    assert "the compiler 'no-such-compiler' is not on PATH; install g++ or set CXX" in done.stderr


def test_a_failed_build_of_the_package_is_the_end(project):
    (project / "bazelw").write_text("#!/bin/sh\nexit 3\n")
    done = _run(project, *_EXAMPLE, CXX="true")
    assert done.returncode == 3
    assert "making a package and installing it for this run alone" in done.stderr
