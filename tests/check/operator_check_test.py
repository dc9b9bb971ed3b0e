"""Check mode finds nothing in the operator's own kernels, on the whole table of dtypes, shapes and SoCs.

Each case also asserts the kernel path that ran, and that the results have the bits of run mode.
"""

import attnres
import pytest
from attnres import _check_mode, _dtypes
from attnres.testing import bits, cases, inputs

# Tokens that share a batch in arch35's kernels: more than its cores, short rows.
BATCHES = [(581, 4, 64), (581, 0, 31), (200, 8, 512), (1300, 1, 8)]
# So many rows that SPLIT_H has tokens on every core and a shorter last tile.
SPLIT = [(70, 2, 9000), (50, 1, 7730)]
# Tokens that cores share: groups of rows, and tiles of segments, of which the last one has fewer on some SoC.
SHARED = [(2, 127, 160), (1, 64, 1000), (4, 1, 86080), (4, 1, 113800)]


def assert_right(case, orders, auto_sync=True):
    given = inputs.make_inputs(case.tokens, case.blocks, case.hidden, case.dtype)
    report, gradients = _check_mode.run(given, soc=case.soc, orders=orders, auto_sync=auto_sync)
    assert report.path == case.path
    assert report.cores == 0 if case.path is None else report.cores >= 1
    assert not report.findings, "\n".join(
        f"{f.place}, {f.other_place}: {f.rule}: {f.sentence}" for f in report.findings
    )
    assert report.dropped == 0 and report.fault == ""
    wanted = attnres.block_attention_residuals_backward(**given, soc=case.soc)
    for name, actual in gradients._asdict().items():
        assert bits.same_bits(actual, getattr(wanted, name)), name


def with_orders(table):
    """Each case with the eager order, in which all rules are looked at, and one of the late ones by turns."""
    late = _check_mode.ORDERS[1:]
    return [
        pytest.param(case, ("eager", late[index % len(late)]), id=f"{case}-{late[index % len(late)]}")
        for index, case in enumerate(table)
    ]


@pytest.mark.parametrize("case, orders", with_orders(cases.grid()))
def test_hidden_sizes_and_blocks(case, orders):
    assert_right(case, orders)


@pytest.mark.parametrize("case, orders", with_orders(cases.token_grid()))
def test_token_counts(case, orders):
    assert_right(case, orders)


@pytest.mark.parametrize("soc", cases.SOCS)
@pytest.mark.parametrize("shape", BATCHES + SPLIT + SHARED, ids=str)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_every_order(dtype, shape, soc):
    assert_right(cases.Case(dtype, *shape, soc), _check_mode.ORDERS)
