"""CPU tensors as NumPy arrays and back, over the same memory. bfloat16, which is ml_dtypes' in NumPy, goes by bits."""

import ml_dtypes
import numpy as np
import torch

_BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
_BITS = np.dtype(np.int16)


def as_array(tensor: torch.Tensor) -> np.ndarray:
    """An array over the memory of a strided CPU tensor, with its strides."""
    if tensor.requires_grad:
        tensor = tensor.detach()
    if tensor.is_neg():
        tensor = tensor.resolve_neg()  # a lazy minus sign is no memory
    if tensor.dtype is torch.bfloat16:
        return tensor.view(torch.int16).numpy().view(_BFLOAT16)
    return tensor.numpy()


def as_tensor(array: np.ndarray) -> torch.Tensor:
    """A tensor over the memory of an array, which lives as long as the tensor."""
    if array.dtype == _BFLOAT16:
        return torch.from_numpy(array.view(_BITS)).view(torch.bfloat16)
    return torch.from_numpy(array)
