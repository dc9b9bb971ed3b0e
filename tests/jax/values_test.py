"""Values through JAX, under jit and grad: the bits of the NumPy functions, and right by float64.

The forward's result lies within tolerances that attnres.testing.forward derives; the gradients are right by float64
from what the forward saved, within those of attnres._reference.
"""

import attnres
import attnres.jax
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from attnres import _checks, _dtypes
from attnres.testing import bits, cases, forward, inputs, runs

SHAPES = ((6, 3, 33), (3, 8, 300), (2, 2, 7264), (70, 0, 16), (1, 20, 8192), (4, 128, 7))
GRADIENTS = dict(zip(_checks.FORWARD_INPUT_DIMENSIONS, _checks.OUTPUT_NAMES))


def mix_and_gradients(given, soc):
    """hidden_states and the four gradients through JAX, as NumPy arrays by name; one program."""

    @jax.jit
    def step(tensors, upstream):
        def mix(tensors):
            return attnres.jax.block_attention_residuals(**tensors, soc=soc)

        hidden, pull = jax.vjp(mix, tensors)
        return hidden, pull(upstream)[0]

    tensors = {name: jnp.asarray(given[name]) for name in GRADIENTS}
    hidden, gradients = step(tensors, jnp.asarray(given["grad_hidden_states"]))
    named = {GRADIENTS[name]: np.asarray(value) for name, value in gradients.items()}
    return np.asarray(hidden), named


def mix_and_gradients_of_numpy(given, soc):
    """The same by the NumPy functions, with the seven inputs of the backward."""
    mixture = attnres.block_attention_residuals(**forward.pick(given), soc=soc)
    saved = given | {"inv_norm": mixture.inv_norm, "probs": mixture.probs}
    return mixture, attnres.block_attention_residuals_backward(**saved, soc=soc)._asdict(), saved


def assert_bits_of_numpy(given, soc):
    """Returns what came through JAX, and the backward's inputs."""
    hidden, gradients = mix_and_gradients(given, soc)
    mixture, expected, saved = mix_and_gradients_of_numpy(given, soc)
    assert bits.same_bits(hidden, mixture.hidden_states)
    for name, value in expected.items():
        assert bits.same_bits(gradients[name], value), name
    return hidden, gradients, saved


@pytest.mark.parametrize("soc", forward.SOCS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "T%d-N%d-H%d" % shape)
def test_bits_of_numpy_and_right_by_float64(shape, dtype, soc):
    given = inputs.make_inputs(*shape, dtype)
    hidden, gradients, saved = assert_bits_of_numpy(given, soc)
    forward.assert_right(forward.pick(given), {"hidden_states": hidden}, soc)
    runs.assert_right(saved, gradients)


@pytest.mark.parametrize("soc", forward.SOCS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_a_query_of_zeros(dtype, soc):
    given = inputs.make_inputs(6, 3, 65, dtype)
    given["proj_weight"] = np.zeros_like(given["proj_weight"])
    _, gradients, saved = assert_bits_of_numpy(given, soc)
    assert not gradients["grad_norm_weight"].any()
    assert gradients["grad_proj_weight"].any()
    rows = saved["probs"][..., np.newaxis].astype(np.float64) * given["grad_hidden_states"][:, np.newaxis]
    expected = _dtypes.round_to(rows, dtype)
    np.testing.assert_array_equal(gradients["grad_block_res"].astype(np.float64), expected[:, :-1])
    np.testing.assert_array_equal(gradients["grad_partial_block"].astype(np.float64), expected[:, -1])


@pytest.mark.parametrize("soc", forward.SOCS)
def test_subnormal_numbers_are_not_flushed(soc):
    """XLA's threads flush them to zero; the kernels must not notice."""
    given = inputs.make_inputs(3, 2, 40, _dtypes.main_dtype("float32"))
    for name in ("partial_block", "block_res", "grad_hidden_states"):
        given[name] = given[name] * np.float32(1e-40)
    hidden, gradients, _ = assert_bits_of_numpy(given, soc)
    assert hidden.any() and gradients["grad_block_res"].any()
    assert np.abs(hidden).max() < np.finfo(np.float32).tiny


@pytest.mark.parametrize("soc", forward.SOCS)
def test_values_that_are_not_finite(soc):
    given = inputs.make_inputs(5, 2, 40, _dtypes.main_dtype("bfloat16"))
    given["block_res"][1, 0, 3] = ml_dtypes.bfloat16("nan")
    given["partial_block"][3, 7] = ml_dtypes.bfloat16("inf")
    hidden, _, _ = assert_bits_of_numpy(given, soc)
    assert [bool(np.isfinite(row.astype(np.float32)).all()) for row in hidden] == [True, False, True, False, True]
