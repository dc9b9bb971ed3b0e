"""Memory of results: large arrays reuse what earlier results have given back.

Memory that comes fresh from the system is zeroed page by page when it is first written, which takes longer than the
kernels do. A result's buffer therefore returns here when its last view is gone, and the next result of that size takes
it. No more than KEPT_BYTES wait for reuse; the buffer that has waited longest goes first.
"""

import collections
import math
import threading

import numpy as np

KEPT_BYTES = 1 << 30
# Below this an allocator hands out warm memory by itself.
SMALLEST_BYTES = 1 << 20
_ALIGNMENT = 64  # a cache line of the host, so that stores that bypass the cache need no head

_lock = threading.Lock()
_waiting: collections.deque = collections.deque()  # uint8 arrays, the longest waiting first


class _Lease:
    """Owner of a buffer while a result uses it; gives it back when collected."""

    def __init__(self, buffer: np.ndarray, size: int):
        self._buffer = buffer
        address = buffer.__array_interface__["data"][0]
        start = address + -address % _ALIGNMENT
        self.__array_interface__ = {"version": 3, "typestr": "|u1", "shape": (size,), "data": (start, False)}

    def __del__(self):
        _give_back(self._buffer)


def empty(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """A new C-contiguous array of any content, as np.empty."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    if size < SMALLEST_BYTES:
        return np.empty(shape, dtype)
    return np.asarray(_Lease(_take(size + _ALIGNMENT), size)).view(dtype).reshape(shape)


def _take(size: int) -> np.ndarray:
    with _lock:
        for index in range(len(_waiting) - 1, -1, -1):
            if _waiting[index].nbytes == size:
                buffer = _waiting[index]
                del _waiting[index]
                return buffer
    return np.empty(size, np.uint8)


def _give_back(buffer: np.ndarray) -> None:
    # A collection may run inside _take on this very thread: then the buffer is simply freed.
    if not _lock.acquire(blocking=False):
        return
    try:
        _waiting.append(buffer)
        while sum(waiting.nbytes for waiting in _waiting) > KEPT_BYTES:
            _waiting.popleft()
    finally:
        _lock.release()
