"""Where the package finds its files: in its own folder, wherever that is, never by a variable or at a decoy.

Each case is a fork, with its own environment and current directory.
"""

import dataclasses
import os
import pathlib
import sys
import tempfile
import traceback

import pytest

import attnres
from attnres import _libraries

LIBRARY = _libraries.RUNTIME_LIBRARY
PACKAGE = pathlib.Path(attnres.__file__).parent
REAL_LIBRARY = os.path.realpath(_libraries.locate(LIBRARY))
OTHER_IMPORTS = [entry for entry in sys.path if entry != str(PACKAGE.parent)]


@dataclasses.dataclass(frozen=True)
class Done:
    """A child that has ended."""

    returncode: int
    stdout: str
    stderr: str


def run(code, *, package_parent=PACKAGE.parent, cwd=None, **environment):
    """Runs code with the package of `package_parent` in a child; returns its exit code and what it printed.

    The child is a fork: NumPy is there already, whose import would take most of the time. The package is
    imported anew, and no child finds the shared libraries loaded: nothing here loads them outside of `run`.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            os._exit(_execute(code, [str(package_parent), *OTHER_IMPORTS], cwd, environment))
        _, status = os.waitpid(child, 0)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode())
    return Done(os.waitstatus_to_exitcode(status), *texts)


def _execute(code, path, cwd, environment):
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
    status = 1
    try:
        os.environ.clear()
        os.environ.update(environment)
        if cwd is not None:
            os.chdir(cwd)
        sys.path[:] = path
        for name in [name for name in sys.modules if name.partition(".")[0] == "attnres"]:
            del sys.modules[name]
        exec(code, {"sys": sys})
        status = 0
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    return status


def locate(**options):
    """What `locate` returns in a process of its own, with links resolved."""
    done = run(f"from attnres import _libraries; print(_libraries.locate({LIBRARY!r}))", **options)
    assert done.returncode == 0, done.stderr
    return os.path.realpath(done.stdout.strip())


def package_elsewhere(tmp_path, replaced=None):
    """The package in a folder that is no runfiles tree, and of `replaced` nothing."""
    parent = tmp_path / "elsewhere"
    folder = parent / "attnres"
    folder.mkdir(parents=True)
    for entry in PACKAGE.iterdir():
        if entry.name != replaced:
            (folder / entry.name).symlink_to(entry)
    return parent


def test_from_the_tree_that_the_package_lies_in():
    assert locate() == REAL_LIBRARY


def test_from_the_root_directory():
    assert locate(cwd="/") == REAL_LIBRARY


def test_outside_of_any_tree(tmp_path):
    assert locate(package_parent=package_elsewhere(tmp_path), cwd="/") == REAL_LIBRARY


def test_by_a_relative_path_that_holds_no_more(tmp_path):
    parent = package_elsewhere(tmp_path)
    code = f"import os\nfrom attnres import _libraries\nos.chdir('/')\nprint(_libraries.locate({LIBRARY!r}))"
    done = run(code, package_parent=".", cwd=parent)
    assert os.path.realpath(done.stdout.strip()) == REAL_LIBRARY, done.stderr


def test_through_a_library_that_imports_the_package(tmp_path):
    (tmp_path / "middle.py").write_text(
        f"from attnres import _libraries\ndef find(): return _libraries.locate({LIBRARY!r})\n"
    )
    code = f"sys.path.append({str(tmp_path)!r})\nimport middle\nprint(middle.find())"
    done = run(code, cwd="/")
    assert os.path.realpath(done.stdout.strip()) == REAL_LIBRARY, done.stderr


def test_variables_of_another_program_do_not_mislead(tmp_path):
    decoy = tmp_path / "attnres/python/attnres" / LIBRARY
    decoy.parent.mkdir(parents=True)
    decoy.write_text("decoy")
    manifest = tmp_path / "MANIFEST"
    manifest.write_text(f"attnres/python/attnres/{LIBRARY} {decoy}\n")
    found = locate(
        cwd=tmp_path,
        LD_LIBRARY_PATH=str(decoy.parent),
        RUNFILES_MANIFEST_FILE=str(manifest),
        RUNFILES_DIR=str(tmp_path),
    )
    assert found == REAL_LIBRARY


def test_missing_and_not_taken_from_the_current_directory(tmp_path):
    (tmp_path / LIBRARY).write_text("decoy")
    parent = package_elsewhere(tmp_path, replaced=LIBRARY)
    code = f"from attnres import _libraries; _libraries.locate({LIBRARY!r})"
    done = run(code, package_parent=parent, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1] == (
        f"FileNotFoundError: {LIBRARY} is missing in the package: there is no file {parent}/attnres/{LIBRARY}"
    )


CALL = """
import numpy as np, attnres
rows = np.ones((1, 2), np.float32)
try:
    attnres.block_attention_residuals_backward(
        rows, np.ones((1, 1, 2), np.float32), rows, rows[0], rows, rows, rows)
except attnres.AclnnError as error:
    print(error.code, error.message)
"""


@pytest.mark.parametrize("broken", [_libraries.RUNTIME_LIBRARY, _libraries.OPERATOR_LIBRARY])
@pytest.mark.parametrize("fault", ["missing", "no library", "another library"])
def test_a_broken_library_is_named_with_the_soc_when_it_is_needed(tmp_path, broken, fault):
    parent = package_elsewhere(tmp_path, replaced=broken)
    library = parent / "attnres" / broken
    if fault == "no library":
        library.write_text("no library")
    elif fault == "another library":
        library.symlink_to(next(PACKAGE.glob("_tiling_native*.so")).resolve())
    done = run(CALL, package_parent=parent)
    assert done.returncode == 0, done.stderr
    code, _, message = done.stdout.strip().partition(" ")
    assert code == "561003"
    if fault == "another library" and broken == _libraries.OPERATOR_LIBRARY:
        assert "aclnnBlockAttentionResidualsGrad" in message
    else:
        assert "ascend950" in message and broken in message
