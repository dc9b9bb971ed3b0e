"""Strides, offsets and odd row lengths: the same bits as contiguous memory, and no byte beside it written."""

import numpy as np
import pytest
from attnres import _dtypes
from attnres.testing import bits, cases, forward, guarded, inputs

SHAPES = {"FULL_H": (4, 3, 126), "SPLIT_H": (3, 2, 40002)}


@pytest.mark.parametrize("soc", forward.ARCH_SOCS)
@pytest.mark.parametrize("output_layout", guarded.LAYOUTS)
@pytest.mark.parametrize("input_layout", guarded.LAYOUTS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("path", SHAPES)
def test_layouts(path, dtype, input_layout, output_layout, soc):
    given = inputs.make_inputs(*SHAPES[path], dtype)
    wanted = forward.run_guarded(given, soc)
    run = forward.run_guarded(given, soc, input_layout=input_layout, output_layout=output_layout)
    assert run.statistics.path == wanted.statistics.path == path
    assert all(bits.same_bits(run.outputs[name], wanted.outputs[name]) for name in run.outputs)


# Rows that end inside a 32-byte block: what is padding of one row is the start of the next.
@pytest.mark.parametrize("soc", forward.ARCH_SOCS)
@pytest.mark.parametrize("hidden", [1, 3, 7, 15, 17, 31, 33, 126, 127, 513, 520, 1025])
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_no_row_reaches_into_the_next(dtype, hidden, soc):
    """Tokens that are computed alone have the same bits as among others."""
    given = inputs.make_inputs(4, 3, hidden, dtype)
    together = forward.run_guarded(given, soc).outputs
    for token in range(4):
        one = dict(given)
        for name in ("partial_block", "block_res"):
            one[name] = np.ascontiguousarray(given[name][token : token + 1])
        alone = forward.run_guarded(one, soc).outputs
        for name in together:
            assert bits.same_bits(alone[name], together[name][token : token + 1]), name
