"""Few tokens, which cores share: their rows in segments, groups of their rows, and tiles of segments."""

import attnres
import hypothesis
import numpy as np
import pytest
from attnres import _dtypes
from attnres.testing import bits, cases, inputs, runs
from hypothesis import strategies

SETTINGS = hypothesis.settings(max_examples=80, deadline=None, derandomize=True, database=None)

# Rows that are too short for segments, and rows of both; the last group has fewer rows, for N = 64 on arch22 just
# partial_block.
GROUPS = [(2, 127, 160), (5, 128, 200), (1, 80, 255), (1, 128, 256), (1, 64, 1000), (3, 63, 700)]
# Segments too long for UB, and those of which the last one has fewer tiles than others. Of N = 0 all weight gradients
# are 0, and would be with a fault.
TILES = [(8, 1, 65536), (12, 2, 40008), (20, 1, 70000)]
UNEVEN_TILES = [
    ("ascend910b", "bfloat16", (4, 1, 86080)),
    ("ascend910b", "float32", (4, 1, 80000)),
    ("ascend950", "bfloat16", (4, 1, 113800)),
    ("ascend950", "float32", (4, 1, 90200)),
]


def run(shape, dtype, soc):
    given = inputs.make_inputs(*shape, dtype)
    done = runs.run_guarded(given, soc)
    plan = attnres.tiling(*shape, dtype, soc=soc)
    assert (done.statistics.path, done.statistics.block_dim) == (plan.path, plan.used_core_num)
    assert done.statistics.ub_bytes_taken == plan.ub_bytes_used
    runs.assert_right(given, done.outputs)
    return given, done.outputs, plan


@pytest.mark.parametrize("soc", cases.SOCS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("shape", GROUPS, ids=lambda shape: "T%d-N%d-H%d" % shape)
def test_groups_of_rows(shape, dtype, soc):
    given, outputs, plan = run(shape, dtype, soc)
    assert plan.row_groups > 1
    if plan.row_segments > 1:
        return  # sums of sums
    # The same bits as of tokens that a core has alone.
    copies = plan.core_num // shape[0]
    repeated = {
        name: value if name in ("proj_weight", "norm_weight") else np.concatenate([value] * copies)
        for name, value in given.items()
    }
    assert attnres.tiling(shape[0] * copies, *shape[1:], dtype, soc=soc).row_groups == 1
    whole = attnres.block_attention_residuals_backward(**repeated, soc=soc)._asdict()
    for name in ("grad_partial_block", "grad_block_res"):
        assert bits.same_bits(np.ascontiguousarray(whole[name][: shape[0]]), outputs[name])


@pytest.mark.parametrize("soc", cases.SOCS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("shape", TILES, ids=lambda shape: "T%d-N%d-H%d" % shape)
def test_tiles_of_segments(shape, dtype, soc):
    _, _, plan = run(shape, dtype, soc)
    assert plan.path == "SPLIT_H" and plan.row_segments > 1 and plan.segment_tiles > 1


@pytest.mark.parametrize("soc, dtype, shape", UNEVEN_TILES, ids=str)
def test_last_segment_has_fewer_tiles(soc, dtype, shape):
    _, _, plan = run(shape, _dtypes.main_dtype(dtype), soc)
    last = plan.hidden_size - (plan.row_segments - 1) * plan.segment_elements
    assert 0 < -(-last // plan.hidden_tile_size) < plan.segment_tiles


@SETTINGS
@hypothesis.given(
    tokens=strategies.integers(1, 32),
    blocks=strategies.integers(7, 128),
    hidden=strategies.integers(1, 600),
    dtype=strategies.sampled_from(_dtypes.MAIN_DTYPES),
    soc=strategies.sampled_from(cases.ARCH_SOCS),
)
def test_any_few_tokens_of_many_rows(tokens, blocks, hidden, dtype, soc):
    run((tokens, blocks, hidden), dtype, soc)


@SETTINGS
@hypothesis.given(
    tokens=strategies.sampled_from([4, 8, 16, 24]),
    blocks=strategies.integers(1, 2),
    segment=strategies.integers(2000, 9000),
    dtype=strategies.sampled_from(_dtypes.MAIN_DTYPES),
    soc=strategies.sampled_from(cases.ARCH_SOCS),
)
def test_any_few_tokens_of_long_rows(tokens, blocks, segment, dtype, soc):
    """`segment`: the elements of about the length where a core's share stops fitting in UB."""
    run((tokens, blocks, segment * (48 // tokens)), dtype, soc)
