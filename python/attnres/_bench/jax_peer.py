"""The JAX contender of `bench`. Importing this module imports jax."""

import os

import numpy as np

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
from attnres import _checks  # noqa: E402


def _backward(partial_block, block_res, proj_weight, norm_weight, grad_hidden, inv_norm, probs):
    dtype = partial_block.dtype
    values = jnp.concatenate([block_res, partial_block[:, None]], 1).astype(jnp.float32)
    upstream = grad_hidden.astype(jnp.float32)
    proj, norm = proj_weight[0].astype(jnp.float32), norm_weight.astype(jnp.float32)
    weight = norm * proj
    dots = (upstream[:, None] * values).sum(-1)
    scores = (values * weight).sum(-1)
    grad_score = probs * (dots - (probs * dots).sum(-1, keepdims=True))
    scaled = grad_score * inv_norm
    variance = scaled * (scores * inv_norm) * inv_norm / weight.size
    rows = upstream[:, None] * probs[..., None] + scaled[..., None] * weight - variance[..., None] * values
    score_weight = (scaled[..., None] * values).sum((0, 1))
    return (
        rows[:, -1].astype(dtype),
        rows[:, :-1].astype(dtype),
        (score_weight * norm)[None].astype(dtype),
        (score_weight * proj).astype(dtype),
    )


def jitted(inputs: dict[str, np.ndarray]):
    """A call of the formulas through jax.jit that waits for the result."""
    given = [jnp.asarray(inputs[name]) for name in _checks.INPUT_DIMENSIONS]
    function = jax.jit(_backward)
    return lambda: jax.block_until_ready(function(*given))


def as_gradients(result) -> dict[str, np.ndarray]:
    """The arrays by name of what the call returns."""
    return {name: np.asarray(value) for name, value in zip(_checks.OUTPUT_NAMES, result, strict=True)}


def describe() -> str:
    return f"jax {jax.__version__}, with threads of its own"
