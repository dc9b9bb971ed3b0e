"""Kernels of every instruction set that this machine runs give the same bits, on 200 cases of all SoCs.

isa_bits_driver.cc has the cases and their inputs; tests/aarch64 does the same under an emulator.
"""

import functools

import pytest
from attnres import _backward, _libraries, _socs, _twin

from tests.backward import isa_programs

DRIVER = "tests/backward/isa_bits_driver"
CASES = isa_programs.cases(DRIVER)
PATHS = ("FULL_H", "SPLIT_H")


def built():
    _libraries.ensure_loaded(_socs.DEFAULT_SOC)
    return list(dict.fromkeys(kernel["isa"] for kernel in _twin.kernels(_backward.OPERATOR_NAME)))


@functools.cache
def report(isa):
    """What the driver says with ATTNRES_ISA; None where this CPU does not run it."""
    refusal = isa_programs.run([isa_programs.path_of(DRIVER)], ATTNRES_ISA=isa).stderr
    if "ATTNRES_ISA is " in refusal:
        return None
    return isa_programs.report([isa_programs.path_of(DRIVER)], ATTNRES_ISA=isa)


def test_the_grid_covers_every_soc_with_kernels_on_both_paths():
    assert len(CASES) == len(set(CASES)) == 200
    best = report(built()[0])
    for soc in _socs.socs():
        if soc.npu_arch not in _backward.available_archs():
            continue
        paths = [best[case]["path"] for case in CASES if f"-{soc.name}-{soc.arch}" in case]
        assert len(paths) >= 40
        for path in PATHS:
            assert paths.count(path) >= 5, (soc.name, path)
        for dtype in ("fp16", "bf16", "fp32"):
            assert any(case.startswith(dtype) and soc.name in case for case in CASES)


@pytest.mark.parametrize("isa", built())
def test_the_back_end_that_was_asked_for_ran(isa):
    ran = report(isa)
    if ran is None:
        pytest.skip(f"this CPU does not run {isa}")
    assert {entry["isa"] for entry in ran.values()} == {isa}
    assert list(ran) == CASES


@pytest.mark.parametrize("case", CASES)
def test_same_bits(case):
    ran = {isa: report(isa) for isa in built() if report(isa) is not None}
    if len(ran) < 2:
        pytest.skip(f"this CPU runs only {', '.join(ran)} of {', '.join(built())}")
    first, *others = ran
    for other in others:
        assert isa_programs.bits(ran[other][case]) == isa_programs.bits(ran[first][case]), (first, other)
