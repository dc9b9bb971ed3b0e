"""tools/vendor: what it refuses, and what it writes when Bazel has or has not fetched everything.

//tests/build:hermetic_test runs it with the real Bazel; here a stand-in takes bazelw's place.
"""

import os
import shutil
import stat
import subprocess
import tarfile

import pytest
from runfiles import Runfiles

# Writes one file into the repository cache, and what the rules of PyTorch and buildifier leave behind.
_FETCHES = """#!/bin/sh
[ ! -L bazel-out ] || { echo "//... follows bazel-out" >&2; exit 1; }
output_base=${1#--output_base=}
for argument in "$@"; do
  case $argument in
    --repository_cache=*) cache=${argument#*=} ;;
    shutdown) exit 0 ;;
  esac
done
mkdir -p "$cache/content_addressable/sha256/abc" "$output_base/external/buildifier/unpacked"
echo wheel >"$cache/content_addressable/sha256/abc/file"
"""
_WITHOUT_TORCH = (
    'mkdir -p "$output_base/external/pip_torch/site"; touch "$output_base/external/pip_torch/site/NOT_INSTALLED"'
)
_WITHOUT_NPM = 'rmdir "$output_base/external/buildifier/unpacked"'


@pytest.fixture(name="workspace")
def _workspace(tmp_path):
    """A checkout with tools/vendor, a bazelw that fetches, and a link as Bazel leaves it."""
    program = tmp_path / "checkout" / "tools" / "vendor"
    program.mkdir(parents=True)
    for name in ("run", "vendor.py"):
        found = Runfiles.Create().Rlocation("%s/tools/vendor/%s" % (os.environ["TEST_WORKSPACE"], name))
        shutil.copy(os.path.realpath(found), program / name)
    _set_bazelw(tmp_path / "checkout", _FETCHES)
    (tmp_path / "checkout" / "bazel-out").symlink_to(tmp_path)
    return tmp_path / "checkout"


def _set_bazelw(workspace, script):
    (workspace / "bazelw").write_text(script)
    (workspace / "bazelw").chmod(0o755)


def _run(workspace, *arguments):
    return subprocess.run([workspace / "tools/vendor/run", *arguments], capture_output=True, text=True)


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        ([], "--output is missing"),
        (["--output="], "--output is missing"),
        (["--output=new", "--outputs=x"], "unrecognized arguments: --outputs=x"),
        (["--output=new", "//op_host/..."], "unrecognized arguments: //op_host/..."),
        (["--output=no/such/folder"], "there is no folder {}/no/such"),
        (["--output=full"], "must be an empty folder or a new one; {}/full has files"),
        (["--output=full/file"], "must be new; {}/full/file exists"),
        (["--output=old.tar"], "must be new; {}/old.tar exists"),
        (["--output=folder.tar"], "ends with .tar, but {}/folder.tar is a folder"),
        (["--output=link"], "must be new; {}/link exists"),
    ],
    ids=lambda value: value[-1] if isinstance(value, list) and value else None,
)
def test_wrong_input_is_one_sentence(workspace, tmp_path, monkeypatch, arguments, sentence):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    (tmp_path / "old.tar").touch()
    (tmp_path / "folder.tar").mkdir()
    (tmp_path / "link").symlink_to("nowhere")
    before = sorted(os.listdir(tmp_path))
    done = _run(workspace, *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("tools/vendor: ")
    assert sentence.format(tmp_path) in done.stderr
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize("existing", [False, True], ids=["new", "empty"])
def test_folder_is_the_repository_cache(workspace, tmp_path, existing):
    if existing:
        (tmp_path / "out").mkdir()
    done = _run(workspace, "--output=%s" % (tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out/content_addressable/sha256/abc/file").read_text() == "wheel\n"
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o755
    assert sorted(os.listdir(tmp_path)) == ["checkout", "out"]


def test_archive_holds_the_same_and_nothing_of_its_origin(workspace, tmp_path):
    for name in ("one.tar", "two.tar"):
        assert _run(workspace, "--output=%s" % (tmp_path / name)).returncode == 0
    assert (tmp_path / "one.tar").read_bytes() == (tmp_path / "two.tar").read_bytes()
    with tarfile.open(tmp_path / "one.tar") as archive:
        assert archive.getnames()[-1] == "content_addressable/sha256/abc/file"
        assert {(member.mtime, member.uid, member.uname) for member in archive} == {(0, 0, "")}
    assert sorted(os.listdir(tmp_path)) == ["checkout", "one.tar", "two.tar"]


@pytest.mark.parametrize("name", ["out", "out.tar"])
def test_failed_fetch_leaves_nothing(workspace, tmp_path, name):
    _set_bazelw(workspace, _FETCHES + "echo 'pip: no route to host' >&2\nexit 1\n")
    done = _run(workspace, "--output=%s" % (tmp_path / name))
    assert done.returncode == 1
    assert "pip: no route to host" in done.stderr
    assert "tools/vendor: not everything could be fetched" in done.stderr
    assert os.listdir(tmp_path) == ["checkout"]


@pytest.mark.parametrize(
    "leaves_out, sentence",
    [(_WITHOUT_TORCH, "PyTorch is not in it"), (_WITHOUT_NPM, "buildifier is not in it")],
    ids=["torch", "npm"],
)
def test_says_what_this_machine_could_not_have(workspace, tmp_path, leaves_out, sentence):
    whole = _run(workspace, "--output=%s" % (tmp_path / "whole"))
    assert "is not in it" not in whole.stderr
    _set_bazelw(workspace, _FETCHES + leaves_out + "\n")
    done = _run(workspace, "--output=%s" % (tmp_path / "part"))
    assert done.returncode == 0
    assert sentence in done.stderr
