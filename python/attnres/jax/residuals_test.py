"""block_attention_residuals in JAX as a caller sees it: transformations, shapes, refusals. tests/jax has values."""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import attnres
import attnres.jax
from attnres import _checks, _dtypes
from attnres.jax import _calls
from attnres.testing import bits, forward, inputs

MIX = attnres.jax.block_attention_residuals
NAMES = tuple(_checks.FORWARD_INPUT_DIMENSIONS)


def make(*leading, blocks=3, hidden=17, dtype="float32", seed=inputs.SEED):
    """The four inputs in JAX, with proj_weight [H]; no leading axes make one token."""
    tokens = int(np.prod(leading, dtype=int))
    given = inputs.make_inputs(tokens, blocks, hidden, _dtypes.main_dtype(dtype), seed)
    return (
        jnp.asarray(given["partial_block"].reshape(*leading, hidden)),
        jnp.asarray(given["block_res"].reshape(*leading, blocks, hidden)),
        jnp.asarray(given["proj_weight"][0]),
        jnp.asarray(given["norm_weight"]),
    )


def total(*arrays, **options):
    return jnp.sum(MIX(*arrays, **options).astype(jnp.float32))


def gradients(*arrays):
    return jax.grad(total, (0, 1, 2, 3))(*arrays)


def assert_same(left, right):
    for one, other in zip(left, right, strict=True):
        assert bits.same_bits(np.asarray(one), np.asarray(other))


@pytest.mark.parametrize("dtype", [row.name for row in _dtypes.MAIN_DTYPES])
def test_jit_changes_no_bit(dtype):
    arrays = make(5, dtype=dtype)
    assert_same([jax.jit(MIX)(*arrays)], [MIX(*arrays)])
    assert_same(jax.jit(gradients)(*arrays), gradients(*arrays))


@pytest.mark.parametrize("leading", [(5,), (1, 5), (2, 3), (2, 1, 3), (0, 3), ()], ids=str)
@pytest.mark.parametrize("proj_shape", [(17,), (1, 17)], ids=str)
def test_leading_axes_are_tokens(leading, proj_shape):
    partial_block, block_res, proj_weight, norm_weight = make(*leading)
    weights = (proj_weight.reshape(proj_shape), norm_weight)
    shaped = (partial_block, block_res, *weights)
    flat = (partial_block.reshape(-1, 17), block_res.reshape(-1, 3, 17), *weights)
    hidden = MIX(*shaped)
    assert hidden.shape == partial_block.shape
    assert_same([hidden.reshape(-1, 17)], [MIX(*flat)])
    found = gradients(*shaped)
    assert [gradient.shape for gradient in found] == [array.shape for array in shaped]
    assert_same([a.reshape(b.shape) for a, b in zip(found, flat)], gradients(*flat))


@pytest.mark.parametrize("tokens, blocks, hidden", [(0, 3, 17), (4, 3, 0), (0, 0, 0)])
def test_empty_arrays(tokens, blocks, hidden):
    arrays = make(tokens, blocks=blocks, hidden=hidden)
    assert MIX(*arrays).shape == (tokens, hidden)
    found = jax.jit(gradients)(*arrays)
    assert [gradient.shape for gradient in found] == [array.shape for array in arrays]
    assert not any(np.asarray(gradient).any() for gradient in found)


def test_without_blocks_the_partial_block_is_the_result():
    partial_block, block_res, proj_weight, norm_weight = make(5, blocks=0)
    assert_same([MIX(partial_block, block_res, proj_weight, norm_weight)], [partial_block])
    found = gradients(partial_block, block_res, proj_weight, norm_weight)
    assert (np.asarray(found[0]) == 1).all() and found[1].shape == (5, 0, 17)
    assert not np.asarray(found[2]).any() and not np.asarray(found[3]).any()


def test_some_gradients_only():
    arrays = make(5)
    everything = gradients(*arrays)
    assert_same([jax.grad(total, 2)(*arrays)], [everything[2]])
    assert_same(jax.jit(jax.grad(total, (1, 3)))(*arrays), [everything[1], everything[3]])


def test_norm_eps_and_soc_reach_the_kernels():
    arrays = make(5)
    for eps in (1e-6, 0.5, 1):
        expected = attnres.block_attention_residuals(*map(np.asarray, arrays), norm_eps=eps).hidden_states
        assert_same([jax.jit(lambda *given: MIX(*given, norm_eps=eps))(*arrays)], [expected])  # noqa: B023
    with pytest.raises(attnres.InvalidArgumentError, match="soc is 'ascend310p'; expected"):
        MIX(*arrays, soc="ascend310p")
    for soc in attnres.socs():
        if soc.name in forward.SOCS:
            assert np.isfinite(MIX(*arrays, soc=soc.name)).all()
        else:
            with pytest.raises(jax.errors.JaxRuntimeError, match="aclnn status 561003"):
                jax.block_until_ready(MIX(*arrays, soc=soc.name))


@pytest.mark.parametrize("in_axes", [(0, 0, None, None), (1, 2, None, None), (0, None, None, None), (0, 0, 0, 0)])
def test_vmap(in_axes):
    given = list(make(4, 3))
    given[2:] = [jnp.stack([w * (k + 1) for k in range(4)]) if a == 0 else w for w, a in zip(given[2:], in_axes[2:])]
    given[1] = given[1][0] if in_axes[1] is None else given[1]
    expected = [MIX(*(g if a is None else g[k] for g, a in zip(given, in_axes))) for k in range(4)]
    moved = [g if not a else jnp.moveaxis(g, 0, a) for g, a in zip(given, in_axes)]
    batched = jax.vmap(MIX, in_axes)
    assert_same(batched(*moved), expected)
    assert_same(jax.jit(batched)(*moved), expected)
    # One call for all examples unless the weights differ: else there would be a loop.
    looped = "stablehlo.while" in jax.jit(batched).lower(*moved).as_text()
    assert looped == (in_axes[2] is not None)


