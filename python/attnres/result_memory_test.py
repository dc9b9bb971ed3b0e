"""Result memory: arrays like np.empty's, reuse once a result is gone, a bound on what waits."""

import ml_dtypes
import numpy as np
import pytest

from attnres import _result_memory

LARGE = (3, _result_memory.SMALLEST_BYTES)


def address(array):
    return array.__array_interface__["data"][0]


@pytest.fixture(autouse=True)
def _nothing_waits():
    _result_memory._waiting.clear()


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32], ids=lambda dtype: np.dtype(dtype).name)
@pytest.mark.parametrize("shape", [(0, 4), (3, 5), (2, 3, 400_001)], ids=str)
def test_arrays_are_as_of_empty(shape, dtype):
    array = _result_memory.empty(shape, dtype)
    assert array.shape == shape and array.dtype == dtype
    assert array.flags.c_contiguous and array.flags.writeable and array.flags.aligned
    array[...] = 3
    assert (array == 3).all()


def test_a_large_array_starts_at_a_cache_line():
    assert address(_result_memory.empty(LARGE, np.uint8)) % 64 == 0


def test_memory_is_reused_when_the_last_view_is_gone():
    array = _result_memory.empty(LARGE, np.uint8)
    first, row = address(array), array[1]
    row[...] = 7
    del array
    other = _result_memory.empty(LARGE, np.uint8)
    assert address(other) != first
    other[...] = 1
    assert (row == 7).all()
    del row
    assert address(_result_memory.empty(LARGE, np.uint8)) == first


def test_another_size_is_not_served_from_what_waits():
    first = address(_result_memory.empty(LARGE, np.uint8))
    kept = _result_memory.empty((LARGE[0] + 1, LARGE[1]), np.uint8)
    assert address(kept) != first


def test_no_more_waits_than_the_bound(monkeypatch):
    monkeypatch.setattr(_result_memory, "KEPT_BYTES", 2 * (LARGE[0] * LARGE[1] + 64))
    arrays = [_result_memory.empty(LARGE, np.uint8) for _ in range(4)]
    newest = [address(array) for array in arrays[2:]]
    while arrays:
        del arrays[0]
    assert len(_result_memory._waiting) == len(newest)
    for waiting, start in zip(_result_memory._waiting, newest):
        assert 0 <= start - address(waiting) < 64


def test_small_arrays_are_left_to_the_allocator():
    _result_memory.empty((5,), np.float32)
    assert not _result_memory._waiting
