"""Small inputs of the kinds that broke comparable operators, through PyTorch, each with its right value."""

import attnres.torch
import numpy as np
import pytest
import torch
from attnres import _dtypes, _reference
from attnres.testing import forward, runs

from tests.torch import problems

DTYPES = [row.name for row in _dtypes.MAIN_DTYPES]


@pytest.fixture(autouse=True, params=forward.ARCH_SOCS)
def soc(request):
    before = attnres.torch.get_soc()
    attnres.torch.set_soc(request.param)
    yield request.param
    attnres.torch.set_soc(before)


def mix(tensors):
    return torch.ops.attnres.block_attention_residuals(**tensors)


def assert_same(left, right):
    assert set(left) == set(right)
    for name in left:
        assert problems.same_bits(left[name], right[name]), name


def assert_right(given):
    """The backward's results by float64 from the stored inputs."""
    found = problems.backward(given)
    runs.assert_right(problems.arrays(given), problems.arrays(found))
    return found


def test_upstream_gradient_without_strides():
    given = problems.saved_by_forward(problems.make(5, 2, 24, "bfloat16"))
    upstream = torch.ones(1, 1, dtype=torch.bfloat16).expand(5, 24)
    assert upstream.stride() == (0, 0)
    expected = problems.backward(given | {"grad_hidden_states": upstream.contiguous()})
    assert_same(problems.backward(given | {"grad_hidden_states": upstream}), expected)
    assert upstream.stride() == (0, 0) and (upstream == 1).all()
    tensors = problems.leaves(given)
    mix(tensors).sum().backward()
    assert_same(problems.gradients_of(tensors), expected)


def normal(*shape):
    return torch.randn(shape).to(torch.float16)


