"""The language model: a transformer with block attention residuals in front of each attention and MLP sub-layer.

`PlainResiduals` is what stands in for the operator in a run with --baseline; training.py trains either.
"""

import dataclasses

import attnres.torch
import torch
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

HEAD_SIZE = 32


@dataclasses.dataclass(frozen=True)
class Sizes:
    """What the weights' shapes follow from; `layers_per_block` layers make a block of the residuals."""

    vocabulary: int
    context: int
    hidden: int
    layers: int
    layers_per_block: int


class PlainResiduals(torch.nn.Module):
    """attnres.torch.BlockAttentionResiduals in PyTorch's own operations: same formulas, weights and arguments."""

    def __init__(self, hidden_size: int, eps: float = 1e-6):
        super().__init__()
        self.eps = eps
        self.proj_weight = torch.nn.Parameter(torch.zeros(hidden_size))
        self.norm_weight = torch.nn.Parameter(torch.ones(hidden_size))

    def forward(self, partial_block: torch.Tensor, blocks: torch.Tensor) -> torch.Tensor:
        values = torch.cat((blocks, partial_block.unsqueeze(-2)), -2)
        inv_norm = torch.rsqrt(values.square().mean(-1) + self.eps)
        scores = inv_norm * (values * (self.norm_weight * self.proj_weight)).sum(-1)
        return (torch.softmax(scores, -1).unsqueeze(-1) * values).sum(-2)


class Attention(torch.nn.Module):
    """Causal self-attention with heads of HEAD_SIZE."""

    def __init__(self, hidden: int):
        super().__init__()
        self.to_heads = torch.nn.Linear(hidden, 3 * hidden, bias=False)
        self.from_heads = torch.nn.Linear(hidden, hidden, bias=False)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        query, key, value = self.to_heads(rows).unflatten(-1, (3, -1, HEAD_SIZE)).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        return self.from_heads(mixed.transpose(1, 2).flatten(-2))


class MLP(torch.nn.Sequential):
    def __init__(self, hidden: int):
        super().__init__(torch.nn.Linear(hidden, 4 * hidden), torch.nn.GELU(), torch.nn.Linear(4 * hidden, hidden))


class SubLayer(torch.nn.Module):
    """Mixes the blocks, normalises the result and works on it; what it returns is added to the partial block."""

    def __init__(self, mix: torch.nn.Module, hidden: int, inner: torch.nn.Module):
        super().__init__()
        self.mix = mix
        self.norm = torch.nn.RMSNorm(hidden)
        self.inner = inner

    def forward(self, partial_block: torch.Tensor, blocks: torch.Tensor) -> torch.Tensor:
        return self.inner(self.norm(self.mix(partial_block, blocks)))


class LanguageModel(torch.nn.Module):
    """Tokens [batch, time] to logits [batch, time, vocabulary].

    `residuals` makes the module that mixes blocks, of a hidden size. `recompute` keeps the inputs of each sub-layer
    for the backward and nothing inside of it, which runs a second time then (activation checkpointing).
    """

    def __init__(self, sizes: Sizes, residuals=attnres.torch.BlockAttentionResiduals, *, recompute: bool = False):
        super().__init__()
        hidden = sizes.hidden
        self.layers_per_block = sizes.layers_per_block
        self.recompute = recompute
        self.tokens = torch.nn.Embedding(sizes.vocabulary, hidden)
        self.positions = torch.nn.Parameter(torch.randn(sizes.context, hidden) / 10)
        self.sub_layers = torch.nn.ModuleList(
            SubLayer(residuals(hidden), hidden, inner(hidden))
            for _ in range(sizes.layers)
            for inner in (Attention, MLP)
        )
        self.last = SubLayer(residuals(hidden), hidden, torch.nn.Linear(hidden, sizes.vocabulary))

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        state = attnres.torch.BlockResidualState(self.tokens(tokens) + self.positions[: tokens.shape[-1]])
        for index, sub_layer in enumerate(self.sub_layers):
            if index % (2 * self.layers_per_block) == 0:
                state.close_block()  # the embedding is the first block
            state.add(self._run(sub_layer, state))
        return self._run(self.last, state)

    def _run(self, sub_layer, state):
        if self.recompute:
            return checkpoint(sub_layer, state.partial_block, state.blocks, use_reentrant=False)
        return sub_layer(state.partial_block, state.blocks)

    def mixes(self) -> list[torch.nn.Module]:
        """The modules that mix blocks, in the order of their calls."""
        return [sub_layer.mix for sub_layer in (*self.sub_layers, self.last)]
