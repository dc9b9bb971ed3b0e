"""Equality to the last bit."""

import numpy as np


def same_bits(left: np.ndarray, right: np.ndarray) -> bool:
    """Whether two arrays have the same shape, dtype and bytes (NaN equals itself)."""
    if left.shape != right.shape or left.dtype != right.dtype:
        return False
    return np.ascontiguousarray(left).tobytes() == np.ascontiguousarray(right).tobytes()
