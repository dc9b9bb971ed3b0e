"""Strides, offsets and odd row lengths: the same bits as contiguous memory, and no byte beside it written."""

import numpy as np
import pytest
from attnres import _dtypes
from attnres.testing import bits, cases, guarded, inputs, runs

SHAPES = {"FULL_H": (4, 3, 126), "SPLIT_H": (33, 2, 7730), "SPLIT_H-segments": (3, 2, 7730)}


@pytest.mark.parametrize("soc", cases.ARCH_SOCS)
@pytest.mark.parametrize("output_layout", guarded.LAYOUTS)
@pytest.mark.parametrize("input_layout", guarded.LAYOUTS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("path", SHAPES)
def test_layouts(path, dtype, input_layout, output_layout, soc):
    given = inputs.make_inputs(*SHAPES[path], dtype)
    wanted = runs.run_guarded(given, soc)
    run = runs.run_guarded(given, soc, input_layout=input_layout, output_layout=output_layout)
    assert run.statistics.path == wanted.statistics.path == path.split("-")[0]
    assert all(bits.same_bits(run.outputs[name], wanted.outputs[name]) for name in run.outputs)


# Rows that end inside a 32-byte block: what is padding of one row is the start of the next.
@pytest.mark.parametrize("soc", cases.ARCH_SOCS)
@pytest.mark.parametrize("hidden", [1, 3, 7, 15, 17, 31, 33, 126, 127, 513, 520, 1025])
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_no_row_reaches_into_the_next(dtype, hidden, soc):
    """Tokens that are computed alone have the same bits as among others."""
    given = inputs.make_inputs(4, 3, hidden, dtype)
    together = runs.run_guarded(given, soc).outputs
    per_token = ("partial_block", "block_res", "grad_hidden_states", "inv_norm", "probs")
    for token in range(4):
        one = {
            name: np.ascontiguousarray(value[token : token + 1]) if name in per_token else value
            for name, value in given.items()
        }
        alone = runs.run_guarded(one, soc).outputs
        for name in ("grad_partial_block", "grad_block_res"):
            assert bits.same_bits(alone[name], together[name][token : token + 1])
