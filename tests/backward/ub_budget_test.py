"""The buffers that a kernel takes from its pipe add up to what tiling planned, and fit into a core's UB."""

import attnres
import pytest
from attnres import _backward, _dtypes
from attnres.testing import cases, inputs

# Every way in which FULL_H uses what the model leaves, with batches of tokens too, and SPLIT_H with and without spare
# copy buffers; both with rows in segments.
SHAPES = [
    *((700, 4, 64), (300, 0, 1), (400, 31, 70), (500, 1, 256)),
    *((2, 0, 1), (2, 4, 64), (3, 128, 7), (2, 8, 1168), (2, 8, 4096)),
    *((2, 31, 4096), (2, 2, 7000), (2, 4, 8192), (1, 8, 16384), (20, 128, 4096), (32, 3, 65)),
    *((33, 31, 4096), (33, 2, 7000), (33, 4, 8192), (33, 2, 16384), (33, 8, 4096)),
]


@pytest.mark.parametrize("soc", cases.SOCS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "T%d-N%d-H%d" % shape)
def test_pipe_takes_what_tiling_planned(shape, dtype, soc):
    tokens, blocks, hidden = shape
    plan = attnres.tiling(tokens, blocks, hidden, dtype, soc=soc)
    _, statistics = _backward.run(inputs.make_inputs(tokens, blocks, hidden, dtype), soc=soc)
    assert statistics.path == plan.path
    assert statistics.ub_bytes_taken == plan.ub_bytes_used <= plan.available


def test_shapes_reach_both_paths_and_every_use_of_spare_room():
    plans = [
        attnres.tiling(*shape, dtype, soc=soc)
        for shape in SHAPES
        for dtype in _dtypes.MAIN_DTYPES
        for soc in cases.SOCS
    ]
    assert {plan.path for plan in plans} == {"FULL_H", "SPLIT_H"}
    for path in ("FULL_H", "SPLIT_H"):
        assert any(plan.row_segments > 1 for plan in plans if plan.path == path)
    assert any(plan.stream_buffers > 3 for plan in plans if plan.path == "SPLIT_H")
    full = [plan for plan in plans if plan.path == "FULL_H"]
    assert all(
        any(plan.arch == arch and any("batch" in buffer.name for buffer in plan.buffers) for plan in full)
        for arch in ("arch22", "arch35")
    )
    assert any(plan.resident_rows == 0 for plan in full)
    assert any(0 < plan.resident_rows < plan.total_blocks for plan in full)
    assert any(plan.resident_rows == plan.total_blocks for plan in full)
