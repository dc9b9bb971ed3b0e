"""The verdict: right float32 computations pass, a value that is off by 1 % does not, and what is not finite."""

import numpy as np
import pytest

from attnres import _checks, _compare, _dtypes, _reference
from attnres.testing import inputs as testing_inputs

FLOAT32 = _dtypes.main_dtype("float32")


def plain_float32(inputs, dtype):
    """The formulas in NumPy's float32, rounded to the dtype: an implementation that is right."""
    cast = {name: value.astype(np.float32) for name, value in inputs.items()}
    values = np.concatenate([cast["block_res"], cast["partial_block"][:, np.newaxis]], axis=1)
    upstream, probs, inv_norm = cast["grad_hidden_states"][:, np.newaxis], cast["probs"], cast["inv_norm"]
    weight = cast["norm_weight"] * cast["proj_weight"][0]
    g, d = (upstream * values).sum(-1), (weight * values).sum(-1)
    gs = probs * (g - (probs * g).sum(1, keepdims=True))
    a = gs * inv_norm
    c = a * (d * inv_norm) * inv_norm / np.float32(values.shape[-1])
    rows = upstream * probs[..., np.newaxis] + a[..., np.newaxis] * weight - c[..., np.newaxis] * values
    sums = (a[..., np.newaxis] * values).sum((0, 1), dtype=np.float64).astype(np.float32)
    result = {
        "grad_partial_block": rows[:, -1],
        "grad_block_res": rows[:, :-1],
        "grad_proj_weight": (sums * cast["norm_weight"])[np.newaxis],
        "grad_norm_weight": sums * cast["proj_weight"][0],
    }
    return {name: value.astype(dtype.numpy) for name, value in result.items()}


@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=lambda d: d.short_name)
@pytest.mark.parametrize("shape", [(5, 3, 17), (2, 8, 1000), (64, 1, 64), (1, 128, 33)], ids=str)
def test_right_results_pass_and_altered_goldens_do_not(dtype, shape):
    inputs = testing_inputs.make_inputs(*shape, dtype)
    actual = plain_float32(inputs, dtype)
    golden, deviation = _reference.evaluate_with_deviation(inputs)
    rng = np.random.default_rng(testing_inputs.SEED)
    for name in _checks.OUTPUT_NAMES:
        comparison = _compare.compare(name, actual[name], golden[name], deviation[name])
        assert comparison.right, comparison.first_wrong
        missed = 0
        for index in rng.integers(0, golden[name].size, 20):
            altered = golden[name].copy()
            altered.reshape(-1)[index] *= 1.01
            comparison = _compare.compare(name, actual[name], altered, deviation[name])
            assert comparison.wrong <= 1
            missed += comparison.right
        # Only a value that almost cancels can hide 1 %: about one in a thousand here.
        assert missed <= 1


def test_message_shows_its_arithmetic():
    golden = np.array([[1.0, 2.0]])
    actual = np.array([[1.0, 2.1]], np.float32)
    comparison = _compare.compare("grad_proj_weight", actual, golden, np.zeros((1, 2)))
    assert (comparison.wrong, comparison.total, comparison.right) == (1, 2, False)
    expected = "grad_proj_weight[0, 1] is 2.0999999; expected 2, so a value from 2 to 2"
    assert comparison.first_wrong == expected


def test_interval_of_an_exact_computation_is_the_rounded_value():
    for dtype in _dtypes.MAIN_DTYPES:
        golden = np.random.default_rng(1).standard_normal(1000)
        low, high = _compare.accepted_interval(golden, np.zeros(1000), dtype)
        assert (low == high).mean() > 0.999
        assert (np.abs(low - golden) <= _dtypes.ulp(golden, dtype) / 2).all()


@pytest.mark.parametrize(
    "golden, actual, right",
    [
        (np.nan, np.nan, True),
        (np.nan, 0.0, False),
        (np.inf, np.inf, True),
        (np.inf, -np.inf, False),
        (np.inf, 3e38, False),
        (1.0, np.nan, False),
        (1.0, np.inf, False),
        (1e39, np.inf, True),
        (0.0, 0.0, True),
        (0.0, -0.0, True),
        (0.0, 1e-30, False),
    ],
    ids=str,
)
def test_values_that_are_special(golden, actual, right):
    comparison = _compare.compare("grad_norm_weight", np.array([actual], np.float32), np.array([golden]), np.zeros(1))
    assert comparison.right is right


def test_error_measures():
    measures = _compare.error_measures(np.array([1.1, 2.0, np.nan]), np.array([1.0, 2.0, 5.0]))
    assert measures == pytest.approx((0.1 / 1.0000001, 0.05 / 1.0000001, np.sqrt(0.005)))
    assert _compare.error_measures(np.array([]), np.array([])) == (0.0, 0.0, 0.0)


def test_empty_outputs_are_right():
    empty = np.zeros((0, 4), np.float32)
    assert _compare.compare("grad_partial_block", empty, empty.astype(float), empty.astype(float)).right
