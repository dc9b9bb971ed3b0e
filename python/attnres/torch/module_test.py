"""BlockAttentionResiduals and the function behind it."""

import copy

import pytest
import torch

import attnres
import attnres.torch

HIDDEN = 16


def make(*leading, blocks=3, dtype=torch.float32):
    generator = torch.Generator().manual_seed(3)
    shape = (*leading, blocks, HIDDEN)
    rows = torch.randn(shape, generator=generator).to(dtype)
    return torch.randn(*leading, HIDDEN, generator=generator).to(dtype), rows


def test_a_new_module():
    module = attnres.torch.BlockAttentionResiduals(HIDDEN, 1e-5, dtype=torch.bfloat16)
    assert torch.equal(module.proj_weight, torch.zeros(HIDDEN, dtype=torch.bfloat16))
    assert torch.equal(module.norm_weight, torch.ones(HIDDEN, dtype=torch.bfloat16))
    assert list(dict(module.named_parameters())) == ["proj_weight", "norm_weight"]
    assert repr(module) == "BlockAttentionResiduals(16, eps=1e-05)"
    assert attnres.torch.BlockAttentionResiduals(HIDDEN, device="meta").norm_weight.is_meta


def test_a_new_module_mixes_rows_alike():
    partial_block, blocks = make(4)
    mean = torch.cat((blocks, partial_block.unsqueeze(-2)), -2).double().mean(-2)
    found = attnres.torch.BlockAttentionResiduals(HIDDEN)(partial_block, blocks)
    # Four equal shares of rows of about 1: a rounding each, and one of the sum.
    assert (found - mean).abs().max() < 8 * 2.0**-24 * blocks.abs().max()


@pytest.mark.parametrize("leading", [(), (4,), (2, 3)], ids=str)
@pytest.mark.parametrize("kind", [list, tuple])
def test_a_list_of_blocks(kind, leading):
    partial_block, blocks = make(*leading)
    module = attnres.torch.BlockAttentionResiduals(HIDDEN)
    torch.nn.init.normal_(module.proj_weight)
    listed = [b.clone().requires_grad_() for b in blocks.unbind(-2)]
    stacked = blocks.clone().requires_grad_()
    ours, expected = module(partial_block, kind(listed)), module(partial_block, stacked)
    assert ours.shape == partial_block.shape and torch.equal(ours, expected)
    ours.sum().backward()
    expected.sum().backward()
    assert torch.equal(torch.stack([b.grad for b in listed], -2), stacked.grad)


def test_no_blocks():
    partial_block, _ = make(4)
    module = attnres.torch.BlockAttentionResiduals(HIDDEN)
    assert torch.equal(module(partial_block, []), partial_block)
    assert torch.equal(module(partial_block, partial_block.new_empty(4, 0, HIDDEN)), partial_block)


@pytest.mark.parametrize(
    "blocks, words",
    [
        (3, "blocks is a int; expected a tensor or a list of tensors"),
        ([torch.ones(4, HIDDEN), 2.0], r"blocks\[1\] is a float; expected a tensor"),
        ([torch.ones(4, HIDDEN), torch.ones(5, HIDDEN)], r"blocks\[1\] has shape \(5, 16\); expected \(4, 16\)"),
        ([torch.ones(4, HIDDEN, dtype=torch.float64)], "block_res has dtype float64; expected float32"),
    ],
)
def test_wrong_blocks(blocks, words):
    with pytest.raises(attnres.InvalidArgumentError, match=words):
        attnres.torch.BlockAttentionResiduals(HIDDEN)(torch.ones(4, HIDDEN), blocks)


def test_eps_reaches_the_operator():
    partial_block, blocks = make(4)
    partial_block, blocks = partial_block * 1e-3, blocks * 1e-3
    results = []
    for eps in (1e-6, 1.0):
        module = attnres.torch.BlockAttentionResiduals(HIDDEN, eps)
        torch.nn.init.ones_(module.proj_weight)
        results.append(module(partial_block, blocks))
    assert not torch.equal(*results)


def test_state_dict_copies_and_moves():
    module = attnres.torch.BlockAttentionResiduals(HIDDEN)
    torch.nn.init.normal_(module.proj_weight)
    other = attnres.torch.BlockAttentionResiduals(HIDDEN)
    other.load_state_dict(module.state_dict())
    partial_block, blocks = make(4)
    assert torch.equal(other(partial_block, blocks), module(partial_block, blocks))
    half = copy.deepcopy(module).to(torch.bfloat16)
    assert half(partial_block.bfloat16(), blocks.bfloat16()).dtype == torch.bfloat16


def test_the_zero_query_of_a_first_step():
    """grad_norm_weight is exactly 0 and gradV exactly probs * grad_hidden; a quarter is exact."""
    partial_block, blocks = make(5)
    module = attnres.torch.BlockAttentionResiduals(HIDDEN)
    partial_block.requires_grad_()
    blocks.requires_grad_()
    upstream = torch.randn(5, HIDDEN)
    module(partial_block, blocks).backward(upstream)
    assert torch.equal(module.norm_weight.grad, torch.zeros(HIDDEN))
    assert torch.equal(partial_block.grad, upstream * 0.25)
    assert torch.equal(blocks.grad, (upstream * 0.25).unsqueeze(-2).expand(-1, 3, -1))
    assert module.proj_weight.grad.abs().max() > 0