LAYOUTS = {
    "columns": lambda: (normal(4, 16), normal(4, 3, 32)[..., ::2]),
    "transposed": lambda: (normal(4, 16), normal(3, 4, 16).transpose(0, 1)),
    "partial_transposed": lambda: (normal(16, 4).t(), normal(4, 3, 16)),
    "shared_block": lambda: (normal(4, 16), normal(4, 1, 16).expand(4, 3, 16)),
    "one_row_for_all": lambda: (normal(16).expand(4, 16), normal(4, 3, 16)),
    "of_a_larger_buffer": lambda: (normal(9, 20)[3:7, 2:18], normal(4, 8, 16)[:, 2:5]),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_strides(layout):
    torch.manual_seed(1)
    given = problems.make(4, 3, 16, "float16")
    partial_block, block_res = LAYOUTS[layout]()
    strided = given | {"partial_block": partial_block, "block_res": block_res}
    contiguous = {name: value.clone(memory_format=torch.contiguous_format) for name, value in strided.items()}
    assert any(strided[name].stride() != contiguous[name].stride() for name in strided)
    results = []
    for version in (strided, contiguous):
        tensors = problems.leaves(version)
        hidden = mix(tensors)
        hidden.backward(version["grad_hidden_states"])
        results.append({"hidden": hidden.detach()} | problems.gradients_of(tensors))
    assert_same(*results)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("hidden", [3, 7, 15, 16, 17, 31, 33, 127, 513, 520, 1025])
def test_hidden_sizes_of_no_round_number(hidden, dtype):
    """Each row is followed by NaN."""
    given = problems.make(3, 2, hidden, dtype)
    expected = assert_right(problems.saved_by_forward(given))
    padded = {}
    for name in problems.FORWARD_NAMES + ("grad_hidden_states",):
        rows = torch.full((*given[name].shape[:-1], hidden + 5), float("nan"), dtype=given[name].dtype)
        rows[..., :hidden] = given[name]
        padded[name] = rows[..., :hidden]
    tensors = problems.leaves(padded)
    mix(tensors).backward(padded["grad_hidden_states"])
    assert_same(problems.gradients_of(tensors), expected)


def test_hidden_size_one():
    one = torch.ones(1, 1)
    found = problems.backward(
        {
            "partial_block": 4 * one,
            "block_res": 2 * one.view(1, 1, 1),
            "proj_weight": one,
            "norm_weight": one[0],
            "grad_hidden_states": one,
            "inv_norm": torch.tensor([[0.5, 0.25]]),
            "probs": torch.tensor([[0.5, 0.5]]),
        }
    )
    assert found["grad_block_res"].item() == 0.5 and found["grad_partial_block"].item() == 0.5
    assert found["grad_proj_weight"].item() == 0 and found["grad_norm_weight"].item() == 0


def test_hidden_size_two():
    assert_right(problems.saved_by_forward(problems.make(2048, 1, 2, "float32")))


def test_row_counts_around_2_to_16():
    given = problems.make(65537, 1, 8, "bfloat16")
    rows = []
    for tokens in (65535, 65536, 65537):
        part = {n: v if n.endswith("_weight") else v[:tokens] for n, v in given.items()}
        found = problems.backward(problems.saved_by_forward(part))
        rows.append({n: found[n][:65535] for n in ("grad_partial_block", "grad_block_res")})
    assert_same(rows[0], rows[1])
    assert_same(rows[0], rows[2])


@pytest.mark.parametrize("blocks, hidden", [(1, 65536), (1, 131072), (1, 131080), (64, 8192)])
def test_very_large_rows(blocks, hidden):
    assert_right(problems.saved_by_forward(problems.make(1, blocks, hidden, "bfloat16")))


@pytest.mark.parametrize("dtype", DTYPES)
def test_no_tokens(dtype):
    given = problems.make(0, 2, 16, dtype)
    tensors = problems.leaves(given)
    mix(tensors).sum().backward()
    found = problems.gradients_of(tensors)
    assert found["grad_partial_block"].shape == (0, 16) and found["grad_block_res"].shape == (0, 2, 16)
    assert torch.equal(found["grad_proj_weight"], torch.zeros_like(given["proj_weight"]))
    assert torch.equal(found["grad_norm_weight"], torch.zeros_like(given["norm_weight"]))


@pytest.mark.parametrize("dtype", DTYPES)
def test_no_blocks(dtype):
    given = problems.make(3, 0, 16, dtype)
    tensors = problems.leaves(given)
    hidden = mix(tensors)
    hidden.backward(given["grad_hidden_states"])
    found = problems.gradients_of(tensors)
    assert problems.same_bits(hidden.detach(), given["partial_block"])
    assert problems.same_bits(found["grad_partial_block"], given["grad_hidden_states"])
    assert found["grad_block_res"].shape == (3, 0, 16)
    assert not found["grad_proj_weight"].any() and not found["grad_norm_weight"].any()


@pytest.mark.parametrize("dtype", DTYPES)
def test_weight_gradients_are_not_summed_in_the_storage_type(dtype):
    """Each of 4096 tokens adds 1; a running sum in bfloat16 would stop at 256."""
    main = getattr(torch, dtype)
    given = {
        "partial_block": torch.ones(4096, 16, dtype=main),
        "block_res": torch.zeros(4096, 1, 16, dtype=main),
        "proj_weight": torch.zeros(1, 16, dtype=main),
        "norm_weight": torch.ones(16, dtype=main),
        "grad_hidden_states": torch.full((4096, 16), 0.25, dtype=main),
        "inv_norm": torch.ones(4096, 2),
        "probs": torch.full((4096, 2), 0.5),
    }
    found = problems.backward(given)
    assert (found["grad_proj_weight"] == 4096).all() and (found["grad_norm_weight"] == 0).all()
    assert (found["grad_partial_block"] == 0.125).all() and (found["grad_block_res"] == 0.125).all()
    tensors = problems.leaves(given)
    mix(tensors).backward(given["grad_hidden_states"])
    # Here inv_norm is 1 / sqrt(1 + 1e-6).
    exact = torch.tensor(4096 / (1 + 1e-6) ** 0.5, dtype=torch.float64)
    assert (tensors["proj_weight"].grad.double() - exact).abs().max() <= 4 * 2.0**-24 * 4096 or dtype != "float32"
    assert (tensors["proj_weight"].grad == exact.to(main)).all() or dtype == "float32"
    assert (tensors["norm_weight"].grad == 0).all()


def poison(name, given):
    value = float("inf") if name == "block_res" else float("nan")
    given = {key: tensor.clone() for key, tensor in given.items()}
    given[name][(1,) + (0,) * (given[name].dim() - 1)] = value
    return given


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["grad_hidden_states", "block_res", "probs"])
def test_what_is_not_finite_stays_where_it_belongs(name, dtype):
    given = problems.saved_by_forward(problems.make(3, 2, 16, dtype))
    clean = problems.backward(given)
    poisoned = poison(name, given)
    found, golden = problems.backward(poisoned), _reference.evaluate(problems.arrays(poisoned))
    for output, value in found.items():
        # Whether infinite or NaN is not settled: a compensated sum makes NaN of infinity.
        assert (value.isfinite().numpy() == np.isfinite(golden[output])).all(), output
        if name != "block_res":
            assert (value if output.endswith("_weight") else value[1]).isnan().all()
    for rows in ("grad_partial_block", "grad_block_res"):
        assert problems.same_bits(found[rows][::2], clean[rows][::2])


