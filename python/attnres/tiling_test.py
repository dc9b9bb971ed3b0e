"""Host tiling through Python: equal to the specification's formulas, with exact buffers, on both archs."""

import collections
import dataclasses

import numpy as np
import pytest

import attnres
from attnres import _dtypes
from attnres.testing import cases, spec_tiling

SOCS = sorted(spec_tiling.SOC_ARCHS)
SEED = 20260101


def fewest_tokens_of_a_core(plan):
    """Of short rows: on arch35 those of 5120 elements, at most 16; on arch22 a batch, where T is twice the cores."""
    if plan.arch == "arch35":
        tokens = 5120 // (plan.total_blocks * plan.hidden_size)
        return 1 if tokens < 4 else min(tokens, 16)
    batches = plan.hidden_size <= 256 and plan.total_blocks <= 64
    return 4 if batches and plan.batch_size >= 2 * plan.core_num else 1


def assert_equals_specification(plan, expected):
    assert {name: getattr(plan, name) for name in expected} == expected
    assert sum(buffer.total_bytes for buffer in plan.buffers) == plan.ub_bytes_used
    assert plan.ub_bytes_used <= plan.available
    shares = plan.row_segments * plan.row_groups
    cores = min(plan.core_num, -(-plan.batch_size // fewest_tokens_of_a_core(plan)))
    assert plan.used_core_num == cores * shares <= plan.core_num
    assert shares == 1 or 2 * plan.batch_size <= plan.core_num
    assert (plan.row_segments - 1) * plan.segment_elements < plan.hidden_size
    assert plan.row_segments * plan.segment_elements >= plan.hidden_size
    assert (plan.row_groups - 1) * plan.group_rows < plan.total_blocks <= plan.row_groups * plan.group_rows
    assert (plan.hidden_tile_num - 1) * plan.hidden_tile_size < plan.hidden_size
    assert plan.hidden_tile_num * plan.hidden_tile_size >= plan.hidden_size
    assert 0 <= plan.resident_rows <= plan.total_blocks


@pytest.mark.parametrize("soc", SOCS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("hidden", cases.HIDDEN_SIZES)
def test_grid(soc, dtype, hidden):
    arch = spec_tiling.SOC_ARCHS[soc]
    for blocks in cases.BLOCKS:
        for tokens in (1, 47, 48, 49, 2048, 2**31):
            plan = attnres.tiling(tokens, blocks, hidden, dtype, soc=soc)
            expected = spec_tiling.plan(arch, tokens, blocks, hidden, dtype.itemsize)
            assert_equals_specification(plan, {"soc": soc} | expected)


@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("soc", SOCS)
def test_random_shapes_and_platforms(soc, dtype):
    """Sizes are spread over their orders of magnitude, so that each kind of decision comes often."""
    rng = np.random.default_rng(SEED)
    decisions = collections.Counter()
    for _ in range(300):
        tokens, hidden, core_num, ub_bytes = (int(2 ** rng.uniform(0, bits)) for bits in (32, 16.1, 6.7, 19.2))
        decisions[decide(soc, dtype, tokens, int(rng.integers(0, 129)), hidden, core_num, ub_bytes)] += 1
        # Where the spare room changes what fits.
        ub_bytes = int(rng.integers(9000, 400000))
        decisions[decide(soc, dtype, tokens, int(rng.integers(0, 129)), hidden, core_num, ub_bytes)] += 1
    assert all(decisions[decision] > 50 for decision in (None, "FULL_H", "SPLIT_H")), decisions


def decide(soc, dtype, tokens, blocks, hidden, core_num, ub_bytes):
    """The path that tiling and the specification agree on; None if both find no tile."""
    shape = (tokens, blocks, hidden)
    platform = {"core_num": core_num, "ub_bytes": ub_bytes}
    expected = spec_tiling.plan(spec_tiling.SOC_ARCHS[soc], *shape, dtype.itemsize, **platform)
    if expected is None:
        with pytest.raises(attnres.InvalidArgumentError) as caught:
            attnres.tiling(*shape, dtype, soc=soc, **platform)
        assert str(ub_bytes) in caught.value.message or "UB" in caught.value.message
        return None
    assert_equals_specification(attnres.tiling(*shape, dtype, soc=soc, **platform), expected)
    return expected["path"]


# From the table in the specification: the last H that fits whole, and the tiles of larger ones.
@pytest.mark.parametrize(
    "soc, dtype, rows, hidden",
    [
        ("ascend910b", "float16", 3, 7240),
        ("ascend910_93", "float32", 5, 6720),
        ("ascend950", "bfloat16", 5, 7616),
        ("ascend950", "float32", 129, 6032),
    ],
)
def test_largest_full_hidden(soc, dtype, rows, hidden):
    assert attnres.tiling(9, rows - 1, hidden, dtype, soc=soc).path == "FULL_H"
    assert attnres.tiling(9, rows - 1, hidden + 16, dtype, soc=soc).path == "SPLIT_H"


@pytest.mark.parametrize(
    "soc, dtype, rows, hidden, tile, count",
    [
        ("ascend910b", "float16", 3, 8192, 4096, 2),
        ("ascend910b", "float16", 5, 16384, 5472, 3),
        ("ascend910_93", "float32", 9, 12288, 6144, 2),
        ("ascend950", "float16", 5, 16384, 5504, 3),
        ("ascend950", "float16", 5, 500000, 6656, 76),
        ("ascend950", "float32", 9, 12288, 4096, 3),
    ],
)
def test_split_examples(soc, dtype, rows, hidden, tile, count):
    plan = attnres.tiling(2, rows - 1, hidden, dtype, soc=soc)
    assert (plan.path, plan.hidden_tile_size, plan.hidden_tile_num) == ("SPLIT_H", tile, count)


@pytest.mark.parametrize("soc", SOCS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("hidden", [4096, 7168])
def test_few_tokens_leave_less_than_half_of_the_cores_idle(hidden, dtype, soc):
    """In FULL_H, and in SPLIT_H as long as the segments fit in UB."""
    for tokens in (*range(1, 65), 100):
        plan = attnres.tiling(tokens, 8, hidden, dtype, soc=soc)
        assert 2 * plan.used_core_num >= plan.core_num, tokens
        assert plan.row_segments == 1 or tokens * 2 <= plan.core_num


def test_crossover_differs_by_chip():
    small, large = (attnres.tiling(9, 4, 7500, "bfloat16", soc=s) for s in ("ascend910b", "ascend950"))
    assert (small.path, large.path) == ("SPLIT_H", "FULL_H")


def test_numbers_beyond_32_bits_are_exact():
    plan = attnres.tiling(2**23 + 16, 1, 256, "bfloat16", soc="ascend910b")
    assert (plan.batch_size, plan.used_core_num) == (2**23 + 16, 48)
    plan = attnres.tiling(2**40, 3, 8192, "float32", soc="ascend910b")
    area = 4 * 2**40 * 4
    assert plan.variance_scale_wksp_off == plan.grad_scores_wksp_off + area
    assert plan.workspace_size == 48 * 4 * 8192 + 2 * area


@pytest.mark.parametrize(
    "change, message",
    [
        ({"tokens": 0}, "tokens is 0; expected 1 or more"),
        ({"hidden": 0}, "hidden is 0; expected 1 or more"),
        ({"hidden": -5}, "hidden is -5; expected 1 or more"),
        ({"blocks": 129}, "blocks is 129; expected 0 to 128"),
        ({"blocks": -1}, "blocks is -1; expected 0 to 128"),
        ({"tokens": 1.5}, "tokens is a float; expected an integer"),
        ({"core_num": 0}, "core_num is 0; expected 1 or more"),
        ({"ub_bytes": 0}, "ub_bytes is 0; expected 1 or more"),
        ({"dtype": "float64"}, "dtype is float64; expected float16, bfloat16 or float32"),
        ({"core_num": 2**32}, "core_num is 4294967296; expected 1 to 4294967295"),
        ({"tokens": 2**63}, f"tokens is {2**63}; expected 1 to {2**63 - 1}"),
        ({"soc": "ascend310p"}, "soc is 'ascend310p'; expected ascend910b, ascend910_93 or ascend950"),
    ],
    ids=lambda v: "-".join(f"{k}={x}" for k, x in v.items()) if isinstance(v, dict) else "",
)
def test_refused_values(change, message):
    arguments = {"tokens": 1, "blocks": 1, "hidden": 8, "dtype": "float16", "soc": "ascend910b"} | change
    with pytest.raises(attnres.InvalidArgumentError) as caught:
        attnres.tiling(**arguments)
    assert (caught.value.code, caught.value.message) == (161002, message)


@pytest.mark.parametrize("ub_bytes", [1, 8192, 8700])
def test_ub_that_holds_no_tile(ub_bytes):
    with pytest.raises(attnres.InvalidArgumentError, match=str(ub_bytes)):
        attnres.tiling(1, 1, 8192, "float16", soc="ascend910b", ub_bytes=ub_bytes)


def test_too_many_elements():
    with pytest.raises(attnres.InvalidArgumentError):
        attnres.tiling(2**62, 128, 2**62, "float16", soc="ascend910b")


def test_numpy_integers_are_integers():
    plan = attnres.tiling(np.int32(2), np.int64(1), np.uint8(8), np.float16, soc="ascend910b")
    assert (plan.batch_size, plan.num_blocks, plan.hidden_size) == (2, 1, 8)


def test_result_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        attnres.tiling(1, 1, 8, "float16", soc="ascend910b").path = "SPLIT_H"


def test_socs():
    profiles = {soc.name: soc for soc in attnres.socs()}
    assert list(profiles) == ["ascend910b", "ascend910_93", "ascend950"]
    for name, soc in profiles.items():
        arch = spec_tiling.SOC_ARCHS[name]
        assert soc.arch == arch
        assert (soc.aiv_cores, soc.ub_bytes) == (spec_tiling.CORES[arch], spec_tiling.UB_BYTES[arch])
