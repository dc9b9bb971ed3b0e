"""BlockResidualState: the residuals of a model between its layers."""

import torch

from attnres._errors import InvalidArgumentError


class BlockResidualState:
    """The closed blocks, and the partial block that layers add to; a new one for each forward pass.

    While no partial block has been begun after `close_block`, the block that was closed last stands in for it: the
    rows that a module mixes are the same, in the same order.

    The blocks are one contiguous tensor, which the kernels read without a copy. A block enters it once, by a copy
    of all blocks into a new tensor when the next block begins: no tensor that autograd has kept is ever written to.
    So N blocks cost N*(N+1)/2 rows a token of copying and, until the backward, of memory, however many layers a
    block has; a list of blocks that every call stacks costs as much for each layer of a block.

    Attributes:
        partial_block: [..., H]; None before the first `add`.
        blocks: [..., N, H] without the row that partial_block holds.
    """

    def __init__(self, partial_block: torch.Tensor | None = None):
        """`partial_block`: the first block's beginning, such as the embedding of the tokens."""
        self.partial_block = None
        self.blocks = None
        self._begun = False
        if partial_block is not None:
            self.add(partial_block)

    def add(self, output: torch.Tensor) -> None:
        """Adds a layer's output to the partial block, and begins one with it where there is none."""
        if self._begun:
            self.partial_block = self.partial_block + output
            return
        if self.partial_block is None:
            self.blocks = output.new_empty((*output.shape[:-1], 0, output.shape[-1]))
        else:
            self.blocks = torch.cat((self.blocks, self.partial_block.unsqueeze(-2)), -2)
        self.partial_block = output
        self._begun = True

    def close_block(self) -> None:
        """The partial block is complete: the next `add` begins another."""
        if not self._begun:
            raise InvalidArgumentError("close_block has no partial block to close; expected add before it")
        self._begun = False

    def __len__(self) -> int:
        """How many blocks are closed."""
        if self.partial_block is None:
            return 0
        return self.blocks.shape[-2] + (not self._begun)
