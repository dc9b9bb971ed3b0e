"""Autocast and vmap."""

import pytest
import torch

import attnres
import attnres.torch
from attnres.torch import _operators

MIX = attnres.torch.block_attention_residuals


def make(*leading, blocks=3, hidden=17, dtype=torch.float32):
    generator = torch.Generator().manual_seed(7)

    def normal(*shape):
        return torch.randn(*shape, generator=generator).to(dtype).requires_grad_()

    return normal(*leading, hidden), normal(*leading, blocks, hidden), normal(hidden), normal(hidden)


@pytest.mark.parametrize("name", ["residuals", "residuals_forward"])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
def test_autocast_casts_all_inputs_and_gradients_have_their_dtypes(dtype, name):
    operator = getattr(_operators, name)
    tensors = make(5)
    mixed = (tensors[0].detach().to(dtype).requires_grad_(), *tensors[1:])
    with torch.autocast("cpu", dtype):
        hidden = operator(*mixed)
        hidden = hidden[0] if isinstance(hidden, tuple) else hidden
    assert hidden.dtype == dtype
    hidden.float().sum().backward()
    assert [t.grad.dtype for t in mixed] == [t.dtype for t in mixed]
    cast = [t.detach().to(dtype).requires_grad_() for t in tensors]
    expected = MIX(*cast)
    expected.float().sum().backward()
    assert torch.equal(hidden, expected)
    assert all(torch.equal(ours.grad, theirs.grad.to(ours.dtype)) for ours, theirs in zip(mixed, cast))


def test_backward_inside_the_region():
    tensors = make(5)
    with torch.autocast("cpu", torch.bfloat16):
        MIX(*tensors).sum().backward()
    assert [t.grad.dtype for t in tensors] == [torch.float32] * 4


def test_autocast_under_compile():
    tensors = make(5)

    def step(*arguments):
        with torch.autocast("cpu", torch.bfloat16):
            return MIX(*arguments)

    torch._dynamo.reset()
    compiled = torch.compile(step, fullgraph=True, backend="aot_eager")
    hidden = compiled(*tensors)
    assert hidden.dtype == torch.bfloat16 and torch.equal(hidden, step(*tensors))
    gradients = torch.autograd.grad(hidden.float().sum(), tensors)
    expected = torch.autograd.grad(step(*tensors).float().sum(), tensors)
    assert all(map(torch.equal, gradients, expected))


def test_a_region_that_is_off_changes_nothing():
    with torch.autocast("cpu", torch.bfloat16, enabled=False):
        assert MIX(*make(5)).dtype == torch.float32


def test_float64_is_not_cast():
    with torch.autocast("cpu", torch.bfloat16), pytest.raises(attnres.InvalidArgumentError, match="dtype float64"):
        MIX(*(t.double() for t in make(5)))


IN_DIMS = [(0, 0, None, None), (1, 2, None, None), (None, 0, None, None), (0, None, None, None)]


@pytest.mark.parametrize("in_dims", IN_DIMS, ids=str)
def test_vmap_over_rows_is_one_call(in_dims, monkeypatch):
    batches, tokens = 4, 3
    partial_block, blocks, proj_weight, norm_weight = (t.detach() for t in make(batches, tokens))
    whole = MIX(partial_block, blocks, proj_weight, norm_weight)
    given = [partial_block, blocks]
    for index, dim in enumerate(in_dims[:2]):
        given[index] = given[index][0] if dim is None else given[index].movedim(0, dim)
    if None in in_dims[:2]:
        shared = [t[0].expand(t.shape) if dim is None else t for t, dim in zip((partial_block, blocks), in_dims)]
        whole = MIX(*shared, proj_weight, norm_weight)
    calls = []
    original = _operators._forward.block_attention_residuals
    monkeypatch.setattr(
        _operators._forward,
        "block_attention_residuals",
        lambda *arguments, **keywords: calls.append(1) or original(*arguments, **keywords),
    )
    assert torch.equal(torch.vmap(MIX, in_dims)(*given, proj_weight, norm_weight), whole)
    assert len(calls) == 1


def test_vmap_over_weights():
    partial_block, blocks, _, norm_weight = (t.detach() for t in make(4, 3))
    queries = torch.randn(4, 17)
    found = torch.vmap(MIX, (0, 0, 0, None))(partial_block, blocks, queries, norm_weight)
    expected = [MIX(p, b, q, norm_weight) for p, b, q in zip(partial_block, blocks, queries)]
    assert torch.equal(found, torch.stack(expected))


def test_vmap_of_the_operators_with_several_results():
    partial_block, blocks, proj_weight, norm_weight = (t.detach() for t in make(4, 3))
    forward = torch.vmap(torch.ops.attnres.block_attention_residuals_forward, (0, 0, None, None))
    results = forward(partial_block, blocks, proj_weight, norm_weight)
    upstream = torch.randn(4, 3, 17)
    backward = torch.vmap(torch.ops.attnres.block_attention_residuals_backward, (0, 0, None, None, 0, 0, 0))
    found = backward(partial_block, blocks, proj_weight[None], norm_weight, upstream, *results[1:])
    for example in range(4):
        one = [t[example] for t in (partial_block, blocks, upstream, *results[1:])]
        expected = torch.ops.attnres.block_attention_residuals_backward(
            *one[:2], proj_weight[None], norm_weight, *one[2:]
        )
        assert all(torch.equal(f[example], e) for f, e in zip(found, expected, strict=True))


def test_autograd_through_vmap():
    tensors = make(4, 3)
    torch.vmap(MIX, (0, 0, None, None))(*tensors).sum().backward()
    found = [t.grad for t in tensors]
    expected = torch.autograd.grad(MIX(*tensors).sum(), tensors)
    assert all(map(torch.equal, found, expected))