def test_gradients_under_vmap_and_of_it():
    arrays = make(4, 3)
    axes = (0, 0, None, None)
    each = [gradients(arrays[0][k], arrays[1][k], *arrays[2:]) for k in range(4)]
    assert_same(jax.vmap(gradients, axes)(*arrays), [np.stack(values) for values in zip(*each)])
    of_all = jax.grad(lambda *given: jnp.sum(jax.vmap(MIX, axes)(*given)), (0, 1, 2, 3))(*arrays)
    assert_same(of_all[:2], [np.stack(values) for values in list(zip(*each))[:2]])
    for found, one in zip(of_all[2:], gradients(*arrays)[2:]):
        np.testing.assert_allclose(found, one, rtol=1e-5, atol=1e-5)


def test_there_is_no_second_derivative():
    arrays = make(5)
    sentence = "can be differentiated once; it has no second derivative"
    with pytest.raises(NotImplementedError, match=sentence):
        jax.grad(lambda *given: jnp.sum(jax.grad(total)(*given) ** 2))(*arrays)
    with pytest.raises(NotImplementedError, match=sentence):
        jax.jit(jax.hessian(total))(*arrays)


FAULTS = [
    ("partial_block", lambda a: a[0, 0], "partial_block has 0 dimensions; expected at least 1: [..., hidden]"),
    (
        "block_res",
        lambda a: a[0],
        "block_res has 2 dimensions; expected 3: [..., blocks, hidden], one more than partial_block",
    ),
    ("proj_weight", lambda a: a[None, None], "proj_weight has 3 dimensions; expected 1: [hidden] or 2: [1, hidden]"),
    ("norm_weight", lambda a: a[None], "norm_weight has 2 dimensions; expected 1: [hidden]"),
    (
        "partial_block",
        lambda a: a.astype(jnp.int32),
        "partial_block has dtype int32; expected float16, bfloat16 or float32",
    ),
    (
        "block_res",
        lambda a: a.astype(jnp.bfloat16),
        "block_res has dtype bfloat16; expected float32, the dtype of partial_block",
    ),
    ("block_res", lambda a: a[1:], "block_res.shape[0] (4) does not match partial_block.shape[0] (5)"),
    ("block_res", lambda a: a[..., 1:], "block_res.shape[2] (16) does not match partial_block.shape[1] (17)"),
    (
        "block_res",
        lambda a: jnp.repeat(a, 43, 1),
        "block_res.shape[1] (129) is out of range; expected 0 to 128",
    ),
    ("proj_weight", lambda a: jnp.stack((a, a)), "proj_weight.shape[0] is 2; expected 1"),
    ("norm_weight", lambda a: a[1:], "norm_weight.shape[0] (16) does not match partial_block.shape[1] (17)"),
]


@pytest.mark.parametrize("jitted", [False, True], ids=["eager", "jit"])
@pytest.mark.parametrize("name, change, words", FAULTS, ids=[words for _, _, words in FAULTS])
def test_faults_are_refused_when_the_function_is_traced(name, change, words, jitted):
    given = dict(zip(NAMES, make(5)))
    given[name] = change(given[name])
    with pytest.raises(attnres.InvalidArgumentError) as error:
        (jax.jit(MIX) if jitted else MIX)(**given)
    assert error.value.message == words


def test_axes_that_differ_but_are_as_many_tokens_are_refused():
    partial_block, block_res, *weights = make(2, 3)
    with pytest.raises(attnres.InvalidArgumentError) as error:
        MIX(partial_block, block_res.reshape(3, 2, 3, 17), *weights)
    assert error.value.message == "block_res.shape[0] (3) does not match partial_block.shape[0] (2)"
    with pytest.raises(attnres.InvalidArgumentError) as error:
        MIX(partial_block, block_res[..., 1:], *weights)
    assert error.value.message == "block_res.shape[3] (16) does not match partial_block.shape[2] (17)"


def test_what_is_no_array_is_refused():
    arrays = make(5)
    for value, words in (
        (None, "proj_weight is None; expected an array"),
        ([1.0] * 17, "proj_weight is a list; expected an array of JAX or NumPy"),
        (np.ones(17), "proj_weight has dtype float64; expected float32, the dtype of partial_block"),
    ):
        with pytest.raises(attnres.InvalidArgumentError) as error:
            MIX(*arrays[:2], value, arrays[3])
        assert error.value.message == words
    for eps, words in ((0, "norm_eps is 0.0; expected a finite float32 above 0"), ("x", "norm_eps is a str; expected")):
        with pytest.raises(attnres.InvalidArgumentError) as error:
            MIX(*arrays, norm_eps=eps)
        assert words in error.value.message


def test_numpy_arrays_are_taken():
    arrays = make(5, dtype="bfloat16")
    numpy_arrays = list(map(np.asarray, arrays))
    assert numpy_arrays[0].dtype == ml_dtypes.bfloat16
    assert_same([MIX(*numpy_arrays)], [MIX(*arrays)])


def test_a_call_that_the_library_refuses_is_an_error():
    arrays = make(5)
    with pytest.raises(jax.errors.JaxRuntimeError, match="normEps.*aclnn status 161002"):
        jax.block_until_ready(_calls.forward(*arrays, 0.0, "ascend950"))
