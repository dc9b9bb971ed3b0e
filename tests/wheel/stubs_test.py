"""The .pyi of each extension has its functions, with the parameters that pybind11 wrote into their docstrings.

Types are compared as far as pybind11 knows them: a NumPy array is an object to it, a list one of anything.
"""

import ast
import importlib
import pathlib
import types

import pytest

MODULES = ["attnres._tiling_native", "attnres._twin", "attnres.jax._ffi_native"]

# {pybind11's name of a type: what the stub may say}, in addition to itself
STUB_TYPES = {
    "types.CapsuleType": ["object"],
    "object": ["int | None", "npt.NDArray[np.uint8] | None", "str", "tuple[npt.NDArray[Any], ...] | None"],
    "typing_extensions.CapsuleType": ["object"],
    "typing.SupportsInt": ["int"],
    "dict": ["dict[str, Any]"],
    "list": ["list[Any]", "list[dict[str, Any]]"],
    "tuple": ["tuple[Any, ...]", "tuple[int, str, dict[str, Any] | None]"],
    "collections.abc.Sequence[str]": ["Sequence[str]"],
    "collections.abc.Sequence[typing.SupportsInt]": ["Sequence[int]"],
    "numpy.dtype": ["np.dtype[Any]"],
    "numpy.ndarray": ["npt.NDArray[Any]"],
}


def stub(name):
    """{function: its syntax tree} and the other public names of a module's .pyi."""
    module = importlib.import_module(name)
    path = pathlib.Path(module.__file__).with_name(name.rpartition(".")[2] + ".pyi")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    attributes = {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
    return functions, attributes


def bound(name):
    """The same of the module itself, by the first line of each docstring."""
    module = importlib.import_module(name)
    functions, attributes = {}, set()
    for key, value in vars(module).items():
        if isinstance(value, types.BuiltinFunctionType):
            (functions[key],) = ast.parse(f"def {value.__doc__.splitlines()[0]}: ...").body
        elif not key.startswith("_"):
            attributes.add(key)
    return functions, attributes


def parameters(function):
    """(name, kind, default) of each."""
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(positional) - len(given.defaults)) + [ast.unparse(value) for value in given.defaults]
    found = [(argument.arg, "positional", value) for argument, value in zip(positional, defaults)]
    for argument, value in zip(given.kwonlyargs, given.kw_defaults):
        found.append((argument.arg, "keyword", value and ast.unparse(value)))
    return found


def annotations(function):
    """{parameter or "return": its type as text}."""
    given = function.args
    found = {argument.arg: argument.annotation for argument in [*given.posonlyargs, *given.args, *given.kwonlyargs]}
    return {name: ast.unparse(node) for name, node in (found | {"return": function.returns}).items()}


@pytest.mark.parametrize("name", MODULES)
def test_stub_has_every_name(name):
    functions, attributes = stub(name)
    bound_functions, bound_attributes = bound(name)
    assert set(functions) == set(bound_functions)
    assert attributes == bound_attributes


@pytest.mark.parametrize("name", MODULES)
def test_parameters_are_the_same(name):
    functions, _ = stub(name)
    for key, function in bound(name)[0].items():
        assert parameters(functions[key]) == parameters(function), key


@pytest.mark.parametrize("name", MODULES)
def test_types_are_those_that_the_extension_takes(name):
    functions, _ = stub(name)
    for key, function in bound(name)[0].items():
        said = annotations(functions[key])
        for parameter, known in annotations(function).items():
            assert said[parameter] in [known, *STUB_TYPES.get(known, [])], f"{key}: {parameter}"
