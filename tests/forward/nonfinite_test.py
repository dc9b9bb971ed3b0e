"""NaN and infinity: not finite exactly where the formulas are, and no other token changes a bit."""

import numpy as np
import pytest
from attnres import _dtypes
from attnres.testing import bits, cases, forward, inputs

HIDDEN = {"FULL_H": 17, "SPLIT_H": 40002}

# Name -> (input, index, value): what is put into token 1 of 3, or into a weight.
POISONS = {
    "nan-in-block_res": ("block_res", (1, 0, 15), np.nan),
    "inf-in-block_res": ("block_res", (1, 1, 5), np.inf),
    "minus_inf-in-partial_block": ("partial_block", (1, 3), -np.inf),
    "nan-in-partial_block": ("partial_block", (1, 16), np.nan),
}


@pytest.mark.parametrize("soc", forward.ARCH_SOCS)
@pytest.mark.parametrize("poison", POISONS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("path", HIDDEN)
def test_poisoned_token(path, dtype, poison, soc):
    clean = inputs.make_inputs(3, 2, HIDDEN[path], dtype)
    name, index, value = POISONS[poison]
    poisoned = clean | {name: clean[name].copy()}
    poisoned[name][index] = value
    wanted = forward.run_guarded(clean, soc).outputs
    run = forward.run_guarded(poisoned, soc)
    assert run.statistics.path == path
    golden = forward.evaluate(poisoned)
    for output, actual in run.outputs.items():
        finite = np.isfinite(actual.astype(np.float64))
        np.testing.assert_array_equal(finite, np.isfinite(golden[output]), err_msg=output)
        for token in (0, 2):
            assert bits.same_bits(actual[token], wanted[output][token]), output
    # The norm of an infinite row is infinite, that of the token's other rows what it was.
    outputs = {name: run.outputs[name] for name in ("inv_norm", "hidden_states")}
    forward.assert_right(poisoned, outputs, soc)


@pytest.mark.parametrize("soc", forward.ARCH_SOCS)
@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("path", HIDDEN)
def test_poisoned_weight_spares_the_norms(path, value, soc):
    given = inputs.make_inputs(3, 2, HIDDEN[path], _dtypes.main_dtype("float32"))
    wanted = forward.run_guarded(given, soc).outputs
    given["norm_weight"][4] = value
    outputs = forward.run_guarded(given, soc).outputs
    assert bits.same_bits(outputs["inv_norm"], wanted["inv_norm"])
    golden = forward.evaluate(given)
    for name in ("probs", "hidden_states"):
        np.testing.assert_array_equal(np.isfinite(outputs[name]), np.isfinite(golden[name]), err_msg=name)


@pytest.mark.parametrize("soc", forward.ARCH_SOCS)
@pytest.mark.parametrize("path", HIDDEN)
def test_equal_scores_share_and_far_ones_vanish(path, soc):
    """A row of zeros has score 0; rows that are far below the largest get exactly 0."""
    hidden = HIDDEN[path]
    given = inputs.make_inputs(2, 2, hidden, _dtypes.main_dtype("float32"))
    given["block_res"][...] = 0
    given["partial_block"][...] = 0
    outputs = forward.run_guarded(given, soc).outputs
    np.testing.assert_allclose(outputs["probs"], 1 / 3, rtol=1e-7)
    given["norm_weight"][...] = 1
    given["proj_weight"][...] = 200 / hidden
    given["partial_block"][...] = 1
    given["block_res"][:, 0] = -1
    outputs = forward.run_guarded(given, soc).outputs
    np.testing.assert_array_equal(outputs["probs"], np.tile(np.float32([0, 0, 1]), (2, 1)))
    np.testing.assert_array_equal(outputs["hidden_states"], given["partial_block"])
