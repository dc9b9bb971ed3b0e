"""One real run with more than 2**31 elements, about 9 GB: not part of `test //...`.

    ./bazelw test //tests/backward:large_test

All tokens but the first and the last two are zero, so that the float64 golden of a few tokens is that of all.
"""

import attnres
import numpy as np
from attnres import _checks, _dtypes
from attnres.testing import inputs, runs

BLOCKS, HIDDEN = 7, 512
TOKENS = 2**31 // ((BLOCKS + 1) * HIDDEN) + 17
PER_TOKEN = ("partial_block", "block_res", "grad_hidden_states", "inv_norm", "probs")


def test_more_than_2_to_31_elements():
    assert TOKENS * (BLOCKS + 1) * HIDDEN > 2**31
    dtype = _dtypes.main_dtype("bfloat16")
    some = inputs.make_inputs(4, BLOCKS, HIDDEN, dtype)
    picked = np.array([0, 1, TOKENS - 2, TOKENS - 1])
    given = dict(some)
    for name in PER_TOKEN:
        given[name] = np.zeros((TOKENS, *some[name].shape[1:]), some[name].dtype)
        given[name][picked] = some[name]
    result = attnres.block_attention_residuals_backward(**given)._asdict()
    for name in ("grad_partial_block", "grad_block_res"):
        gradient = result[name]
        step = 2**14
        for start in range(2, TOKENS - 2, step):
            assert not gradient[start : min(start + step, TOKENS - 2)].any(), (name, start)
        result[name] = gradient[picked]
    assert result.keys() == set(_checks.OUTPUT_NAMES)
    runs.assert_right(some, result)
