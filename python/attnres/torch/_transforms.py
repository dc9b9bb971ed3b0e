"""Autocast and vmap.

Autocast: the four inputs are cast to autocast's dtype, as those of a matrix product are, and so is the result;
gradients come back in each input's own dtype. Float64 is never cast, as everywhere in autocast.

vmap: rows of all examples are tokens of one call. Weights that differ between examples, and the backward, whose
weight gradients belong to one example each, take a call per example.
"""

import torch

from attnres.torch import _operators

_AUTOCAST = torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastCPU)


def _register_autocast(name, operator):
    def cast_and_call(partial_block, block_res, proj_weight, norm_weight, valid_block_num=-1, norm_eps=1e-6):
        dtype = torch.get_autocast_dtype("cpu")
        tensors = (
            tensor.to(dtype) if tensor.is_floating_point() and tensor.dtype is not torch.float64 else tensor
            for tensor in (partial_block, block_res, proj_weight, norm_weight)
        )
        with torch._C._ExcludeDispatchKeyGuard(_AUTOCAST):
            return operator(*tensors, valid_block_num, norm_eps)

    _operators.LIBRARY.impl(name, cast_and_call, "AutocastCPU")


def _register_vmap(operator, batch):
    torch.library.register_vmap(operator, batch, lib=_operators.LIBRARY)


def _batch_forward(operator):
    def batch(info, in_dims, partial_block, block_res, proj_weight, norm_weight, valid_block_num=-1, norm_eps=1e-6):
        attributes = {"valid_block_num": valid_block_num, "norm_eps": norm_eps}
        tensors = (partial_block, block_res, proj_weight, norm_weight)
        if any(dim is not None for dim in in_dims[2:4]):
            return _each(operator, info.batch_size, in_dims, tensors, attributes)
        rows = (_in_front(*pair, info.batch_size) for pair in zip(tensors[:2], in_dims))
        results = operator(*rows, proj_weight, norm_weight, **attributes)
        return results, (0,) * len(results) if isinstance(results, tuple) else 0

    return batch


def _batch_backward(info, in_dims, *tensors, valid_block_num=-1):
    attributes = {"valid_block_num": valid_block_num}
    return _each(_operators.residuals_backward, info.batch_size, in_dims, tensors, attributes)


def _in_front(tensor, dim, batch_size):
    if dim is None:
        return tensor.unsqueeze(0).expand(batch_size, *tensor.shape)
    return tensor.movedim(dim, 0)


def _each(operator, batch_size, in_dims, tensors, attributes):
    """One call per example; the results are stacked."""
    examples = [
        operator(*(t if dim is None else t.select(dim, index) for t, dim in zip(tensors, in_dims)), **attributes)
        for index in range(batch_size)
    ]
    if isinstance(examples[0], tuple):
        return tuple(map(torch.stack, zip(*examples))), (0,) * len(examples[0])
    return torch.stack(examples), 0


_register_autocast("block_attention_residuals", _operators.residuals)
_register_autocast("block_attention_residuals_forward", _operators.residuals_forward)
_register_vmap(_operators.residuals, _batch_forward(_operators.residuals))
_register_vmap(_operators.residuals_forward, _batch_forward(_operators.residuals_forward))
_register_vmap(_operators.residuals_backward, _batch_backward)
