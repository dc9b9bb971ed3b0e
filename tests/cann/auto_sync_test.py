"""What --config=cann says to the compiler of its own synchronisation is right for the kernels of each architecture.

arch35's are compiled with --cce-auto-sync=off: check mode, counting on nothing from the compiler, finds no fault in
them. arch22's need it on: without, there are races between their vector instructions.
"""

import pytest
from attnres import _check_mode, _dtypes
from attnres.testing import cases, forward, inputs

# FULL_H in batches and token by token, rows cut into segments, SPLIT_H.
_SHAPES = [(581, 4, 64), (200, 8, 1168), (3, 4, 8192), (70, 2, 40002)]


def _gradient_findings(given, soc):
    return _check_mode.run(given, soc=soc, orders=("eager",), auto_sync=False)[0].findings


def _forward_findings(given, soc):
    options = (("auto_sync", "false"), ("orders", "eager"))
    _, report, *_ = forward.observe(forward.pick(given), soc, "check", options)
    return report["findings"]


_FINDINGS = {"forward": _forward_findings, "backward": _gradient_findings}


@pytest.mark.parametrize("operator", _FINDINGS)
@pytest.mark.parametrize("shape", _SHAPES, ids="T{0[0]}-N{0[1]}-H{0[2]}".format)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_arch35_needs_nothing_of_the_compiler(dtype, shape, operator):
    assert not _FINDINGS[operator](inputs.make_inputs(*shape, dtype), "ascend950")


@pytest.mark.parametrize("operator", _FINDINGS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_arch22_counts_on_the_compiler(dtype, operator):
    assert _FINDINGS[operator](inputs.make_inputs(20, 4, 64, dtype), "ascend910b")
