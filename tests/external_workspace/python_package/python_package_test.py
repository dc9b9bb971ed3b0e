"""The package works as a dependency of another workspace: its libraries are found in its runfiles."""

import os

import attnres
import numpy as np
from runfiles import Runfiles

_TOKENS, _BLOCKS, _HIDDEN = 2, 4, 64


def _ones(*shape):
    return np.ones(shape, np.float16)


def test_gradients_from_another_workspace_and_folder(monkeypatch):
    monkeypatch.chdir("/")
    saved = np.ones((_TOKENS, _BLOCKS + 1), np.float32)
    gradients = attnres.block_attention_residuals_backward(
        _ones(_TOKENS, _HIDDEN),
        _ones(_TOKENS, _BLOCKS, _HIDDEN),
        _ones(1, _HIDDEN),
        _ones(_HIDDEN),
        _ones(_TOKENS, _HIDDEN),
        saved,
        saved,
        soc="ascend910b",
    )
    assert np.all(gradients.grad_block_res == 1)
    assert np.all(gradients.grad_norm_weight == -2560)


def test_package_lies_in_its_own_repository():
    found = Runfiles.Create().Rlocation("operators/python/attnres/__init__.py")
    assert os.path.samefile(found, attnres.__file__)
