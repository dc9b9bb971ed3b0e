"""A package installs, lists, checks and removes what it was made of, and a damaged one does nothing.

Packages of a few small files; //tests/package has the operators' own.
"""

import json
import os
import random
import subprocess

import pytest

from tools.package import make_package

_CONTENTS = {
    "bin/set_env.bash": b"export A=1\n",
    "op_api/lib/libcust_opapi.so": bytes(range(256)) * 40,
    "op_api/include/aclnnop/aclnn_scale.h": b"int Scale();\n",
}
_FOLDER = "vendors/acme_transformer"


def _write(path, vendor="acme", contents=None):
    path.write_bytes(make_package.make_package(vendor, contents or _CONTENTS))
    path.chmod(0o755)
    return path


@pytest.fixture(name="package")
def _package(tmp_path):
    return _write(tmp_path / "acme.run")


def _run(package, *arguments, **variables):
    environment = {"PATH": os.environ["PATH"], **variables}
    command = ["sh", str(package), *arguments]
    pipes = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "errors": "replace"}
    return subprocess.run(command, env=environment, timeout=60, **pipes)


def _tree(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def _files(folder):
    return {path: (folder / path).read_bytes() for path in _tree(folder) if (folder / path).is_file()}


def test_equal_contents_give_equal_bytes(tmp_path):
    reordered = dict(reversed(list(_CONTENTS.items())))
    assert make_package.make_package("acme", _CONTENTS) == make_package.make_package("acme", reordered)


def test_installs_every_file(package, tmp_path):
    prefix = tmp_path / "opp"
    done = _run(package, "--install-path=%s" % prefix)
    assert (done.returncode, done.stderr) == (0, "")
    assert "source %s/%s/bin/set_env.bash" % (prefix, _FOLDER) in done.stdout
    installed = _files(prefix / _FOLDER)
    assert {path: installed[path] for path in _CONTENTS} == _CONTENTS
    assert set(installed) - set(_CONTENTS) == {"scripts/files.txt", "scripts/first_new_folder"}
    assert (prefix / "vendors/config.ini").read_text() == "load_priority=acme_transformer\n"
    assert os.access(prefix / _FOLDER / "op_api/lib/libcust_opapi.so", os.X_OK)


@pytest.mark.parametrize("existing", ["", "a", "a/b", "a/b/vendors"])
def test_uninstalls_without_a_trace(package, tmp_path, existing):
    (tmp_path / "root" / existing).mkdir(parents=True)
    before = _tree(tmp_path)
    prefix = tmp_path / "root/a/b"
    assert _run(package, "--install-path=%s" % prefix).returncode == 0
    assert _run(package, "--install-path=%s" % prefix).returncode == 0
    done = _run(package, "--uninstall", "--install-path=%s" % prefix)
    assert (done.returncode, done.stderr) == (0, "")
    assert _tree(tmp_path) == before


def test_installs_below_the_folder_of_the_call(package, tmp_path):
    command = ["sh", str(package), "--install-path=opp", "--quiet"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
    assert (tmp_path / "opp" / _FOLDER / "bin/set_env.bash").exists()


@pytest.mark.parametrize(
    "variables, place", [({"ASCEND_OPP_PATH": "opp"}, "opp"), ({"ASCEND_HOME_PATH": "cann"}, "cann/opp")]
)
def test_default_path_is_the_toolkits(package, tmp_path, variables, place):
    paths = {name: str(tmp_path / value) for name, value in variables.items()}
    assert _run(package, **paths).returncode == 0
    assert (tmp_path / place / _FOLDER).is_dir()


def test_vendors_lie_beside_each_other(package, tmp_path):
    other = _write(tmp_path / "other.run", vendor="other")
    prefix = tmp_path / "opp"
    prefix_flag = "--install-path=%s" % prefix
    config = prefix / "vendors/config.ini"
    _run(package, prefix_flag)
    with config.open("a") as file:
        file.write("kept=1\n")
    _run(other, prefix_flag)
    assert config.read_text() == "load_priority=other_transformer,acme_transformer\nkept=1\n"
    _run(package, "--uninstall", prefix_flag)
    assert config.read_text() == "load_priority=other_transformer\nkept=1\n"
    assert not (prefix / _FOLDER).exists()
    _run(other, "--uninstall", prefix_flag)
    assert _files(prefix) == {"vendors/config.ini": b"kept=1\n"}


def test_replaces_an_earlier_installation(package, tmp_path):
    prefix_flag = "--install-path=%s" % (tmp_path / "opp")
    _run(package, prefix_flag)
    assert _run(_write(tmp_path / "next.run", contents={"version.info": b"2"}), prefix_flag).returncode == 0
    assert set(_files(tmp_path / "opp" / _FOLDER)) == {"scripts/files.txt", "scripts/first_new_folder", "version.info"}


def test_files_of_others_stay(package, tmp_path):
    prefix = tmp_path / "opp"
    _run(package, "--install-path=%s" % prefix)
    (prefix / _FOLDER / "op_api/notes.txt").write_text("mine")
    done = _run(package, "--uninstall", "--install-path=%s" % prefix)
    assert done.returncode == 1
    assert "that no package installed" in done.stderr
    assert _files(prefix) == {_FOLDER + "/op_api/notes.txt": b"mine"}
    done = _run(package, "--install-path=%s" % prefix)
    assert done.returncode == 1
    assert "exists, and no such package installed it" in done.stderr
    assert _files(prefix) == {_FOLDER + "/op_api/notes.txt": b"mine"}


def test_lists_what_it_installs(package):
    done = _run(package, "--list")
    assert done.returncode == 0
    assert done.stdout.splitlines() == ["%s/%s" % (_FOLDER, path) for path in sorted([*_CONTENTS, "scripts/files.txt"])]


def test_check_names_the_digest(package):
    done = _run(package, "--check")
    assert done.returncode == 0
    assert done.stdout.startswith("acme.run is whole: sha256 ")


def test_help_names_every_option(package):
    done = _run(package, "--help")
    assert done.returncode == 0
    for option in ["--install-path", "--uninstall", "--list", "--check", "--quiet", "--help"]:
        assert option in done.stdout


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["--instal-path=/a"], "'--instal-path=/a' is no option"),
        (["somewhere"], "'somewhere' is no option"),
        (["--install-path"], "--install-path names no folder"),
        (["--install-path="], "--install-path names no folder"),
        (["--list", "--check"], "'--check' cannot go with '--list'"),
        ([], "no folder to use: expected --install-path=PATH"),
        (["--uninstall"], "no folder to use: expected --install-path=PATH"),
    ],
)
def test_wrong_command_lines_get_one_sentence(package, tmp_path, arguments, sentence):
    before = _tree(tmp_path)
    done = _run(package, *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert sentence in done.stderr
    assert _tree(tmp_path) == before


def test_uninstalling_what_is_not_there_is_an_error(package, tmp_path):
    done = _run(package, "--uninstall", "--install-path=%s" % tmp_path)
    assert done.returncode == 1
    assert "vendor 'acme' is not installed in" in done.stderr


def test_a_path_that_is_a_file_is_refused(package, tmp_path):
    (tmp_path / "opp").write_text("")
    done = _run(package, "--install-path=%s/opp" % tmp_path)
    assert done.returncode == 1
    assert "cannot be made" in done.stderr


def _damaged_bits(content):
    """Every byte of the code that checks, and some of what it checks, each with a bit."""
    choose = random.Random(6)
    code = content.index(b"\n# A custom operator package")
    positions = [choose.randrange(code, len(content)) for _ in range(100)] + [len(content) - 1]
    decisive = range(content.index(b"set -eu"), code)
    return [(position, bit) for position in decisive for bit in range(8) if bit % 3 == position % 3] + [
        (position, choose.randrange(8)) for position in [*range(decisive.start), *positions]
    ]


def test_damaged_bytes_anywhere_refuse_and_leave_nothing(package, tmp_path):
    content = package.read_bytes()
    prefix = tmp_path / "opp"
    damaged = tmp_path / "damaged.run"
    installed = []
    for position, bit in _damaged_bits(content):
        changed = bytearray(content)
        changed[position] ^= 1 << bit
        damaged.write_bytes(changed)
        if _run(damaged, "--install-path=%s" % prefix).returncode == 0 or prefix.exists():
            installed.append((position, bit))
    assert installed == []


@pytest.mark.parametrize(
    "change", [lambda content: content[:-1], lambda content: content + b"\0", lambda content: content[:600]]
)
def test_a_package_of_another_length_is_refused(package, tmp_path, change):
    package.write_bytes(change(package.read_bytes()))
    done = _run(package, "--install-path=%s/opp" % tmp_path)
    assert done.returncode != 0
    assert not (tmp_path / "opp").exists()


@pytest.mark.parametrize("action", ["--check", "--list", "--uninstall", "--help"])
def test_a_damaged_package_does_nothing_else_either(package, action):
    content = bytearray(package.read_bytes())
    content[-9] ^= 1
    package.write_bytes(content)
    done = _run(package, action)
    assert done.returncode == 3
    assert done.stdout == ""
    assert "acme.run is damaged: its sha256 is " in done.stderr


def test_operator_info_is_grouped_by_property():
    text = "[Scale]\ninput0.name=x\ninput0.dtype=float16,float32\nopFile.value=scale\n[Add]\nopFile.value=add\n"
    assert json.loads(make_package.operator_info_json(text)) == {
        "Add": {"opFile": {"value": "add"}},
        "Scale": {"input0": {"name": "x", "dtype": "float16,float32"}, "opFile": {"value": "scale"}},
    }
