"""The float64 golden: equal to the shipped results, and to values worked out by hand."""

import pathlib

import numpy as np
import pytest

from attnres import _checks, _dtypes, _reference, _tensor_files
from attnres.testing import inputs as testing_inputs

DATA = pathlib.Path(_reference.__file__).with_name("data")


@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=lambda d: d.short_name)
def test_equals_the_shipped_results(dtype):
    stem = f"capture_T128_N4_H192_{dtype.name}"
    inputs = _tensor_files.read(str(DATA / f"{stem}.safetensors"))
    expected = _tensor_files.read(str(DATA / f"{stem}.expected.safetensors"))
    for name, value in _reference.evaluate(inputs).items():
        wanted = expected[f"expected.{name}"]
        # Both are sums of at most a few thousand float64 terms, in different orders.
        np.testing.assert_allclose(value, wanted, rtol=0, atol=1e-13 * np.abs(wanted).max())


def test_hidden_size_one_by_hand():
    inputs = {
        "partial_block": [[4.0]],
        "block_res": [[[2.0]]],
        "proj_weight": [[1.0]],
        "norm_weight": [1.0],
        "grad_hidden_states": [[1.0]],
        "inv_norm": [[0.5, 0.25]],
        "probs": [[0.5, 0.5]],
    }
    result = _reference.evaluate({name: np.array(v, np.float32) for name, v in inputs.items()})
    assert result["grad_block_res"].tolist() == [[[0.5]]]
    assert result["grad_partial_block"].tolist() == [[0.5]]
    assert result["grad_proj_weight"].tolist() == [[0.0]]
    assert result["grad_norm_weight"].tolist() == [0.0]


@pytest.mark.parametrize("shape", [(0, 2, 3), (2, 0, 3), (2, 2, 0), (0, 0, 0)], ids=str)
def test_empty_axes(shape):
    inputs = testing_inputs.make_inputs(*shape, _dtypes.main_dtype("float32"))
    golden, deviation = _reference.evaluate_with_deviation(inputs)
    for name in _checks.OUTPUT_NAMES:
        assert golden[name].shape == deviation[name].shape == inputs[name.removeprefix("grad_")].shape
    assert not golden["grad_norm_weight"].any()


def test_agrees_with_finite_differences():
    """The formulas are the derivative of the forward: central differences in float64."""
    inputs = testing_inputs.make_inputs(2, 3, 5, _dtypes.main_dtype("float32"))
    exact = {name: value.astype(np.float64) for name, value in inputs.items()}
    exact |= _forward_saved(exact)
    gradients = _reference.evaluate(exact)
    rng = np.random.default_rng(testing_inputs.SEED)
    for name in ("partial_block", "block_res", "proj_weight", "norm_weight"):
        direction = rng.standard_normal(exact[name].shape)
        step = 1e-5
        high = _loss(exact | {name: exact[name] + step * direction})
        low = _loss(exact | {name: exact[name] - step * direction})
        slope = (gradients[f"grad_{name}"] * direction).sum()
        assert abs((high - low) / (2 * step) - slope) < 1e-8 * max(1.0, abs(slope))


def test_chunks_make_no_difference(monkeypatch):
    inputs = testing_inputs.make_inputs(7, 2, 33, _dtypes.main_dtype("float16"))
    whole, whole_deviation = _reference.evaluate_with_deviation(inputs)
    monkeypatch.setattr(_reference, "_CHUNK_ELEMENTS", 200)
    parts, parts_deviation = _reference.evaluate_with_deviation(inputs)
    for name in _checks.OUTPUT_NAMES:
        np.testing.assert_allclose(parts[name], whole[name], rtol=1e-12)
        np.testing.assert_allclose(parts_deviation[name], whole_deviation[name], rtol=1e-12)


def _forward_saved(inputs):
    values = np.concatenate([inputs["block_res"], inputs["partial_block"][:, np.newaxis]], axis=1)
    inv_norm = 1 / np.sqrt((values**2).mean(-1) + testing_inputs.NORM_EPS)
    score = inv_norm * (values @ (inputs["norm_weight"] * inputs["proj_weight"][0]))
    weights = np.exp(score - score.max(1, keepdims=True))
    return {"inv_norm": inv_norm, "probs": weights / weights.sum(1, keepdims=True)}


def _loss(inputs):
    probs = _forward_saved(inputs)["probs"]
    values = np.concatenate([inputs["block_res"], inputs["partial_block"][:, np.newaxis]], axis=1)
    return (np.einsum("ti,tih->th", probs, values) * inputs["grad_hidden_states"]).sum()
