"""aarch64 code gives the same bits as this machine's, on the 200 cases of tests/backward/isa_bits_driver.cc.

`tests/aarch64/run` builds the driver for aarch64 and starts this test.
"""

import functools

import pytest

from tests.aarch64 import emulated
from tests.backward import isa_programs

DRIVER = "tests/backward/isa_bits_driver"
CASES = isa_programs.cases(DRIVER)

ELF_MACHINE_OFFSET = 18
ELF_AARCH64 = 183


@functools.cache
def native():
    return isa_programs.report([isa_programs.path_of(DRIVER)])


@functools.cache
def on_aarch64():
    return isa_programs.report([str(emulated.REPOSITORY / "run.sh"), str(emulated.built(DRIVER))])


def test_program_is_for_aarch64():
    header = emulated.built(DRIVER).read_bytes()[:64]
    assert header[:4] == b"\x7fELF"
    assert int.from_bytes(header[ELF_MACHINE_OFFSET:][:2], "little") == ELF_AARCH64


def test_aarch64_kernels_ran():
    assert {entry["isa"] for entry in on_aarch64().values()} == {"aarch64"}
    assert list(on_aarch64()) == CASES and len(CASES) == 200


@pytest.mark.parametrize("case", CASES)
def test_same_bits(case):
    assert isa_programs.bits(on_aarch64()[case]) == isa_programs.bits(native()[case])
