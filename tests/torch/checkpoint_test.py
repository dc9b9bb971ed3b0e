"""What training code does around the module: checkpointing of activations, writing to its result, many steps."""

import attnres.torch
import pytest
import torch
from torch.utils.checkpoint import checkpoint

HIDDEN = 32


class Layer(torch.nn.Module):
    """The mix, then a linear layer."""

    def __init__(self):
        super().__init__()
        self.mix = attnres.torch.BlockAttentionResiduals(HIDDEN)
        self.linear = torch.nn.Linear(HIDDEN, HIDDEN)

    def forward(self, partial_block, blocks):
        return self.linear(self.mix(partial_block, blocks))


def run(layers, rows, call):
    """Gradients of all parameters and of the rows, after the layers with one block each."""
    rows = rows.clone().requires_grad_()
    state = attnres.torch.BlockResidualState(rows)
    for layer in layers:
        state.close_block()
        state.add(call(layer, state.partial_block, state.blocks))
    state.partial_block.sum().backward()
    gradients = [rows.grad] + [p.grad.clone() for p in layers.parameters()]
    layers.zero_grad()
    return gradients


@pytest.mark.parametrize("reentrant", [False, True], ids=["saved_tensors", "reentrant"])
def test_activation_checkpointing_has_the_same_bits(reentrant):
    torch.manual_seed(1)
    layers = torch.nn.ModuleList(Layer() for _ in range(4))
    for layer in layers:
        torch.nn.init.normal_(layer.mix.proj_weight)
    rows = torch.randn(3, 5, HIDDEN)
    plain = run(layers, rows, lambda layer, *given: layer(*given))
    again = run(layers, rows, lambda layer, *given: checkpoint(layer, *given, use_reentrant=reentrant))
    assert all(map(torch.equal, plain, again))


def test_the_result_may_be_written_to():
    torch.manual_seed(1)
    mix = attnres.torch.BlockAttentionResiduals(HIDDEN)
    rows = torch.randn(5, HIDDEN, requires_grad=True)
    blocks = torch.randn(5, 3, HIDDEN)
    (expected,) = torch.autograd.grad((mix(rows, blocks) * 2 + 1).sum(), rows)
    (found,) = torch.autograd.grad(mix(rows, blocks).mul_(2).add_(1).sum(), rows)
    assert torch.equal(found, expected)


def test_results_of_earlier_steps_keep_their_values():
    """Results lie in memory that is used again, but not before they are gone."""
    torch.manual_seed(1)
    mix = attnres.torch.BlockAttentionResiduals(1024)
    kept = []
    for _ in range(6):
        rows = torch.randn(512, 1024, requires_grad=True)
        hidden = mix(rows, torch.randn(512, 2, 1024))
        hidden.sum().backward()
        kept += [(value, value.clone()) for value in (hidden.detach(), rows.grad)]
        mix(torch.randn(512, 1024), torch.randn(512, 2, 1024))  # a result that is gone at once
    assert all(torch.equal(value, copy) for value, copy in kept)
