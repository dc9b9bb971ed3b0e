"""The forward on the table of dtypes, shapes and SoCs, in guarded memory, against float64.

Each case asserts the kernel path that ran; its id names it. Outputs and workspace hold NaN beforehand.
"""

import pytest
from attnres.testing import cases, forward, inputs


def check(case):
    given = inputs.make_inputs(case.tokens, case.blocks, case.hidden, case.dtype)
    run = forward.run_guarded(given, case.soc)
    path = forward.path_of(case.tokens, case.blocks, case.hidden, case.dtype, case.soc)
    assert run.statistics.path == path
    assert run.statistics.kernel_launches == (0 if path is None else 1)
    forward.assert_right(given, run.outputs, case.soc)


def table(grid):
    return [pytest.param(case, id=forward.case_id(case)) for case in grid]


@pytest.mark.parametrize("case", table(cases.grid()))
def test_hidden_sizes_and_blocks(case):
    check(case)


@pytest.mark.parametrize("case", table(cases.token_grid()))
def test_token_counts(case):
    check(case)
