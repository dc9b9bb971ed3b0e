"""Python programs see their runfiles alone: no package, path or variable of the machine.

Runs the sample report_origins with poisoned variables, from another folder, and with no runfiles
tree but a manifest.
"""

import json
import os
import subprocess
import sys

import pytest
from runfiles import Runfiles

_SAMPLE = "tools/build_defs/testing/report_origins"


def _run(environment, program=None, cwd=None):
    program = program or Runfiles.Create().Rlocation("%s/%s" % (os.environ["TEST_WORKSPACE"], _SAMPLE))
    done = subprocess.run(
        [program, "one", "two words"],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _runfiles_environment():
    return {"PATH": os.environ["PATH"], "RUNFILES_DIR": os.environ["RUNFILES_DIR"]}


def _site(repository):
    """The folder of a wheel among the runfiles; with bzlmod it is not named after the repository."""
    return Runfiles.Create().Rlocation(repository + "/site")


@pytest.fixture(name="poison")
def _poison(tmp_path):
    for name in ("json", "numpy", "absl", "sitecustomize", "usercustomize", "runpy"):
        (tmp_path / (name + ".py")).write_text("raise SystemExit('poisoned by %s')" % name)
    return str(tmp_path)


def _assert_from_runfiles(report):
    assert report["numpy"].startswith(_site("pip_numpy") + "/")
    assert report["absl"].startswith(_site("pip_absl_py") + "/")
    assert report["declared"] == "the declared file\n"
    assert report["arguments"] == ["one", "two words"]
    assert not [path for path in report["path"] if "site-packages" in path or "dist-packages" in path]
    assert not report["site"]


def test_modules_come_from_runfiles():
    _assert_from_runfiles(_run(_runfiles_environment()))


@pytest.mark.parametrize("variable", ["PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "PYTHONSTARTUP", "HOME"])
def test_poisoned_variable_changes_nothing(poison, variable):
    clean = _run(_runfiles_environment())
    assert _run(dict(_runfiles_environment(), **{variable: poison})) == clean


def test_poisoned_working_directory_changes_nothing(poison):
    clean = _run(_runfiles_environment())
    assert _run(_runfiles_environment(), cwd=poison) == clean


def test_this_test_is_isolated_itself():
    assert sys.flags.isolated and sys.flags.no_site
    assert not [path for path in sys.path if "site-packages" in path or "dist-packages" in path]


def test_runs_from_a_manifest_alone(tmp_path):
    """No runfiles tree: files are found through the manifest, a decoy beside the program never."""
    root = os.environ["RUNFILES_DIR"]
    launcher = tmp_path / "report_origins"
    launcher.write_bytes(open(os.path.join(root, os.environ["TEST_WORKSPACE"], _SAMPLE), "rb").read())
    launcher.chmod(0o755)
    decoy = tmp_path / "attnres/tools/build_defs/testing/declared.txt"
    decoy.parent.mkdir(parents=True)
    decoy.write_text("the decoy")
    manifest = tmp_path / "report_origins.runfiles_manifest"
    with open(manifest, "w", encoding="utf-8") as lines:
        for name in sorted(_files_of_sample(root)):
            lines.write("%s %s\n" % (name, os.path.realpath(os.path.join(root, name))))
    report = _run({"PATH": os.environ["PATH"]}, program=str(launcher), cwd=str(tmp_path))
    assert report["declared"] == "the declared file\n"
    assert "/%s/" % os.path.relpath(_site("pip_numpy"), root) in report["numpy"]


def _files_of_sample(root):
    """What Bazel lists for the sample: sources, a wheel as one folder, and with bzlmod the repositories' names."""
    workspace = os.environ["TEST_WORKSPACE"]
    for repository in ("pip_absl_py", "pip_bazel_runfiles", "pip_numpy"):
        yield os.path.relpath(_site(repository), root)
    if os.path.exists(os.path.join(root, "_repo_mapping")):
        yield "_repo_mapping"
    for name in (
        _SAMPLE + ".py",
        "tools/build_defs/py_bootstrap.py",
        "tools/build_defs/testing/declared.txt",
    ):
        assert os.path.exists(os.path.join(root, workspace, name))
        yield workspace + "/" + name


def test_says_when_there_are_no_runfiles(tmp_path):
    launcher = tmp_path / "report_origins"
    launcher.write_bytes(
        open(os.path.join(os.environ["RUNFILES_DIR"], os.environ["TEST_WORKSPACE"], _SAMPLE), "rb").read()
    )
    launcher.chmod(0o755)
    done = subprocess.run([str(launcher)], env={"PATH": os.environ["PATH"]}, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert "no runfiles tree and no runfiles manifest" in done.stderr
