"""Forward, then backward on what it saved, on all captured training steps, against float64 all the way.

The float64 gradients come from float64 inv_norm and probs. What float32 ones cost is a few of their roundings, in terms
that the formulas multiply with them; a gradient is then as far off, in the mean square, as its dtype's rounding.
"""

import attnres
import numpy as np
import pytest
from attnres import _checks, _dtypes, _reference, _tensor_files
from attnres.testing import cases, forward

from tests.backward import capture_files

CAPTURES = ("T128_N4_H192", "T48_N6_H1168")
# Relative, in the mean square: half an ulp of the dtype at most, and 32 roundings of float32.
UNIT = {"float16": 2.0**-11, "bfloat16": 2.0**-8, "float32": 2.0**-24}
STATISTICS = 32 * 2.0**-24


@pytest.mark.parametrize("soc", forward.SOCS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("shape", CAPTURES)
def test_captures(shape, dtype, soc):
    path = capture_files.find(shape, dtype.name).inputs
    captured = _tensor_files.pick(path, _tensor_files.read(path), _checks.INPUT_DIMENSIONS)
    given = forward.pick(captured)
    mixture = attnres.block_attention_residuals(**given, soc=soc)
    forward.assert_right(given, mixture._asdict(), soc)

    golden = forward.evaluate(given)
    saved = {name: getattr(mixture, name) for name in ("inv_norm", "probs")}
    gradients = attnres.block_attention_residuals_backward(**(captured | saved), soc=soc)._asdict()
    exact = _reference.evaluate(captured | {name: golden[name] for name in saved})
    for name, actual in gradients.items():
        error = np.linalg.norm(actual.astype(np.float64) - exact[name]) / np.linalg.norm(exact[name])
        assert error <= UNIT[dtype.name] + STATISTICS, (name, error)
