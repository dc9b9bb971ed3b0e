"""bazelw: runs the Bazel that is there, installs one otherwise, and says what it does first.

Each case gives it a PATH of stand-ins for bazel, apt-get, sudo and id that write down how they were called.
"""

import os
import shutil
import subprocess

import pytest
from runfiles import Runfiles

_TOOLS = ["cat", "dirname", "env", "mktemp", "readlink", "rm", "sh"]


@pytest.fixture(name="machine")
def _machine(tmp_path):
    """A folder for PATH with the few programs that bazelw may take for granted."""
    for tool in _TOOLS:
        (tmp_path / tool).symlink_to(shutil.which(tool))
    _stand_in(tmp_path, "id", "echo 0")
    return tmp_path


def _stand_in(folder, name, script):
    program = folder / name
    program.write_text('#!/bin/sh\necho "%s $*" >> "%s/calls"\n%s\n' % (name, folder, script))
    program.chmod(0o755)


def _run(machine, *arguments, cwd=None, **variables):
    bazelw = Runfiles.Create().Rlocation("%s/bazelw" % os.environ["TEST_WORKSPACE"])
    done = subprocess.run(
        [str(machine / "sh"), bazelw, *arguments],
        env=dict(variables, PATH=str(machine)),
        cwd=cwd,
        capture_output=True,
        text=True,
    )
    calls = machine / "calls"
    return done, [line for line in calls.read_text().splitlines() if line[:3] != "id "] if calls.exists() else []


def _apt_that_installs_bazel(machine, before=""):
    bazel = machine / "bazel"
    script = "%s\ncase \"$*\" in *install*) printf '#!/bin/sh\\necho built $*\\n' > %s; chmod +x %s ;; esac"
    (machine / "chmod").symlink_to(shutil.which("chmod"))
    _stand_in(machine, "apt-get", script % (before, bazel, bazel))


def test_present_bazel_only_runs(machine):
    _stand_in(machine, "bazel", "echo built")
    _stand_in(machine, "apt-get", "exit 1")
    done, calls = _run(machine, "test", "//...", "--flag=two words")
    assert done.returncode == 0
    assert calls == ["bazel test //... --flag=two words"]
    assert done.stderr == ""


@pytest.mark.parametrize("file", ["WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel"])
def test_the_workspace_is_that_of_the_caller(machine, tmp_path_factory, file):
    _stand_in(machine, "bazel", "pwd")
    outside = tmp_path_factory.mktemp("outside")
    folder = outside / "deep" / "er"
    folder.mkdir(parents=True)
    (outside / file).touch()
    assert _run(machine, "info", cwd=folder)[0].stdout == f"{folder}\n"
    assert _run(machine, "info", cwd=outside)[0].stdout == f"{outside}\n"


def test_outside_of_any_workspace_it_is_that_of_bazelw(machine, tmp_path_factory):
    _stand_in(machine, "bazel", "pwd")
    bazelw = os.path.realpath(Runfiles.Create().Rlocation("%s/bazelw" % os.environ["TEST_WORKSPACE"]))
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    assert _run(machine, "info", cwd=elsewhere)[0].stdout == f"{os.path.dirname(bazelw)}\n"


@pytest.mark.parametrize("has_tools", [True, False], ids=["with tools/bazel", "without tools/bazel"])
def test_a_bazel_that_is_no_wrapper_runs_through_tools_bazel(machine, tmp_path_factory, has_tools):
    (machine / "bazel").symlink_to(shutil.which("true"))
    outside = tmp_path_factory.mktemp("outside")
    (outside / "WORKSPACE").touch()
    if has_tools:
        (outside / "tools").mkdir()
        tool = outside / "tools" / "bazel"
        tool.write_text('#!/bin/sh\necho "$BAZEL_REAL $*"\n')
        tool.chmod(0o755)
    done, _ = _run(machine, "test", "//...", cwd=outside)
    assert done.returncode == 0
    assert done.stdout == (f"{machine / 'bazel'} test //...\n" if has_tools else "")


def test_installs_after_saying_so(machine):
    _apt_that_installs_bazel(machine)
    done, calls = _run(machine, "build", "//:x")
    assert done.returncode == 0
    assert done.stdout == "built build //:x\n"
    assert "installing with apt-get: bazel-bootstrap python3 python3-dev python3-pip qemu-user gdb" in done.stderr
    assert calls == [
        "apt-get install -y --no-install-recommends bazel-bootstrap python3 python3-dev python3-pip qemu-user gdb"
    ]


def test_stale_lists_are_updated(machine):
    _apt_that_installs_bazel(
        machine,
        'case "$*" in update) : > "%s/fresh"; exit 0 ;; esac; ' % machine + '[ -e "%s/fresh" ] || exit 100' % machine,
    )
    done, calls = _run(machine, "version")
    assert done.returncode == 0
    assert [call.split()[1] for call in calls] == ["install", "update", "install"]


def test_installation_can_be_forbidden(machine):
    _stand_in(machine, "apt-get", "exit 0")
    done, calls = _run(machine, "test", BAZELW_INSTALL="0")
    assert done.returncode == 1
    assert "BAZELW_INSTALL=0" in done.stderr
    assert calls == []


def test_user_without_sudo_is_told_the_command(machine):
    _stand_in(machine, "id", "echo 1000")
    _stand_in(machine, "apt-get", "exit 0")
    done, calls = _run(machine, "test")
    assert done.returncode == 1
    assert "as root run: apt-get install bazel-bootstrap" in done.stderr
    assert calls == []


def test_user_with_sudo_installs_through_it(machine):
    _stand_in(machine, "id", "echo 1000")
    _stand_in(machine, "sudo", 'exec "$@"')
    _apt_that_installs_bazel(machine)
    done, calls = _run(machine, "test")
    assert done.returncode == 0
    assert calls[0].startswith("sudo env DEBIAN_FRONTEND=noninteractive apt-get install")


def test_other_systems_are_told_what_to_install(machine):
    done, _ = _run(machine, "test")
    assert done.returncode == 1
    assert "CPython 3.10" in done.stderr


def test_failed_installation_shows_the_log(machine):
    _stand_in(machine, "apt-get", "echo no such package; exit 100")
    done, _ = _run(machine, "test")
    assert done.returncode == 1
    assert "no such package" in done.stderr
    assert "could not install: bazel-bootstrap" in done.stderr
