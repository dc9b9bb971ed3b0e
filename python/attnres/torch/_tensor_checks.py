"""What the operators' tensors must be, checked in the order: dimensions, dtypes, shapes, attributes, device.

The counterpart of attnres._checks for tensors. It runs on fake tensors as well, where sizes may be symbols:
a relation of symbols becomes a guard of the compiled code, or a check at run time.
"""

import torch

from attnres import _checks, _dtypes
from attnres._errors import InvalidArgumentError

_MAIN_DTYPES = tuple(getattr(torch, row.name) for row in _dtypes.MAIN_DTYPES)
# The forward takes leading axes in place of `tokens`, and proj_weight with or without its axis of one.
_FORWARD_INPUTS = tuple(_checks.INPUT_DIMENSIONS)[:4]
_DEVICES = ("cpu", "meta")


def check_forward(tensors, valid_block_num: int, norm_eps: float) -> None:
    """Raises InvalidArgumentError for the first fault of (partial_block, block_res, proj_weight, norm_weight)."""
    partial_block, block_res, proj_weight, norm_weight = tensors
    if partial_block.dim() < 2:
        raise InvalidArgumentError(
            f"partial_block has {_dimensions(partial_block)}; expected at least 2: [..., tokens, hidden]"
        )
    if block_res.dim() != partial_block.dim() + 1:
        raise InvalidArgumentError(
            f"block_res has {_dimensions(block_res)}; expected {partial_block.dim() + 1}: "
            "[..., tokens, blocks, hidden], one more than partial_block"
        )
    if proj_weight.dim() not in (1, 2):
        raise InvalidArgumentError(
            f"proj_weight has {_dimensions(proj_weight)}; expected 1 or 2: [hidden] or [1, hidden]"
        )
    if norm_weight.dim() != 1:
        raise InvalidArgumentError(f"norm_weight has {_dimensions(norm_weight)}; expected 1: [hidden]")
    named = dict(zip(_FORWARD_INPUTS, tensors))
    _check_dtypes(named)
    blocks = _check_blocks(block_res)
    leading = partial_block.dim() - 1
    for axis in range(leading):
        _match(block_res, "block_res", axis, partial_block.shape[axis], f"partial_block.shape[{axis}]")
    hidden, source = partial_block.shape[-1], f"partial_block.shape[{leading}]"
    _match(block_res, "block_res", leading + 1, hidden, source)
    if proj_weight.dim() == 2:
        _match_one(proj_weight, "proj_weight")
    _match(proj_weight, "proj_weight", proj_weight.dim() - 1, hidden, source)
    _match(norm_weight, "norm_weight", 0, hidden, source)
    _check_valid_block_num(valid_block_num, blocks)
    _checks.check_norm_eps(norm_eps)
    _check_devices(named)


def check_backward(tensors, valid_block_num: int) -> None:
    """Raises InvalidArgumentError for the first fault of the backward's seven tensors."""
    named = dict(zip(_checks.INPUT_DIMENSIONS, tensors))
    for name, dimensions in _checks.INPUT_DIMENSIONS.items():
        if named[name].dim() != len(dimensions):
            raise InvalidArgumentError(
                f"{name} has {_dimensions(named[name])}; expected {len(dimensions)}: [{', '.join(dimensions)}]"
            )
    _check_dtypes(named)
    block_res, partial_block = named["block_res"], named["partial_block"]
    blocks = _check_blocks(block_res)
    expected = {
        "tokens": (partial_block.shape[0], "partial_block.shape[0]"),
        "hidden": (partial_block.shape[1], "partial_block.shape[1]"),
        "blocks": (blocks, "block_res.shape[1]"),
        "blocks + 1": (blocks + 1, "block_res.shape[1] + 1"),
    }
    for name, dimensions in _checks.INPUT_DIMENSIONS.items():
        for axis, dimension in enumerate(dimensions):
            if dimension == "1":
                _match_one(named[name], name)
            else:
                _match(named[name], name, axis, *expected[dimension])
    _check_valid_block_num(valid_block_num, blocks)
    _check_devices(named)


def _dimensions(tensor):
    return f"{tensor.dim()} dimension{'' if tensor.dim() == 1 else 's'}"


def _check_dtypes(named):
    main = named["partial_block"].dtype
    if main not in _MAIN_DTYPES:
        raise InvalidArgumentError(f"partial_block has dtype {_name(main)}; expected {_dtypes.MAIN_DTYPE_NAMES}")
    for name, tensor in named.items():
        if name in _checks.FLOAT32_INPUTS:
            if tensor.dtype is not torch.float32:
                raise InvalidArgumentError(f"{name} has dtype {_name(tensor.dtype)}; expected float32")
        elif tensor.dtype is not main:
            raise InvalidArgumentError(
                f"{name} has dtype {_name(tensor.dtype)}; expected {_name(main)}, the dtype of partial_block"
            )


def _name(dtype):
    return str(dtype).removeprefix("torch.")


def _check_blocks(block_res):
    axis = block_res.dim() - 2
    blocks = block_res.shape[axis]
    _require(
        blocks <= _checks.MAX_BLOCKS,
        lambda: f"block_res.shape[{axis}] ({blocks}) is out of range; expected 0 to {_checks.MAX_BLOCKS}",
    )
    return blocks


def _match(tensor, name, axis, expected, source):
    actual = tensor.shape[axis]
    _require(actual == expected, lambda: f"{name}.shape[{axis}] ({actual}) does not match {source} ({expected})")


def _match_one(tensor, name):
    actual = tensor.shape[0]
    _require(actual == 1, lambda: f"{name}.shape[0] is {actual}; expected 1")


def _check_valid_block_num(value, blocks):
    if value != -1:
        _require(value == blocks, lambda: f"valid_block_num is {value}; expected -1 or {blocks}, the number of blocks")


def _require(condition, message):
    if isinstance(condition, bool):
        if not condition:
            raise InvalidArgumentError(message())
    else:
        torch._check(condition, message)


def _check_devices(named):
    device = named["partial_block"].device
    if device.type not in _DEVICES:
        raise InvalidArgumentError(
            f"partial_block is on device {device}; expected cpu: the operator's kernels run there "
            "(meta tensors give shapes only)"
        )
    for name, tensor in named.items():
        if tensor.device != device:
            raise InvalidArgumentError(
                f"{name} is on device {tensor.device}; expected {device}, the device of partial_block"
            )
        if tensor.layout is not torch.strided:
            raise InvalidArgumentError(
                f"{name} has layout {_name(tensor.layout)}; expected strided, which Tensor.to_dense() makes"
            )
