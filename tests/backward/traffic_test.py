"""Global-memory bytes that the kernels move, counted by the twin: the least possible where rows fit into UB."""

import attnres
import pytest
from attnres import _backward, _dtypes
from attnres.testing import cases, inputs, spec_tiling


def cores_of(soc):
    return spec_tiling.CORES[spec_tiling.SOC_ARCHS[soc]]


def traffic(tokens, blocks, hidden, dtype, soc):
    """Bytes read and written, and the path, of one call."""
    _, statistics = _backward.run(inputs.make_zeros(tokens, blocks, hidden, dtype), soc=soc)
    return statistics.gm_bytes_read, statistics.gm_bytes_written, statistics.path


def fewest_tokens(blocks, hidden, soc):
    """Of which each core has some: of short rows several."""
    return cores_of(soc) * (16 if (blocks + 1) * hidden <= 1280 else 1)


def per_token(blocks, hidden, dtype, soc):
    """Bytes read and written for one more token: all cores are in use in both calls."""
    least = fewest_tokens(blocks, hidden, soc)
    few, many = (traffic(count, blocks, hidden, dtype, soc) for count in (least, 3 * least))
    assert few[2] == many[2]
    steps = 2 * least
    read, written = many[0] - few[0], many[1] - few[1]
    assert read % steps == 0 and written % steps == 0
    return read // steps, written // steps, many[2]


@pytest.mark.parametrize("soc", cases.ARCH_SOCS)
@pytest.mark.parametrize("hidden", [17, 64, 1000, 1168, 4096], ids=lambda h: f"H{h}")
@pytest.mark.parametrize("blocks", [0, 1, 3, 7], ids=lambda n: f"N{n}")
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_full_reads_each_row_once_where_all_fit(dtype, blocks, hidden, soc):
    """grad_hidden and N1 rows in, N1 rows out, and the [T, N1] rows: (2 N1 + 1) H dt + 8 N1 per token."""
    rows = blocks + 1
    plan = attnres.tiling(fewest_tokens(blocks, hidden, soc), blocks, hidden, dtype, soc=soc)
    assert plan.used_core_num == plan.core_num
    read, written, path = per_token(blocks, hidden, dtype, soc)
    assert path == "FULL_H"
    streamed = rows - plan.resident_rows
    row_bytes = hidden * dtype.itemsize
    assert written == rows * row_bytes
    assert read == (rows + 1 + streamed) * row_bytes + 8 * rows
    if hidden <= 1168:
        assert streamed == 0 and read + written == (2 * rows + 1) * row_bytes + 8 * rows


@pytest.mark.parametrize("soc", cases.ARCH_SOCS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_rows_that_do_not_fit_are_read_twice(dtype, soc):
    plan = attnres.tiling(cores_of(soc), 31, 4096, dtype, soc=soc)
    assert plan.path == "FULL_H" and 0 <= plan.resident_rows < 32
    read, written, _ = per_token(31, 4096, dtype, soc)
    row_bytes = 4096 * dtype.itemsize
    assert written == 32 * row_bytes
    assert read == (33 + 32 - plan.resident_rows) * row_bytes + 8 * 32


@pytest.mark.parametrize("soc", cases.ARCH_SOCS)
@pytest.mark.parametrize("hidden", [64, 1000], ids=lambda h: f"H{h}")
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_what_a_launch_moves_besides_its_tokens(dtype, hidden, soc):
    """Both weights into every core and once more for their gradients, and the cores' partials, out and in.

    A partial goes through the workspace twice, its high part and its low part, since the workspace has one float for
    each of its elements: rounding it to one float would show in a float32 weight gradient.
    """
    blocks, cores = 3, cores_of(soc)
    tokens = fewest_tokens(blocks, hidden, soc)
    read_per_token, written_per_token, _ = per_token(blocks, hidden, dtype, soc)
    read, written, _ = traffic(tokens, blocks, hidden, dtype, soc)
    weights = 2 * hidden * dtype.itemsize
    partials = 2 * cores * hidden * 4
    assert read - tokens * read_per_token == (cores + 1) * weights + partials
    assert written - tokens * written_per_token == weights + partials
