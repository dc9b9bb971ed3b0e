"""The JAX contender of `bench`. Importing this module imports jax."""

import os

import numpy as np

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
from attnres import _checks  # noqa: E402


def _backward(partial_block, block_res, proj_weight, norm_weight, grad_hidden, inv_norm, probs):
    """The formulas as torch_peer.backward has them, which is the faster way to write them here as well."""
    dtype = partial_block.dtype
    blocks, partial, upstream = (value.astype(jnp.float32) for value in (block_res, partial_block, grad_hidden))
    proj, norm = proj_weight[0].astype(jnp.float32), norm_weight.astype(jnp.float32)
    weight = norm * proj
    dots = jnp.concatenate([(upstream[:, None] * blocks).sum(-1), (upstream * partial).sum(-1, keepdims=True)], 1)
    scores = jnp.concatenate([(blocks * weight).sum(-1), (partial * weight).sum(-1, keepdims=True)], 1)
    grad_score = probs * (dots - (probs * dots).sum(-1, keepdims=True))
    scaled = grad_score * inv_norm
    variance = scaled * (scores * inv_norm) * inv_norm / weight.size
    grad_blocks = (
        upstream[:, None] * probs[:, :-1, None] + scaled[:, :-1, None] * weight - variance[:, :-1, None] * blocks
    )
    grad_partial = upstream * probs[:, -1:] + scaled[:, -1:] * weight - variance[:, -1:] * partial
    score_weight = ((scaled[:, :-1, None] * blocks).sum(1) + scaled[:, -1:] * partial).sum(0)
    return (
        grad_partial.astype(dtype),
        grad_blocks.astype(dtype),
        (score_weight * norm)[None].astype(dtype),
        (score_weight * proj).astype(dtype),
    )


def jitted(inputs: dict[str, np.ndarray]):
    """A call of the formulas through jax.jit that waits for the result."""
    given = [jnp.asarray(inputs[name]) for name in _checks.INPUT_DIMENSIONS]
    function = jax.jit(_backward)
    return lambda: jax.block_until_ready(function(*given))


def as_outputs(result) -> dict[str, np.ndarray]:
    """The arrays by name of what the call returns."""
    return {name: np.asarray(value) for name, value in zip(_checks.OUTPUT_NAMES, result, strict=True)}


def describe() -> str:
    return f"jax {jax.__version__}, with threads of its own"
