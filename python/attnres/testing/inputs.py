"""Inputs of tests: the package's seeded ones, and zeros."""

import numpy as np

from attnres import _checks, _dtypes
from attnres._sample_inputs import NORM_EPS, SEED, make_inputs, saved_by_forward

__all__ = ["NORM_EPS", "SEED", "make_inputs", "make_zeros", "saved_by_forward"]


def make_zeros(tokens: int, blocks: int, hidden: int, dtype: _dtypes.MainDtype) -> dict[str, np.ndarray]:
    """Inputs of zeros, for tests that look at anything but values."""
    sizes = {"tokens": tokens, "blocks": blocks, "hidden": hidden, "blocks + 1": blocks + 1, "1": 1}
    return {
        name: np.zeros(
            [sizes[dimension] for dimension in dimensions],
            np.float32 if name in _checks.FLOAT32_INPUTS else dtype.numpy,
        )
        for name, dimensions in _checks.INPUT_DIMENSIONS.items()
    }
