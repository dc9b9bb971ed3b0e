"""Inputs of the tests as tensors, and what comes out of autograd as arrays by name."""

import numpy as np
import torch
from attnres import _checks, _dtypes
from attnres.testing import inputs
from attnres.torch import _tensors

FORWARD_NAMES = tuple(_checks.FORWARD_INPUT_DIMENSIONS)
GRADIENT_OF = dict(zip(FORWARD_NAMES, _checks.OUTPUT_NAMES))


def make(tokens: int, blocks: int, hidden: int, dtype: str, seed: int = inputs.SEED) -> dict[str, torch.Tensor]:
    """The seven inputs by name."""
    given = inputs.make_inputs(tokens, blocks, hidden, _dtypes.main_dtype(dtype), seed)
    return {name: _tensors.as_tensor(value) for name, value in given.items()}


def leaves(given: dict[str, torch.Tensor], wanted=FORWARD_NAMES) -> dict[str, torch.Tensor]:
    """The forward's inputs, of which the wanted ones require a gradient; over the same memory and strides."""
    return {name: given[name].detach().requires_grad_(name in wanted) for name in FORWARD_NAMES}


def arrays(tensors: dict[str, torch.Tensor]) -> dict[str, np.ndarray]:
    return {name: _tensors.as_array(value) for name, value in tensors.items()}


def gradients_of(tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The .grad of the tensors that have one, by the operator's output names."""
    return {GRADIENT_OF[name]: value.grad for name, value in tensors.items() if value.grad is not None}


def backward(given: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The four gradients by name, from the backward operator itself."""
    return dict(zip(_checks.OUTPUT_NAMES, torch.ops.attnres.block_attention_residuals_backward(**given)))


def saved_by_forward(given: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The seven inputs with the inv_norm and probs that the forward operator saves."""
    first = {name: given[name] for name in FORWARD_NAMES}
    _, inv_norm, probs = torch.ops.attnres.block_attention_residuals_forward(**first)
    return given | {"inv_norm": inv_norm, "probs": probs}


def same_bits(left: torch.Tensor, right: torch.Tensor) -> bool:
    """Whether shape, dtype and bytes are the same (NaN equals itself)."""
    bits = {2: torch.int16, 4: torch.int32}[left.element_size()]
    return left.dtype == right.dtype and torch.equal(left.contiguous().view(bits), right.contiguous().view(bits))
