"""The wheel in a virtual environment without PyTorch and JAX: commands, and a part of the package's own tests."""

import json
import pathlib

import attnres
import pytest

from tests.wheel import environment, suite

SUITE = [
    "python/attnres/backward_test.py",
    "python/attnres/checks_test.py",
    "python/attnres/errors_test.py",
    "python/attnres/forward_test.py",
    "python/attnres/repeated_call_test.py",
    "python/attnres/result_array_test.py",
    "python/attnres/tiling_test.py",
]
LEAST_CASES = 200


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    return environment.create(tmp_path_factory.mktemp("venv"))


def test_everything_of_the_package_comes_from_the_wheel(installed):
    code = "import attnres; from attnres import _libraries, _twin, _tiling_native\n"
    code += "print(attnres.__file__, _twin.__file__, _tiling_native.__file__)\n"
    code += "print(_libraries.locate('libascendcl.so'), *attnres.__path__)"
    for place in installed.python(code).split():
        assert pathlib.Path(place).is_relative_to(installed.package)


def test_the_loaded_libraries_are_those_of_the_wheel(installed):
    code = "from attnres import _libraries; _libraries.ensure_loaded('ascend950')\n"
    code += "print(*{line.split()[-1] for line in open('/proc/self/maps') if '/lib' in line and 'a' in line})"
    loaded = [place for place in installed.python(code).split() if place.endswith(("libascendcl.so", "opapi.so"))]
    assert sorted(loaded) == [str(installed.package / name) for name in ("libascendcl.so", "libcust_opapi.so")]


@pytest.mark.parametrize("command", [["attnres"], ["python", "-m", "attnres"]], ids=" ".join)
def test_demo(installed, command):
    done = installed.run(*command, "demo", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["right"]
    assert {run["soc"] for run in result["runs"]} == {soc.name for soc in attnres.socs()}


@pytest.mark.parametrize("command", [["attnres"], ["python", "-m", "attnres"]], ids=" ".join)
def test_version(installed, command):
    assert installed.run(*command, "--version").stdout == f"attnres {attnres.__version__}\n"
    assert installed.python("import attnres; print(attnres.__version__)") == attnres.__version__
    assert installed.python("import importlib.metadata as m; print(m.version('attnres'))") == attnres.__version__


@pytest.mark.parametrize("module, package", [("torch", "PyTorch"), ("jax", "JAX")])
def test_without_the_package_of_a_subpackage(installed, module, package):
    done = installed.run("python", "-c", f"import attnres.{module}")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f"ImportError: attnres.{module} needs {package}, which is not installed; `pip install {module}` brings it"
    )


def test_own_tests_pass(installed, tmp_path):
    assert suite.run(installed, SUITE, tmp_path) >= LEAST_CASES


def test_a_failure_among_the_own_tests_is_noticed(installed, tmp_path):
    """The package is really the installed one: with a broken copy of its library the same tests fail."""
    library = installed.package / "libcust_opapi.so"
    content = library.read_bytes()
    try:
        library.write_bytes(b"no library")
        with pytest.raises(AssertionError, match="cannot load .*libcust_opapi.so"):
            suite.run(installed, ["python/attnres/forward_test.py"], tmp_path)
    finally:
        library.write_bytes(content)
