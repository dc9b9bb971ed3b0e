"""NaN and infinity: not finite exactly where the formulas are, and no other token changes a bit.

Whether such a value is NaN or infinite is not settled: a compensated sum makes NaN of infinity.
"""

import numpy as np
import pytest
from attnres import _dtypes, _reference
from attnres.testing import bits, cases, inputs, runs

# One odd width per path; with few tokens the rows of the last are cut into segments.
HIDDEN = {"FULL_H": 16, "SPLIT_H": 7730, "SPLIT_H-segments": 7730}
TOKENS = {"FULL_H": 3, "SPLIT_H": 33, "SPLIT_H-segments": 3}
ROW_OUTPUTS = ("grad_partial_block", "grad_block_res")

# Name -> (input, index, value): what is put into token 1.
POISONS = {
    "nan-in-grad_hidden_states": ("grad_hidden_states", (1, 0), np.nan),
    "inf-in-block_res": ("block_res", (1, 1, 5), np.inf),
    "minus_inf-in-partial_block": ("partial_block", (1, 3), -np.inf),
    "nan-in-probs": ("probs", (1, 0), np.nan),
    "inf-in-inv_norm": ("inv_norm", (1, 2), np.inf),
    "nan-in-block_res": ("block_res", (1, 0, 15), np.nan),
}


@pytest.mark.parametrize("soc", cases.ARCH_SOCS)
@pytest.mark.parametrize("poison", POISONS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("path", HIDDEN)
def test_poisoned_token(path, dtype, poison, soc):
    clean = inputs.make_inputs(TOKENS[path], 2, HIDDEN[path], dtype)
    name, index, value = POISONS[poison]
    poisoned = {key: array.copy() for key, array in clean.items()}
    poisoned[name][index] = value
    wanted = runs.run_guarded(clean, soc).outputs
    run = runs.run_guarded(poisoned, soc)
    assert run.statistics.path == path.split("-")[0]
    golden = _reference.evaluate(poisoned)
    for output, actual in run.outputs.items():
        finite = np.isfinite(actual.astype(np.float64))
        np.testing.assert_array_equal(finite, np.isfinite(golden[output]), err_msg=output)
        if np.isnan(value) and name in ("grad_hidden_states", "probs"):
            token = actual[1] if output in ROW_OUTPUTS else actual
            assert np.isnan(token.astype(np.float64)).all(), output
    for output in ROW_OUTPUTS:
        for token in (0, 2):
            assert bits.same_bits(run.outputs[output][token], wanted[output][token])


@pytest.mark.parametrize("soc", cases.ARCH_SOCS)
@pytest.mark.parametrize("path", HIDDEN)
def test_float16_overflow_is_infinity(path, soc):
    """A product beyond 65504 in float32 is rounded to infinity, and its neighbours keep their values."""
    given = inputs.make_inputs(TOKENS[path], 1, HIDDEN[path], _dtypes.main_dtype("float16"))
    given["probs"][...] = (2.0, -1.0)
    given["grad_hidden_states"][0, 0] = 60000
    run = runs.run_guarded(given, soc)
    assert run.outputs["grad_block_res"][0, 0, 0] == np.inf
    runs.assert_right(given, run.outputs)


@pytest.mark.parametrize("soc", cases.ARCH_SOCS)
@pytest.mark.parametrize("dtype", ["bfloat16", "float32"])
@pytest.mark.parametrize("path", HIDDEN)
def test_large_values_do_not_underflow_in_between(path, dtype, soc):
    """|V| near 1e15: inv_norm**3 would be below float32's range, (gs r)(d r) r is not."""
    dtype = _dtypes.main_dtype(dtype)
    given = inputs.make_inputs(TOKENS[path], 3, HIDDEN[path], dtype)
    for name in ("partial_block", "block_res"):
        given[name] = (given[name].astype(np.float64) * 1e15).astype(dtype.numpy)
    given |= inputs.saved_by_forward(given)
    given["grad_hidden_states"] = (given["grad_hidden_states"].astype(np.float64) * 1e10).astype(dtype.numpy)
    assert (given["inv_norm"].astype(np.float64) ** 3 < 1e-44).any()
    run = runs.run_guarded(given, soc)
    assert run.statistics.path == path.split("-")[0]
    runs.assert_right(given, run.outputs)


@pytest.mark.parametrize("soc", cases.ARCH_SOCS)
@pytest.mark.parametrize("dtype", ["bfloat16", "float32"])
@pytest.mark.parametrize("path", HIDDEN)
@pytest.mark.parametrize("values, upstream", [(1e30, 1), (1e-30, 1), (1, 1e30), (1, 1e-30)])
def test_sums_in_two_floats_near_the_ends_of_the_range(path, dtype, values, upstream, soc):
    """Low parts that underflow, and biases that would overflow, cost exactness only."""
    dtype = _dtypes.main_dtype(dtype)
    given = inputs.make_inputs(TOKENS[path], 3, HIDDEN[path], dtype)
    for name, scale in (("partial_block", values), ("block_res", values), ("grad_hidden_states", upstream)):
        given[name] = (given[name].astype(np.float64) * scale).astype(dtype.numpy)
    given |= inputs.saved_by_forward(given)
    run = runs.run_guarded(given, soc)
    assert run.statistics.path == path.split("-")[0]
    runs.assert_right(given, run.outputs)


@pytest.mark.parametrize("soc", cases.ARCH_SOCS)
@pytest.mark.parametrize("dtype", ["bfloat16", "float32"])
@pytest.mark.parametrize("path", HIDDEN)
@pytest.mark.parametrize("inv_norm", [0.0, -0.0, 1e-42, 1e-3, -1.0, 1e3, 1e9])
def test_inv_norm_that_does_not_belong_to_the_values(path, dtype, inv_norm, soc):
    """The kernels take the size of V from it: a wrong one makes sums less exact, and nothing else."""
    given = inputs.make_inputs(TOKENS[path], 3, HIDDEN[path], _dtypes.main_dtype(dtype))
    given["inv_norm"][:, 1] = inv_norm
    outputs = runs.run_guarded(given, soc).outputs
    for actual in outputs.values():
        assert np.isfinite(actual.astype(np.float64)).all()
    runs.assert_right(given, outputs)
