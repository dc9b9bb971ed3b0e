"""The operators torch.ops.attnres.*: schemas, the kernel for CPU tensors, and shapes for fake ones.

`block_attention_residuals` is the forward that a model calls. It is composite: it calls
`block_attention_residuals_forward`, which returns what the backward needs besides, and takes the first result.
_autograd.py ties the latter to `block_attention_residuals_backward`; _transforms.py has autocast and vmap.
"""

import torch

from attnres import _backward, _forward, _socs
from attnres.torch import _capture, _tensor_checks, _tensors

NAMESPACE = "attnres"
LIBRARY = torch.library.Library(NAMESPACE, "DEF")

_FORWARD_ARGUMENTS = (
    "Tensor partial_block, Tensor block_res, Tensor proj_weight, Tensor norm_weight, "
    "int valid_block_num=-1, float norm_eps=1e-06"
)
_SCHEMAS = {
    "block_attention_residuals": f"({_FORWARD_ARGUMENTS}) -> Tensor",
    "block_attention_residuals_forward": f"({_FORWARD_ARGUMENTS}) -> (Tensor, Tensor, Tensor)",
    "block_attention_residuals_backward": (
        "(Tensor partial_block, Tensor block_res, Tensor proj_weight, Tensor norm_weight, Tensor grad_hidden_states, "
        "Tensor inv_norm, Tensor probs, *, int valid_block_num=-1) -> (Tensor, Tensor, Tensor, Tensor)"
    ),
}
for _name, _schema in _SCHEMAS.items():
    # Any strides will do, so a compiler need not keep those of eager mode.
    LIBRARY.define(_name + _schema, tags=(torch.Tag.pt2_compliant_tag, torch.Tag.flexible_layout))

residuals = torch.ops.attnres.block_attention_residuals.default
residuals_forward = torch.ops.attnres.block_attention_residuals_forward.default
residuals_backward = torch.ops.attnres.block_attention_residuals_backward.default

_soc = _socs.DEFAULT_SOC


def set_soc(name: str) -> None:
    """Chooses the SoC whose kernels all later calls run, one of attnres.socs(); else InvalidArgumentError."""
    global _soc
    _soc = _socs.find_soc(name).name


def get_soc() -> str:
    """The SoC whose kernels run."""
    return _soc


def _residuals(partial_block, block_res, proj_weight, norm_weight, valid_block_num=-1, norm_eps=1e-6):
    return residuals_forward(partial_block, block_res, proj_weight, norm_weight, valid_block_num, norm_eps)[0]


def _run_forward(partial_block, block_res, proj_weight, norm_weight, valid_block_num=-1, norm_eps=1e-6):
    leading = partial_block.shape[:-1]
    rows = (partial_block, block_res)
    if len(leading) != 1:
        # Flat, axes that differ could look alike.
        _tensor_checks.check_forward((*rows, proj_weight, norm_weight), valid_block_num, norm_eps)
        rows = (partial_block.flatten(0, -2), block_res.flatten(0, -3))
    try:
        results = _forward.block_attention_residuals(
            *map(_tensors.as_array, (*rows, proj_weight, norm_weight)),
            valid_block_num=valid_block_num,
            norm_eps=norm_eps,
            soc=_soc,
            threads=torch.get_num_threads(),
        )
    except Exception:
        # Nothing wrong gets through the NumPy interface; this says it in PyTorch's words. Calls like an earlier one
        # pay for no check at all.
        _tensor_checks.check_forward((partial_block, block_res, proj_weight, norm_weight), valid_block_num, norm_eps)
        raise
    made = map(_tensors.as_tensor, results)
    return tuple(made) if len(leading) == 1 else tuple(tensor.unflatten(0, leading) for tensor in made)


def _fake_forward(partial_block, block_res, proj_weight, norm_weight, valid_block_num=-1, norm_eps=1e-6):
    _tensor_checks.check_forward((partial_block, block_res, proj_weight, norm_weight), valid_block_num, norm_eps)
    rows = (*partial_block.shape[:-1], block_res.shape[-2] + 1)
    return (
        partial_block.new_empty(partial_block.shape),
        partial_block.new_empty(rows, dtype=torch.float32),
        partial_block.new_empty(rows, dtype=torch.float32),
    )


def _run_backward(*tensors, valid_block_num=-1):
    try:
        gradients = _backward.block_attention_residuals_backward(
            *map(_tensors.as_array, tensors), valid_block_num=valid_block_num, soc=_soc, threads=torch.get_num_threads()
        )
    except Exception:
        _tensor_checks.check_backward(tensors, valid_block_num)  # as above
        raise
    _capture.observe(tensors)
    return tuple(map(_tensors.as_tensor, gradients))


def _fake_backward(*tensors, valid_block_num=-1):
    _tensor_checks.check_backward(tensors, valid_block_num)
    return tuple(tensor.new_empty(tensor.shape) for tensor in tensors[:4])


# For every device: the checks refuse those that have no kernels, in a sentence that PyTorch would not find.
LIBRARY.impl("block_attention_residuals", _residuals, "CompositeImplicitAutograd")
LIBRARY.impl("block_attention_residuals_forward", _run_forward, "CompositeExplicitAutograd")
LIBRARY.impl("block_attention_residuals_backward", _run_backward, "CompositeExplicitAutograd")
torch.library.register_fake(residuals_forward, _fake_forward, lib=LIBRARY)
torch.library.register_fake(residuals_backward, _fake_backward, lib=LIBRARY)
