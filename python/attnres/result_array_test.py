"""Result arrays: as numpy.empty's, with memory that is reused once a result is gone.

What waits for reuse, and how much of it, is //cc/bindings:result_memory_test.
"""

import ml_dtypes
import numpy as np
import pytest

from attnres import _twin

SMALLEST_REUSED_BYTES = 1 << 20
LARGE = (3, SMALLEST_REUSED_BYTES)
BYTES = np.dtype(np.uint8)


def address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32], ids=lambda dtype: np.dtype(dtype).name)
@pytest.mark.parametrize("shape", [(0, 4), (3, 5), (2, 3, 400_001)], ids=str)
def test_arrays_are_as_of_empty(shape, dtype):
    array = _twin.empty_result(np.dtype(dtype), shape)
    assert array.shape == shape and array.dtype == dtype
    assert array.flags.c_contiguous and array.flags.writeable and array.flags.aligned
    array[...] = 3
    assert (array == 3).all()


def test_a_large_array_starts_at_a_cache_line():
    assert address(_twin.empty_result(BYTES, LARGE)) % 64 == 0


def test_memory_is_reused_when_the_last_view_is_gone():
    array = _twin.empty_result(BYTES, LARGE)
    first, row = address(array), array[1]
    row[...] = 7
    del array
    other = _twin.empty_result(BYTES, LARGE)
    assert address(other) != first
    other[...] = 1
    assert (row == 7).all()
    del row
    assert address(_twin.empty_result(BYTES, LARGE)) == first


def test_another_size_is_not_served_from_what_waits():
    first = address(_twin.empty_result(BYTES, LARGE))
    kept = _twin.empty_result(BYTES, (LARGE[0] + 1, LARGE[1]))
    assert address(kept) != first


def test_small_arrays_are_left_to_the_allocator():
    assert _twin.empty_result(BYTES, (SMALLEST_REUSED_BYTES - 1,)).flags.owndata
    assert not _twin.empty_result(BYTES, (SMALLEST_REUSED_BYTES,)).flags.owndata


def test_memory_that_the_system_does_not_have_is_a_memory_error():
    with pytest.raises(MemoryError):
        _twin.empty_result(BYTES, (1 << 62,))
