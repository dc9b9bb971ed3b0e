"""Shapes that broke comparable operators, and random ones."""

import hypothesis
import numpy as np
import pytest
from attnres import _dtypes
from attnres.testing import cases, forward, guarded, inputs
from hypothesis import strategies

SETTINGS = hypothesis.settings(max_examples=60, deadline=None, derandomize=True, database=None)


@pytest.mark.parametrize("soc", forward.ARCH_SOCS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_more_tokens_than_16_bits_count(dtype, soc):
    given = inputs.make_inputs(65537, 1, 8, dtype)
    forward.assert_right(given, forward.run_guarded(given, soc).outputs, soc)


@pytest.mark.parametrize("soc", forward.ARCH_SOCS)
@pytest.mark.parametrize(
    "tokens, blocks, hidden",
    [(1, 1, 65536), (1, 1, 131072), (1, 1, 131080), (1, 64, 8192), (1, 128, 7000)],
    ids=lambda v: str(v),
)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_very_large_hidden_sizes(dtype, tokens, blocks, hidden, soc):
    given = inputs.make_inputs(tokens, blocks, hidden, dtype)
    run = forward.run_guarded(given, soc)
    assert run.statistics.path == forward.path_of(tokens, blocks, hidden, dtype, soc) == "SPLIT_H"
    forward.assert_right(given, run.outputs, soc)


@SETTINGS
@hypothesis.given(
    tokens=strategies.integers(0, 300),
    blocks=strategies.integers(0, 9),
    hidden=strategies.one_of(strategies.integers(1, 300), strategies.integers(10000, 12000)),
    dtype=strategies.sampled_from(_dtypes.MAIN_DTYPES),
    soc=strategies.sampled_from(forward.SOCS),
    input_layout=strategies.sampled_from(guarded.LAYOUTS),
    output_layout=strategies.sampled_from(guarded.LAYOUTS),
    threads=strategies.integers(0, 4),
    eps=strategies.sampled_from([1e-12, 1e-6, 1e-3, 1.0]),
)
def test_random_shapes_and_layouts(tokens, blocks, hidden, dtype, soc, input_layout, output_layout, threads, eps):
    tokens = tokens if hidden <= 300 else tokens % 4
    given = inputs.make_inputs(tokens, blocks, hidden, dtype)
    run = forward.run_guarded(
        given, soc, norm_eps=eps, threads=threads, input_layout=input_layout, output_layout=output_layout
    )
    assert run.statistics.path == forward.path_of(tokens, blocks, hidden, dtype, soc)
    forward.assert_right(given, run.outputs, soc, eps)


@pytest.mark.parametrize("soc", forward.SOCS)
@pytest.mark.parametrize("blocks", [0, 1, 128])
def test_rows_that_are_all_alike_share_equally(blocks, soc):
    """Every row is the same: probs are 1 / N1 and the mix is the row, to a rounding.

    What lies below 2**-10 of the largest element arch22 adds up in plain float32, 8 rows at a time.
    """
    row = inputs.make_inputs(3, 0, 65, _dtypes.main_dtype("float32"))
    row["block_res"] = np.repeat(row["partial_block"][:, np.newaxis], blocks, axis=1)
    outputs = forward.run_guarded(row, soc).outputs
    np.testing.assert_allclose(outputs["probs"], 1 / (blocks + 1), rtol=2.0**-24)
    small = 0 if soc == "ascend950" else 2.0**-34 * np.abs(row["partial_block"]).max()
    np.testing.assert_allclose(outputs["hidden_states"], row["partial_block"], rtol=2.0**-23, atol=small)
