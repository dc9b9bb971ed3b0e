"""Tensors and arrays over the same memory: values, strides, and the lives of both."""

import gc

import ml_dtypes
import numpy as np
import pytest
import torch

from attnres.torch import _tensors

DTYPES = {torch.float16: np.float16, torch.bfloat16: ml_dtypes.bfloat16, torch.float32: np.float32}


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_memory_is_shared_both_ways(dtype):
    tensor = torch.tensor([[1.5, -2], [0, 7]], dtype=dtype)
    array = _tensors.as_array(tensor)
    assert array.dtype == DTYPES[dtype] and array.ctypes.data == tensor.data_ptr()
    array[0, 1] = 3
    assert tensor.tolist() == [[1.5, 3], [0, 7]]
    back = _tensors.as_tensor(array)
    assert back.dtype == dtype and back.data_ptr() == tensor.data_ptr()
    back[1, 0] = 5
    assert array.tolist() == [[1.5, 3], [5, 7]]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(
    "view",
    [
        lambda t: t[..., ::2],
        lambda t: t.transpose(0, 1),
        lambda t: t[1:, 2:],
        lambda t: t[:1].expand(3, -1, -1),
        lambda t: t[:0],
        lambda t: t[1, 1],
    ],
    ids=["step", "transposed", "offset", "expanded", "empty", "row"],
)
def test_strides_are_kept(view, dtype):
    tensor = view(torch.arange(3 * 4 * 6).view(3, 4, 6).to(dtype))
    array = _tensors.as_array(tensor)
    assert array.shape == tensor.shape and array.tolist() == tensor.tolist()
    if tensor.numel():
        assert [s // array.itemsize for s in array.strides] == list(tensor.stride())
        assert array.ctypes.data == tensor.data_ptr()


def test_a_tensor_in_a_graph_and_a_lazy_minus_sign():
    leaf = torch.ones(3, requires_grad=True)
    assert _tensors.as_array(leaf * 2).tolist() == [2, 2, 2]
    negative = torch.tensor([1 + 2j]).conj().imag
    assert negative.is_neg() and _tensors.as_array(negative).tolist() == [-2]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_a_tensor_keeps_its_array_alive(dtype):
    tensor = _tensors.as_tensor(np.full(1 << 18, 3, DTYPES[dtype]))
    gc.collect()
    other = np.zeros(1 << 18, DTYPES[dtype])  # would get the memory if it were free
    assert (tensor == 3).all() and not other.any()
    assert not tensor._is_view()
