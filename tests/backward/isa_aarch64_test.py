"""aarch64 code gives the same bits as this machine's: the 200 cases of isa_bits_test.py, and the twin's own tests.

On an x86-64 machine the aarch64 programs run under qemu-user. Where that is missing these cases are skipped, with
its name; the first one only looks at the program.
"""

import functools
import platform

import pytest

from tests.backward import isa_programs

DRIVER = "tests/backward/isa_bits_driver"
DRIVER_AARCH64 = "tests/backward/isa_bits_driver_aarch64"
CASES = isa_programs.cases(DRIVER)

# Tests of parts that are written anew for each processor: vector instructions, and the switch of stacks.
UNIT_TESTS = {
    "instruction_hashes": "tests/backward/instruction_hashes_test_aarch64",
    "engine": "tests/backward/engine_test_aarch64",
}
# qemu-user itself dies of a child that starts threads.
UNIT_TEST_FILTER = "--gtest_filter=-*ForkedChild*"

ELF_MACHINE_OFFSET = 18
ELF_AARCH64 = 183

needs_emulator = pytest.mark.skipif(
    isa_programs.emulator() is None,
    reason=f"no {' or '.join(isa_programs.EMULATORS)} on this {platform.machine()} machine: "
    "install qemu-user (on Debian: apt-get install qemu-user)",
)


@functools.cache
def native():
    return isa_programs.report([isa_programs.path_of(DRIVER)])


@functools.cache
def emulated():
    return isa_programs.report([*isa_programs.emulator(), isa_programs.path_of(DRIVER_AARCH64)])


@pytest.mark.parametrize("program", [DRIVER_AARCH64, *UNIT_TESTS.values()], ids=lambda path: path.rpartition("/")[2])
def test_programs_are_for_aarch64(program):
    with open(isa_programs.path_of(program), "rb") as file:
        header = file.read(64)
    assert header[:4] == b"\x7fELF"
    assert int.from_bytes(header[ELF_MACHINE_OFFSET:][:2], "little") == ELF_AARCH64


@needs_emulator
def test_aarch64_kernels_ran():
    assert {entry["isa"] for entry in emulated().values()} == {"aarch64"}
    assert list(emulated()) == CASES and len(CASES) == 200


@needs_emulator
@pytest.mark.parametrize("case", CASES)
def test_same_bits(case):
    assert isa_programs.bits(emulated()[case]) == isa_programs.bits(native()[case])


@needs_emulator
@pytest.mark.parametrize("name", UNIT_TESTS)
def test_unit_tests_pass(name):
    done = isa_programs.run([*isa_programs.emulator(), isa_programs.path_of(UNIT_TESTS[name]), UNIT_TEST_FILTER])
    assert done.returncode == 0, done.stdout[-4000:]
    assert "[  PASSED  ]" in done.stdout