@pytest.mark.parametrize("name", ["grad_hidden_states", "block_res", "partial_block"])
def test_what_is_not_finite_goes_through_the_forward_too(name):
    given = problems.make(3, 2, 16, "float32")
    results = []
    for version in (given, poison(name, given)):
        tensors = problems.leaves(version)
        hidden = mix(tensors)
        hidden.backward(version["grad_hidden_states"])
        results.append(problems.gradients_of(tensors) | {"hidden": hidden.detach()})
    clean, found = results
    for rows in ("grad_partial_block", "grad_block_res", "hidden"):
        assert problems.same_bits(found[rows][::2], clean[rows][::2])
    assert found["grad_partial_block"][1].isnan().all()
    assert all(found[weight].isnan().all() for weight in ("grad_proj_weight", "grad_norm_weight"))


def test_the_same_bits_from_every_run():
    given = problems.saved_by_forward(problems.make(1, 1, 4, "float32"))
    first = problems.backward(given)
    for _ in range(10):
        assert_same(problems.backward(given), first)


def test_the_same_bits_from_any_number_of_threads():
    threads, results = torch.get_num_threads(), []
    given = problems.make(97, 3, 40, "float32")
    try:
        for count in (1, 2, 8):
            torch.set_num_threads(count)
            tensors = problems.leaves(given)
            hidden = mix(tensors)
            hidden.backward(given["grad_hidden_states"])
            results.append(problems.gradients_of(tensors) | {"hidden": hidden.detach()})
    finally:
        torch.set_num_threads(threads)
    assert_same(results[0], results[1])
    assert_same(results[0], results[2])


def test_a_tokens_rows_do_not_depend_on_the_other_tokens():
    given = problems.saved_by_forward(problems.make(97, 3, 40, "bfloat16"))
    whole = problems.backward(given)
    for tokens in (1, 5, 64):
        part = problems.backward({n: v if n.endswith("_weight") else v[:tokens] for n, v in given.items()})
        for rows in ("grad_partial_block", "grad_block_res"):
            assert problems.same_bits(part[rows], whole[rows][:tokens])


def test_a_gradient_that_two_branches_need_is_not_written_to():
    given = problems.make(1, 1, 4, "float32")
    upstream = torch.tensor([[1.0, 0, 0, 0]])
    kept = upstream.clone()
    tensors = problems.leaves(given)
    hidden = mix(tensors)
    seen = []
    hidden.register_hook(lambda gradient: seen.append((gradient, gradient.clone())))
    torch.autograd.backward([hidden, hidden * 1], [upstream, upstream])
    assert torch.equal(upstream, kept) and all(torch.equal(*pair) for pair in seen)
    alone = problems.leaves(given)
    mix(alone).backward(2 * upstream)
    assert_same(problems.gradients_of(tensors), problems.gradients_of(alone))
