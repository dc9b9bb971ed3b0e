"""Everything builds and passes with no network, no compiler of the machine and a poisoned environment.

tools/vendor fills a folder; then a new output base with that folder as its only source builds and tests the whole
workspace inside sealed.sh. What is compiled may come from a disk cache, ATTNRES_DISK_CACHE=FOLDER
(--test_env), to save the time; every repository is fetched from the folder and every test runs.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.build.inner_bazel import InnerBazel, machine_environment, workspace

# Modules that programs of the build import from the wheels.
_MODULES = ["absl", "attnres", "jax", "ml_dtypes", "numpy", "pytest", "rich", "safetensors", "torch"]
_AT_START = ["sitecustomize", "usercustomize"]
_LIBRARIES = [
    "libascendcl.so",
    "libcust_opapi.so",
    "libc++.so.1",
    "libc10.so",
    "libtorch_cpu.so",
    "libtorch_python.so",
]

# A pure Python wheel, for tests that damage its file.
_WHEEL_LABEL = "@pip_six//:pkg"


def _sealed():
    return str(workspace() / "tests/build/sealed.sh")


def _poisoned_environment(folder):
    """Variables whose every folder has modules and libraries that leave a trace and fail; the trace's path."""
    trace = folder / "trace"
    home = folder / "home"
    modules = folder / "modules"
    site = home / ".local/lib/python{}.{}/site-packages".format(*sys.version_info)
    for place in (modules, site):
        place.mkdir(parents=True)
        for name in _MODULES + _AT_START:
            (place / (name + ".py")).write_text(
                "open(%r, 'a').write(__file__ + chr(10))\nraise SystemExit('%s is poisoned')\n" % (str(trace), name)
            )
    libraries = folder / "libraries"
    libraries.mkdir()
    for name in _LIBRARIES:
        (libraries / name).write_text("not a library\n")
    return (
        dict(
            machine_environment(),
            HOME=str(home),
            LD_LIBRARY_PATH=str(libraries),
            PYTHONPATH=str(modules),
            PYTHONUSERBASE=str(home / ".local"),
            # No folder or index of the machine stands in for the network.
            PIP_CONFIG_FILE=os.devnull,
        ),
        trace,
    )


@pytest.fixture(scope="module", name="vendored")
def _fixture_vendored(tmp_path_factory):
    folder = tmp_path_factory.mktemp("vendored") / "repositories"
    command = [workspace() / "tools/vendor/run", "--output=%s" % folder]
    done = subprocess.run(command, env=machine_environment(), capture_output=True, text=True)
    print(done.stdout, done.stderr)
    assert done.returncode == 0
    return folder


@pytest.fixture(name="bazel")
def _fixture_bazel():
    # Not in tmp_path, which lies in an output base: tests of the inner Bazel would name files by paths that are twice
    # as long as usual, and be inside of a workspace where they expect none.
    with tempfile.TemporaryDirectory(prefix="attnres-hermetic-", dir="/tmp") as name:
        folder = Path(os.path.realpath(name))
        environment, trace = _poisoned_environment(folder)
        yield InnerBazel(folder / "checkout", folder / "output_base", environment, prefix=[_sealed()])
        assert not trace.exists(), trace.read_text()


def test_poison_works(tmp_path):
    """An ordinary program falls for every module and library of the poisoned environment."""
    environment, trace = _poisoned_environment(tmp_path)
    for place in (environment["PYTHONPATH"], environment["PYTHONUSERBASE"]):
        assert subprocess.run([sys.executable, "-c", ""], env=environment, stderr=subprocess.DEVNULL).returncode != 0
        assert place in trace.read_text()
        shutil.rmtree(environment["PYTHONPATH"], ignore_errors=True)
    load = "import ctypes, sys; ctypes.CDLL(sys.argv[1])"
    for name in _LIBRARIES:
        done = subprocess.run(
            [sys.executable, "-I", "-c", load, name], env=environment, stderr=subprocess.PIPE, text=True
        )
        assert "%s/%s: " % (environment["LD_LIBRARY_PATH"], name) in done.stderr


def test_whole_workspace_builds_and_passes(bazel, vendored):
    flags = ["--noshow_progress", "--repository_cache=%s" % vendored, "--nocache_test_results"]
    if os.environ.get("ATTNRES_DISK_CACHE"):
        flags += ["--disk_cache=" + os.environ["ATTNRES_DISK_CACHE"], "--noremote_upload_local_results"]
    # Each command is a network and a process tree of its own, with a server of its own.
    said = bazel.run("test", *flags, "--test_summary=short", "//...")
    executed, total, passed = re.search(r"Executed (\d+) out of (\d+) tests: (\d+) tests pass", said).groups()
    skipped = re.search(r"(\d+) (?:was|were) skipped", said)
    assert int(executed) == int(passed) == int(total) - int(skipped[1] if skipped else 0)


def test_fetch_without_the_file_says_what_is_missing(bazel, tmp_path):
    (tmp_path / "empty").mkdir()
    done = bazel.start("fetch", "--repository_cache=%s" % (tmp_path / "empty"), _WHEEL_LABEL)
    assert done.returncode != 0
    assert re.search(r"six==\S+ could not be fetched by pip", done.stdout)


def test_pytorch_can_be_left_out(bazel, tmp_path):
    (tmp_path / "empty").mkdir()
    flags = ["--repository_cache=%s" % (tmp_path / "empty"), "--repo_env=ATTNRES_TORCH_INDEX=none"]
    said = bazel.run("query", *flags, "--output=build", "@pip_torch//:unavailable")
    assert "default = True" in said


def test_damaged_file_is_refused(bazel, vendored, tmp_path):
    pin = (workspace() / "third_party/six/pin.bzl").read_text(encoding="utf-8")
    entry = Path("content_addressable/sha256") / re.search(r"[0-9a-f]{64}", pin)[0] / "file"
    damaged = bytearray((vendored / entry).read_bytes())
    damaged[len(damaged) // 2] ^= 1
    copy = tmp_path / "repositories"
    (copy / entry).parent.mkdir(parents=True)
    for content, code in ((damaged, False), ((vendored / entry).read_bytes(), True)):
        (copy / entry).write_bytes(content)
        done = bazel.start("fetch", "--repository_cache=%s" % copy, _WHEEL_LABEL)
        assert (done.returncode == 0) == code
