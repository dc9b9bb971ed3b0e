"""Autograd: which gradients come, what is kept, what is never touched. tests/torch compares values with float64."""

import gc
import itertools
import weakref

import pytest
import torch

from attnres import _checks, _dtypes
from attnres.testing import inputs
from attnres.torch import _operators, _tensors

NAMES = tuple(_checks.FORWARD_INPUT_DIMENSIONS)
SUBSETS = [subset for size in range(5) for subset in itertools.combinations(NAMES, size)]


def make(wanted=NAMES, shape=(5, 3, 17), dtype="float32"):
    given = inputs.make_inputs(*shape, _dtypes.main_dtype(dtype))
    return {name: _tensors.as_tensor(given[name]).requires_grad_(name in wanted) for name in NAMES}


def mix(given):
    return torch.ops.attnres.block_attention_residuals(**given)


@pytest.fixture
def backward_calls(monkeypatch):
    """The calls of the backward's kernel."""
    calls = []
    original = _operators._backward.block_attention_residuals_backward

    def spy(*arguments, **keywords):
        calls.append(arguments)
        return original(*arguments, **keywords)

    monkeypatch.setattr(_operators._backward, "block_attention_residuals_backward", spy)
    return calls


@pytest.mark.parametrize("wanted", SUBSETS, ids=lambda subset: "+".join(subset) or "none")
def test_only_wanted_gradients_come(wanted, backward_calls):
    everything = make()
    upstream = torch.randn(5, 17)
    expected = torch.autograd.grad(mix(everything), list(everything.values()), upstream)
    backward_calls.clear()
    given = make(wanted)
    hidden = mix(given)
    assert (hidden.grad_fn is not None) == bool(wanted)
    if wanted:
        hidden.backward(upstream)
    assert len(backward_calls) == (1 if wanted else 0)
    for (name, tensor), gradient in zip(given.items(), expected):
        if name in wanted:
            assert torch.equal(tensor.grad, gradient) and tensor.grad.stride() == tensor.stride()
            assert tensor.grad.dtype == tensor.dtype
        else:
            assert tensor.grad is None


def test_no_graph_without_grad_mode():
    with torch.no_grad():
        assert mix(make()).grad_fn is None
    with torch.inference_mode():
        assert mix(make()).is_inference()


@pytest.mark.parametrize("leading", [(5,), (1, 5), (5, 1)], ids=str)
@pytest.mark.parametrize("proj_shape", [(17,), (1, 17)], ids=str)
def test_gradients_have_the_inputs_shapes(leading, proj_shape):
    given = make()
    shaped = {
        "partial_block": given["partial_block"].detach().view(*leading, 17),
        "block_res": given["block_res"].detach().view(*leading, 3, 17),
        "proj_weight": given["proj_weight"].detach().view(proj_shape),
        "norm_weight": given["norm_weight"].detach(),
    }
    shaped = {name: value.requires_grad_() for name, value in shaped.items()}
    mix(shaped).sum().backward()
    mix(given).sum().backward()
    for name in NAMES:
        assert shaped[name].grad.shape == shaped[name].shape and shaped[name].grad.is_contiguous()
        assert torch.equal(shaped[name].grad.flatten(), given[name].grad.flatten())


def test_a_result_of_which_nothing_is_used_costs_nothing(backward_calls):
    given = make()
    hidden, inv_norm, probs = torch.ops.attnres.block_attention_residuals_forward(**given)
    assert hidden.requires_grad and not inv_norm.requires_grad and not probs.requires_grad
    other = given["partial_block"].sum()
    (other + 0 * hidden.detach().sum()).backward()
    assert backward_calls == []


class _WithoutGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, value):
        return value.clone()

    @staticmethod
    def backward(ctx, gradient):
        return None


def test_no_gradient_comes_in(backward_calls):
    given = make()
    other = given["partial_block"].sum()
    (_WithoutGradient.apply(mix(given)).sum() + other).backward()
    assert backward_calls == [] and given["block_res"].grad is None
    assert torch.equal(given["partial_block"].grad, torch.ones(5, 17))


def test_what_was_saved_stays_alive():
    given = make()
    expected = torch.autograd.grad(mix(given).sum(), given["norm_weight"])[0]
    watched = weakref.ref(given["block_res"])
    hidden, norm_weight = mix(given), given["norm_weight"]
    del given
    gc.collect()
    scribble = [torch.full((5, 3, 17), float("nan")) for _ in range(64)]  # into memory that was freed too early
    assert watched() is not None
    hidden.sum().backward()
    assert torch.equal(norm_weight.grad, expected) and len(scribble) == 64
    del hidden
    gc.collect()
    assert watched() is None


@pytest.mark.parametrize("name", NAMES)
def test_a_saved_input_that_is_written_to_is_an_error(name):
    given = make()
    hidden = mix(given)
    with torch.no_grad():
        given[name].add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        hidden.sum().backward()


def test_nothing_is_written_but_gradients():
    given = make()
    upstream = torch.randn(5, 17)
    kept = upstream.clone()
    copies = {name: value.detach().clone() for name, value in given.items()}
    hidden = mix(given)
    result = hidden.detach().clone()
    (hidden * 2).backward(upstream, retain_graph=True)
    hidden.backward(upstream)
    assert torch.equal(upstream, kept) and torch.equal(hidden, result)
    assert all(torch.equal(given[name], copies[name]) for name in NAMES)


def test_backward_twice_needs_and_honours_retain_graph():
    given = make()
    hidden = mix(given).sum()
    first = torch.autograd.grad(hidden, list(given.values()), retain_graph=True)
    second = torch.autograd.grad(hidden, list(given.values()))
    assert all(map(torch.equal, first, second))
    with pytest.raises(RuntimeError, match="second time"):
        torch.autograd.grad(hidden, list(given.values()))


def test_the_second_derivative_is_refused():
    given = make()
    (gradient,) = torch.autograd.grad(mix(given).sum(), given["partial_block"], create_graph=True)
    with pytest.raises(RuntimeError, match="^attnres::block_attention_residuals can be differentiated once"):
        gradient.sum().backward()


def test_hooks_see_the_gradient_once():
    given = make()
    seen = []
    given["block_res"].register_hook(lambda gradient: seen.append(gradient.shape))
    hidden = mix(given)
    (hidden + hidden).sum().backward()
    assert seen == [(5, 3, 17)]


def test_threads_of_the_caller():
    """Backward passes of two graphs in two threads at once."""
    import concurrent.futures

    def run(seed):
        given = make(shape=(64, 3, 64))
        # A generator of its own: the one that manual_seed sets is the threads' together.
        upstream = torch.randn(64, 64, generator=torch.Generator().manual_seed(seed))
        return torch.autograd.grad(mix(given), list(given.values()), upstream)

    alone = [run(seed) for seed in range(4)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        together = list(pool.map(run, range(4)))
    assert all(torch.equal(a, b) for one, other in zip(alone, together) for a, b in zip(one, other))
