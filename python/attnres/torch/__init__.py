"""Block attention residuals in PyTorch on CPU tensors: operators, a module, and the state of a model's residuals.

The tensors' memory goes to the operator's own kernels as it is; see docs/pytorch.md for a whole model.

    mix = attnres.torch.BlockAttentionResiduals(hidden_size)
    hidden = mix(partial_block, blocks)  # [..., H], and [..., N, H] or a list of N [..., H]

Importing it registers torch.ops.attnres.block_attention_residuals and its backward, with autograd, shape
inference for torch.compile and torch.export, autocast and vmap. A wrong argument raises
attnres.InvalidArgumentError (also a ValueError).
"""

try:
    import torch as _torch  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "torch":
        raise
    raise ImportError("attnres.torch needs PyTorch, which is not installed; `pip install torch` brings it") from None

from attnres.torch import _autograd, _transforms  # noqa: F401  (they register what they hold)
from attnres.torch._module import BlockAttentionResiduals, block_attention_residuals
from attnres.torch._operators import get_soc, set_soc
from attnres.torch._state import BlockResidualState

__all__ = [
    "BlockAttentionResiduals",
    "BlockResidualState",
    "block_attention_residuals",
    "get_soc",
    "set_soc",
]
