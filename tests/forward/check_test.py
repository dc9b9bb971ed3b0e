"""What the runtime's observers see of the forward's kernels.

Check mode finds nothing, time mode has a time, and both give the bits of run mode. The pipe takes what tiling planned,
and V crosses global memory once in FULL_H and twice in SPLIT_H.
"""

import pytest
from attnres import _dtypes, _forward
from attnres.testing import bits, cases, forward, inputs

# Batches of tokens with a short last one, one token at a time with two sets of rows, reloaded, and with one, no blocks,
# SPLIT_H with many tiles and with one.
SHAPES = [
    *((581, 4, 64), (200, 0, 31), (130, 8, 512), (200, 8, 1168), (5, 20, 2560), (5, 30, 2560), (1, 128, 16)),
    *((70, 2, 40002), (5, 128, 1168), (3, 0, 300001)),
]


def shape_id(shape):
    return "T{}-N{}-H{}".format(*shape)


@pytest.mark.parametrize("soc", forward.ARCH_SOCS)
@pytest.mark.parametrize("shape", SHAPES, ids=shape_id)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_nothing_is_found(dtype, shape, soc):
    path = forward.path_of(*shape, dtype, soc)
    given = forward.pick(inputs.make_inputs(*shape, dtype))
    wanted, statistics = _forward.run(given, soc=soc)
    assert statistics.path == path
    mixture, report, _, ran, fault = forward.observe(given, soc, "check", (("orders", "eager"),))
    assert (ran, fault) == (path, "")
    assert not report["findings"], "\n".join(f"{f['rule']}: {f['sentence']}" for f in report["findings"])
    assert report["dropped"] == 0
    assert all(bits.same_bits(*pair) for pair in zip(mixture, wanted))


@pytest.mark.parametrize("soc", forward.ARCH_SOCS)
@pytest.mark.parametrize("shape", SHAPES, ids=shape_id)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_traffic(dtype, shape, soc):
    """A core reads both weights once, in SPLIT_H for each token; results are written once."""
    path = forward.path_of(*shape, dtype, soc)
    tokens, blocks, hidden = shape
    _, statistics = _forward.run(forward.pick(inputs.make_zeros(*shape, dtype)), soc=soc)
    row_bytes = hidden * dtype.itemsize
    values = tokens * (blocks + 1) * row_bytes
    weights = 2 * row_bytes * (statistics.block_dim if path == "FULL_H" else tokens)
    passes = 1 if path == "FULL_H" else 2
    assert statistics.gm_bytes_read <= passes * values + weights
    assert statistics.gm_bytes_read >= passes * values
    assert statistics.gm_bytes_written == tokens * row_bytes + 2 * tokens * (blocks + 1) * 4
    assert statistics.ub_bytes_taken == forward.ub_bytes(*shape, dtype, soc)


@pytest.mark.parametrize("soc", forward.SOCS)
@pytest.mark.parametrize("shape", [(65, 8, 1168), (3, 2, 40002)], ids=shape_id)
def test_time_mode_models_the_kernels(shape, soc):
    dtype = _dtypes.main_dtype("bfloat16")
    given = forward.pick(inputs.make_inputs(*shape, dtype))
    mixture, report, trace, path, fault = forward.observe(given, soc, "time")
    assert (path, fault) == (forward.path_of(*shape, dtype, soc), "")
    assert report["result"]["microseconds"] > 0 and trace
    assert all(bits.same_bits(*pair) for pair in zip(mixture, _forward.run(given, soc=soc)[0]))
