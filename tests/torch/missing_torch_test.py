"""`import attnres.torch` where PyTorch is not: this test's runfiles have none."""

import importlib.util
import sys

import pytest


def test_says_what_is_missing():
    assert importlib.util.find_spec("torch") is None, "this test must not depend on PyTorch"
    with pytest.raises(ImportError) as error:
        import attnres.torch  # noqa: F401
    assert str(error.value) == "attnres.torch needs PyTorch, which is not installed; `pip install torch` brings it"
    assert error.value.__suppress_context__


def test_a_broken_torch_speaks_for_itself(monkeypatch, tmp_path):
    (tmp_path / "torch.py").write_text("import no_such_part_of_torch\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "attnres.torch", raising=False)
    with pytest.raises(ModuleNotFoundError, match="no_such_part_of_torch"):
        import attnres.torch  # noqa: F401
