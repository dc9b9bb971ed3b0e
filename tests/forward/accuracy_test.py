"""How exact the results are, beyond the tolerance of the grid."""

import numpy as np
import pytest
from attnres import _dtypes
from attnres.testing import cases, forward, inputs


@pytest.mark.parametrize("soc", forward.ARCH_SOCS)
@pytest.mark.parametrize("hidden", [64, 1168, 8192, 32768], ids=lambda h: f"H{h}")
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_16_bit_outputs_within_one_ulp_where_nothing_cancels(dtype, hidden, soc):
    """Nothing cancels where the terms are no more than 16 times their sum; nearly all are the rounded golden itself."""
    dtype = _dtypes.main_dtype(dtype)
    given = inputs.make_inputs(20, 4, hidden, dtype)
    actual = forward.run_guarded(given, soc).outputs["hidden_states"].astype(np.float64)
    golden = forward.evaluate(given)["hidden_states"]
    sizes = forward.evaluate({name: np.abs(value) for name, value in given.items()})["hidden_states"]
    clear = sizes < 16 * np.abs(golden)
    assert clear.mean() > 0.9
    off = np.abs(actual - _dtypes.round_to(golden, dtype))
    assert (off[clear] <= _dtypes.ulp(golden, dtype)[clear]).all()
    assert (off == 0).mean() > 0.99


@pytest.mark.parametrize("soc", forward.ARCH_SOCS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("hidden", [520, 40002], ids=["FULL_H", "SPLIT_H"])
def test_scores_that_cancel(dtype, hidden, soc):
    """d is ten times smaller than its terms and more, and scores are in the hundreds."""
    given = inputs.make_inputs(8, 3, hidden, dtype)
    given["proj_weight"] = (given["proj_weight"].astype(np.float64) * 300).astype(dtype.numpy)
    for name in ("partial_block", "block_res"):
        values = given[name].astype(np.float64)
        values[..., 1::2] = -values[..., 0 : hidden // 2 * 2 : 2]
        given[name] = values.astype(dtype.numpy)
    pairs = given["proj_weight"][:, 0 : hidden // 2 * 2 : 2]
    given["proj_weight"][:, 1::2] = pairs
    run = forward.run_guarded(given, soc)
    assert run.statistics.path == ("FULL_H" if hidden == 520 else "SPLIT_H")
    forward.assert_right(given, run.outputs, soc)


@pytest.mark.parametrize("soc", forward.ARCH_SOCS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("hidden", [33, 300001], ids=["FULL_H", "SPLIT_H"])
def test_without_blocks_the_partial_block_is_the_result(dtype, hidden, soc):
    given = inputs.make_inputs(5, 0, hidden, dtype)
    outputs = forward.run_guarded(given, soc).outputs
    np.testing.assert_array_equal(outputs["hidden_states"], given["partial_block"])
    assert (outputs["probs"] == 1).all()


@pytest.mark.parametrize("soc", forward.ARCH_SOCS)
@pytest.mark.parametrize("dtype", ["bfloat16", "float32"])
@pytest.mark.parametrize("hidden", [16, 40002], ids=["FULL_H", "SPLIT_H"])
@pytest.mark.parametrize("scale", [1e15, 1e-15, 1e-30])
def test_values_far_from_one(scale, hidden, dtype, soc):
    dtype = _dtypes.main_dtype(dtype)
    given = inputs.make_inputs(3, 3, hidden, dtype)
    for name in ("partial_block", "block_res"):
        given[name] = (given[name].astype(np.float64) * scale).astype(dtype.numpy)
    forward.assert_right(given, forward.run_guarded(given, soc).outputs, soc)
