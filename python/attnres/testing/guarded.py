"""Arrays inside larger memory whose other bytes are watched.

All bytes are 0xFF at first: a NaN in float16, bfloat16 and float32 alike. So what a kernel reads beside an
input poisons its result, what it leaves unwritten in an output shows as NaN, and what it writes beside an
output is no longer 0xFF.
"""

import numpy as np

FILL = 0xFF
_GUARD_BYTES = 512

# Name -> function from a shape to strides in elements. What "offset" adds is one element of displacement,
# which breaks the 32-byte alignment of the data.
LAYOUTS = ("contiguous", "offset", "padded_rows", "every_second", "transposed")


class GuardedArray:
    """An array of one of LAYOUTS. `array` is what the operator gets."""

    def __init__(self, shape, dtype, layout: str = "contiguous"):
        dtype = np.dtype(dtype)
        strides = [stride * dtype.itemsize for stride in _strides(shape, layout)]
        reach = sum((size - 1) * stride for size, stride in zip(shape, strides)) + dtype.itemsize
        offset = _GUARD_BYTES + (dtype.itemsize if layout == "offset" else 0)
        self._memory = np.full(offset + max(reach, 0) + _GUARD_BYTES, FILL, np.uint8)
        self._offset = offset
        self.array = np.ndarray(shape, dtype, self._memory, offset, strides)

    @classmethod
    def of(cls, values: np.ndarray, layout: str = "contiguous") -> "GuardedArray":
        """A guarded copy of the values."""
        result = cls(values.shape, values.dtype, layout)
        result.array[...] = values
        return result

    def assert_guards_intact(self, name: str) -> None:
        outside = self._outside()
        assert (outside == FILL).all(), f"{np.sum(outside != FILL)} bytes beside {name} were written"

    def _outside(self):
        """All bytes that belong to no element."""
        array, memory = self.array, self._memory
        if array.flags.c_contiguous:
            return np.concatenate([memory[: self._offset], memory[self._offset + array.nbytes :]])
        is_element = np.zeros(memory.shape, bool)
        marks = np.ndarray((*array.shape, array.itemsize), bool, is_element, self._offset, (*array.strides, 1))
        marks[...] = True
        return memory[~is_element]

    def assert_all_written(self, name: str) -> None:
        """For an output whose right values have other bits than 0xFF...: every element was written."""
        raw = np.ascontiguousarray(self.array).view(np.uint8).reshape(-1, self.array.itemsize)
        untouched = int((raw == FILL).all(axis=1).sum())
        assert untouched == 0, f"{untouched} of {len(raw)} elements of {name} were not written"


def _strides(shape, layout):
    order = range(len(shape)) if layout == "transposed" else reversed(range(len(shape)))
    step = 2 if layout == "every_second" else 1
    strides = [0] * len(shape)
    for position, axis in enumerate(order):
        strides[axis] = step
        step *= max(shape[axis], 1)
        if layout == "padded_rows" and position == 0:
            step += 3
    return strides
