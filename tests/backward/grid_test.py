"""The operator on the table of dtypes, shapes and SoCs, in guarded memory, against float64.

Each case asserts the kernel path that ran; its id names it. Outputs and workspace hold NaN beforehand.
"""

import pytest
from attnres.testing import cases, inputs, runs


def check(case):
    given = inputs.make_inputs(case.tokens, case.blocks, case.hidden, case.dtype)
    run = runs.run_guarded(given, case.soc)
    assert run.statistics.path == case.path
    assert run.statistics.kernel_launches == (0 if case.path is None else 1)
    runs.assert_right(given, run.outputs)


@pytest.mark.parametrize("case", cases.grid(), ids=str)
def test_hidden_sizes_and_blocks(case):
    check(case)


@pytest.mark.parametrize("case", cases.token_grid(), ids=str)
def test_token_counts(case):
    check(case)
