"""Shapes that broke comparable operators, and random ones."""

import hypothesis
import numpy as np
import pytest
from attnres import _dtypes
from attnres.testing import cases, guarded, inputs, runs, spec_tiling
from hypothesis import strategies

SETTINGS = hypothesis.settings(max_examples=60, deadline=None, derandomize=True, database=None)


@pytest.mark.parametrize("soc", cases.SOCS)
def test_hidden_size_one_by_hand(soc):
    given = {
        "partial_block": [[4.0]],
        "block_res": [[[2.0]]],
        "proj_weight": [[1.0]],
        "norm_weight": [1.0],
        "grad_hidden_states": [[1.0]],
        "inv_norm": [[0.5, 0.25]],
        "probs": [[0.5, 0.5]],
    }
    given = {name: np.array(value, np.float32) for name, value in given.items()}
    outputs = runs.run_guarded(given, soc).outputs
    assert [outputs[name].ravel().tolist() for name in outputs] == [[0.5], [0.5], [0.0], [0.0]]


@pytest.mark.parametrize("soc", cases.ARCH_SOCS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_many_narrow_rows(dtype, soc):
    given = inputs.make_inputs(2048, 1, 2, dtype)
    runs.assert_right(given, runs.run_guarded(given, soc).outputs)


@pytest.mark.parametrize("soc", cases.ARCH_SOCS)
@pytest.mark.parametrize(
    "tokens, blocks, hidden",
    [
        *((1, 1, 65536), (1, 1, 131072), (1, 1, 131080), (1, 64, 8192), (1, 128, 7000), (1, 0, 300001)),
        *((33, 0, 131080), (33, 2, 16392), (1, 0, 700001)),
    ],
    ids=lambda v: str(v),
)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_very_large_hidden_sizes(dtype, tokens, blocks, hidden, soc):
    """Rows of one token are cut into segments, up to some hundred thousand elements; those of 33 are not."""
    given = inputs.make_inputs(tokens, blocks, hidden, dtype)
    run = runs.run_guarded(given, soc)
    expected = spec_tiling.plan(spec_tiling.SOC_ARCHS[soc], tokens, blocks, hidden, dtype.itemsize)
    assert run.statistics.path == expected["path"]
    runs.assert_right(given, run.outputs)


@SETTINGS
@hypothesis.given(
    tokens=strategies.integers(0, 6),
    blocks=strategies.integers(0, 9),
    hidden=strategies.one_of(strategies.integers(0, 300), strategies.integers(6600, 7800)),
    dtype=strategies.sampled_from(_dtypes.MAIN_DTYPES),
    soc=strategies.sampled_from(cases.SOCS),
    input_layout=strategies.sampled_from(guarded.LAYOUTS),
    output_layout=strategies.sampled_from(guarded.LAYOUTS),
    threads=strategies.integers(0, 4),
)
def test_random_shapes_and_layouts(tokens, blocks, hidden, dtype, soc, input_layout, output_layout, threads):
    case = cases.Case(dtype, tokens, blocks, hidden, soc)
    given = inputs.make_inputs(tokens, blocks, hidden, dtype)
    run = runs.run_guarded(given, soc, threads=threads, input_layout=input_layout, output_layout=output_layout)
    assert run.statistics.path == case.path
    runs.assert_right(given, run.outputs)
