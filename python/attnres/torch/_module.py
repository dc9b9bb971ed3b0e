"""The function and the nn.Module: what a model calls. _state.py keeps the blocks between two calls."""

from collections.abc import Sequence

import torch

from attnres._errors import InvalidArgumentError
from attnres._forward import DEFAULT_NORM_EPS
from attnres.torch import _operators


def block_attention_residuals(
    partial_block: torch.Tensor,
    blocks: torch.Tensor | Sequence[torch.Tensor],
    proj_weight: torch.Tensor,
    norm_weight: torch.Tensor,
    *,
    norm_eps: float = DEFAULT_NORM_EPS,
) -> torch.Tensor:
    """Mixes the blocks and the partial block of each token by attention over them.

    The score of a row is proj_weight · (norm_weight * row / rms(row)); the result is the sum of the rows, weighted
    by the softmax of the scores. float32 inside, rounded once.

    Args:
        partial_block: [..., H]: the sum of the layers' outputs since the last block was closed.
        blocks: [..., N, H], any strides, or N tensors [..., H], which are stacked (one copy); N from 0 to 128.
        proj_weight: [H] or [1, H]: the query.
        norm_weight: [H]: weight of the RMS norm.
        norm_eps: added to the mean square.

    Returns:
        [..., H] in the dtype of partial_block: float16, bfloat16 or float32, the same for all four.

    Raises:
        InvalidArgumentError: an argument is wrong; the message has its name, what was expected and what came.
    """
    if not isinstance(blocks, torch.Tensor):
        blocks = _stack(partial_block, blocks)
    vector = partial_block.dim() == 1
    if vector:
        partial_block, blocks = partial_block.unsqueeze(0), blocks.unsqueeze(0)
    hidden = _operators.residuals(partial_block, blocks, proj_weight, norm_weight, -1, norm_eps)
    return hidden.squeeze(0) if vector else hidden


def _stack(partial_block, blocks):
    if not isinstance(blocks, Sequence):
        raise InvalidArgumentError(f"blocks is a {type(blocks).__name__}; expected a tensor or a list of tensors")
    if not blocks:
        return partial_block.new_empty((*partial_block.shape[:-1], 0, partial_block.shape[-1]))
    for index, block in enumerate(blocks):
        if not isinstance(block, torch.Tensor):
            raise InvalidArgumentError(f"blocks[{index}] is a {type(block).__name__}; expected a tensor")
        if block.shape != partial_block.shape:
            raise InvalidArgumentError(
                f"blocks[{index}] has shape {tuple(block.shape)}; "
                f"expected {tuple(partial_block.shape)}, that of partial_block"
            )
    return torch.stack(tuple(blocks), -2)


class BlockAttentionResiduals(torch.nn.Module):
    """Block attention residuals with their two weights, [hidden_size] each.

    proj_weight, the query, starts at zero and norm_weight at one, so that a new model mixes all rows alike.
    """

    def __init__(self, hidden_size: int, eps: float = DEFAULT_NORM_EPS, *, device=None, dtype=None):
        super().__init__()
        self.hidden_size = hidden_size
        self.eps = eps
        self.proj_weight = torch.nn.Parameter(torch.empty(hidden_size, device=device, dtype=dtype))
        self.norm_weight = torch.nn.Parameter(torch.empty(hidden_size, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        torch.nn.init.zeros_(self.proj_weight)
        torch.nn.init.ones_(self.norm_weight)

    def forward(self, partial_block: torch.Tensor, blocks: torch.Tensor | Sequence[torch.Tensor]) -> torch.Tensor:
        """[..., hidden_size] of a partial block [..., hidden_size] and blocks as block_attention_residuals has them."""
        return block_attention_residuals(partial_block, blocks, self.proj_weight, self.norm_weight, norm_eps=self.eps)

    def extra_repr(self) -> str:
        return f"{self.hidden_size}, eps={self.eps}"
