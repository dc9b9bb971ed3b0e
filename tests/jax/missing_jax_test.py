"""`import attnres.jax` where JAX is not: this test's runfiles have none."""

import importlib.util
import sys

import pytest


def test_says_what_is_missing():
    for package in ("jax", "jaxlib"):
        assert importlib.util.find_spec(package) is None, f"this test must not depend on {package}"
    with pytest.raises(ImportError) as error:
        import attnres.jax  # noqa: F401
    assert str(error.value) == "attnres.jax needs JAX, which is not installed; `pip install jax` brings it"
    assert error.value.__suppress_context__


def test_a_broken_jax_speaks_for_itself(monkeypatch, tmp_path):
    (tmp_path / "jax.py").write_text("import no_such_part_of_jax\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "attnres.jax", raising=False)
    with pytest.raises(ModuleNotFoundError, match="no_such_part_of_jax"):
        import attnres.jax  # noqa: F401
