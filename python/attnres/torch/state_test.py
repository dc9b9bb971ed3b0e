"""BlockResidualState: the rows that a module sees, layer after layer, and their gradients."""

import pytest
import torch

import attnres
from attnres.torch._state import BlockResidualState


def rows_of(state):
    return torch.cat((state.blocks, state.partial_block.unsqueeze(-2)), -2)


def test_rows_are_the_sums_between_closings():
    outputs = list(torch.randn(7, 2, 3, 4))
    state = BlockResidualState(outputs[0])
    assert len(state) == 0 and state.blocks.shape == (2, 3, 0, 4)
    state.add(outputs[1])
    first = outputs[0] + outputs[1]
    assert torch.equal(state.partial_block, first)
    state.close_block()
    assert len(state) == 1 and torch.equal(rows_of(state), first.unsqueeze(-2))
    state.add(outputs[2])
    assert len(state) == 1 and torch.equal(rows_of(state), torch.stack((first, outputs[2]), -2))
    state.add(outputs[3])
    second = outputs[2] + outputs[3]
    state.close_block()
    assert len(state) == 2 and torch.equal(rows_of(state), torch.stack((first, second), -2))
    state.add(outputs[4])
    assert torch.equal(rows_of(state), torch.stack((first, second, outputs[4]), -2))
    assert state.blocks.is_contiguous()


def test_blocks_stay_one_tensor_within_a_block():
    state = BlockResidualState(torch.randn(3, 4))
    state.close_block()
    state.add(torch.randn(3, 4))
    blocks = state.blocks
    state.add(torch.randn(3, 4))
    state.close_block()
    assert state.blocks is blocks


def test_an_empty_state():
    state = BlockResidualState()
    assert len(state) == 0 and state.partial_block is None and state.blocks is None
    state.add(torch.ones(3, 4))
    assert torch.equal(rows_of(state), torch.ones(3, 1, 4))


@pytest.mark.parametrize("begin", [lambda: BlockResidualState(), lambda: closed()], ids=["empty", "closed"])
def test_nothing_to_close(begin):
    with pytest.raises(attnres.InvalidArgumentError, match="close_block has no partial block to close"):
        begin().close_block()


def closed():
    state = BlockResidualState(torch.ones(3, 4))
    state.close_block()
    return state


def test_tensors_that_were_handed_out_are_never_written():
    state = BlockResidualState(torch.randn(3, 4))
    handed = []
    for _ in range(3):
        handed += [(t, t.clone(), t._version) for t in (state.partial_block, state.blocks)]
        state.add(torch.randn(3, 4))
        state.close_block()
        state.add(torch.randn(3, 4))
    assert all(torch.equal(t, copy) and t._version == version for t, copy, version in handed)


def test_gradients_are_those_of_plain_sums():
    weights = torch.randn(6, 5, dtype=torch.float64)
    outputs = torch.randn(6, 3, 4, dtype=torch.float64, requires_grad=True)

    def with_state():
        state, total = BlockResidualState(), 0
        for index, output in enumerate(outputs):
            state.add(output)
            total = total + (rows_of(state) * weights[index, : len(state) + 1, None]).sum()
            if index % 2:
                state.close_block()
        return total

    def plain():
        blocks, partial, total = [], None, 0
        for index, output in enumerate(outputs):
            partial = output if partial is None else partial + output
            total = total + (torch.stack((*blocks, partial), -2) * weights[index, : len(blocks) + 1, None]).sum()
            if index % 2:
                blocks.append(partial)
                partial = None
        return total

    assert torch.allclose(with_state(), plain())
    assert torch.allclose(*(torch.autograd.grad(f(), outputs)[0] for f in (with_state, plain)), rtol=1e-13, atol=0)
