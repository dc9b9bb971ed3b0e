"""Seeded inputs that look like a forward's: inv_norm and probs belong to the values. For `bench` and for tests."""

import numpy as np

from attnres import _dtypes

SEED = 20260101
NORM_EPS = 1e-6


def make_inputs(
    tokens: int, blocks: int, hidden: int, dtype: _dtypes.MainDtype, seed: int = SEED
) -> dict[str, np.ndarray]:
    """The seven inputs by name, contiguous, as the forward would have saved them."""
    rng = np.random.default_rng([seed, tokens, blocks, hidden, dtype.itemsize])

    def normal(*shape):
        return rng.standard_normal(shape, np.float32)

    inputs = {
        "partial_block": normal(tokens, hidden),
        "block_res": normal(tokens, blocks, hidden),
        "proj_weight": normal(1, hidden) / np.sqrt(max(hidden, 1)),
        "norm_weight": 1 + 0.1 * normal(hidden),
        "grad_hidden_states": normal(tokens, hidden),
    }
    inputs = {name: value.astype(dtype.numpy, copy=False) for name, value in inputs.items()}
    return inputs | saved_by_forward(inputs)


def saved_by_forward(inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """inv_norm and probs of the main inputs, float32."""
    values = np.concatenate([inputs["block_res"], inputs["partial_block"][:, np.newaxis]], axis=1).astype(np.float64)
    weight = inputs["norm_weight"].astype(np.float64) * inputs["proj_weight"][0].astype(np.float64)
    hidden = max(values.shape[-1], 1)
    inv_norm = 1 / np.sqrt(np.einsum("tih,tih->ti", values, values) / hidden + NORM_EPS)
    score = inv_norm * (values @ weight)
    weights = np.exp(score - score.max(axis=1, keepdims=True, initial=-np.inf))
    return {
        "inv_norm": inv_norm.astype(np.float32),
        "probs": (weights / weights.sum(1, keepdims=True)).astype(np.float32),
    }
