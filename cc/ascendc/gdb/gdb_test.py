"""gdb stops in lines of a kernel and prints its tensors, registers, queues and cores as expected.

The program is built as --compilation_mode=dbg does. Without a gdb that can run a program these cases are skipped and
say why; the first one only looks at the program.
"""

import functools
import re
import shutil
import subprocess

import pytest
from runfiles import Runfiles


def path_of(name):
    return Runfiles.Create().Rlocation("attnres/cc/ascendc/gdb/" + name)


KERNEL = path_of("debugged_kernel.cpp")


def gdb(*commands):
    """What gdb writes to stdout and stderr for these commands, the program loaded and the printers sourced."""
    program = shutil.which("gdb", path="/usr/local/bin:/usr/bin:/bin")
    arguments = ["--batch", "-nx", "-ex", "source " + path_of("ascendc.py")]
    for command in commands:
        arguments += ["-ex", command]
    done = subprocess.run(
        [program, *arguments, path_of("debugged_dbg")],
        env={"HOME": "/nonexistent", "LC_ALL": "C"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.stdout, done.stderr


@functools.cache
def why_not():
    """Why gdb cannot be used here; "" if it can."""
    if shutil.which("gdb", path="/usr/local/bin:/usr/bin:/bin") is None:
        return "no gdb on this machine: install it (on Debian: apt-get install gdb)"
    errors = gdb("run")[1]
    if "not supported in this copy" in errors:
        return "this gdb has no Python"
    return "gdb cannot run a program here: " + errors.strip() if "ptrace" in errors else ""


@pytest.fixture(name="stopped")
def _stopped():
    """Runs commands at a line of the kernel marked "stop: MARK"; returns what they printed."""
    if why_not():
        pytest.skip(why_not())

    def run(mark, *commands, condition=""):
        with open(KERNEL, encoding="utf-8") as file:
            line = next(number for number, text in enumerate(file, 1) if text.endswith("// stop: %s\n" % mark))
        output, errors = gdb("break debugged_kernel.cpp:%d %s" % (line, condition), "run", "echo <begin>\\n", *commands)
        assert "debugged_kernel.cpp:%d" % line in output.partition("<begin>")[0], output + errors
        # Addresses of the host change from run to run.
        return re.sub(r"0x[0-9a-f]{6,}", "ADDRESS", output.partition("<begin>\n")[2]).splitlines()

    return run


def test_program_has_debug_information():
    with open(path_of("debugged_dbg"), "rb") as file:
        assert b".debug_info" in file.read()


def test_tensors(stopped):
    assert stopped("tensors", "info locals") == [
        "xLocal = VECIN UB+0x0, 64 half = "
        "{0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 3.75, 4, ...}",
        "wide = VECCALC UB+0x180, 64 float = {0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, ...}",
        "numbers = VECCALC UB+0x274, 3 int32_t = {1106771968, 1107034112, 1107296256}",
        "zLocal = VECOUT UB+0x100, 64 bfloat16_t = "
        "{0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, ...}",
        "single = 1",
    ]


def test_elements_of_choice(stopped):
    assert stopped("tensors", "set ascendc-elements 3", "print wide", "print xLocal.data_[2]@4") == [
        "$1 = VECCALC UB+0x180, 64 float = {0.5, 1, 1.5, ...}",
        "$2 = {0.75, 1, 1.25, 1.5}",
    ]


def test_members_of_the_kernel(stopped):
    assert stopped("tensors", "set print pretty on", "set ascendc-elements 2", "print *this") == [
        "$1 = {",
        "  inQueue = TQue VECIN, 0 in the queue = {",
        "    buffer 0 = UB+0x0, 128 bytes, DEQUE,",
        "    buffer 1 = UB+0x80, 128 bytes, FREE",
        "  },",
        "  outQueue = TQue VECOUT, 0 in the queue = {",
        "    buffer 0 = UB+0x100, 128 bytes, OCCUPIED",
        "  },",
        "  work = TBuf VECCALC, UB+0x180, 256 bytes,",
        "  xGm = GM ADDRESS, 64 half = {0.25, 0.5, ...},",
        "  zGm = GM ADDRESS, 64 bfloat16_t = {0, 0, ...}",
        "}",
    ]


def test_registers(stopped):
    assert stopped("register", "info locals") == [
        "value = register of 64 float = {0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, ...}",
        "mask = mask of 8 of 64 elements of 4 bytes: 0-7",
        "all = mask of 64 of 64 elements of 4 bytes: 0-63",
    ]


def test_backtrace_ends_where_the_core_begins(stopped):
    frames = [line for line in stopped("tensors", "backtrace") if line.startswith("#")]
    assert "KernelDebugged::Process" in frames[0]
    assert "debugged_kernel (" in frames[1]
    assert "attnres_fiber_begin" in frames[-1]


def test_pipe_and_core_of_outer_frames(stopped):
    shown = stopped("tensors", "up", "print pipe", "frame function debugged_kernel_entry", "print *core")
    assert shown[2] == "$1 = TPipe of 4 buffers, 640 bytes of UB"
    assert shown[-1] == (
        "$2 = core 0 of 3 in kernel: UB of 253952 bytes at ADDRESS, 640 taken; GM 128 bytes read, 0 written"
    )


def test_break_in_one_core_and_look_at_the_others(stopped):
    shown = stopped(
        "tensors",
        "ascendc-cores",
        "ascendc-core 1 print zLocal",
        "print $core()",
        condition="if $core() == 2",
    )
    assert [re.sub(r":\d+$", ":LINE", line) for line in shown] == [
        "  core 0 waits at cc/ascendc/gdb/debugged_kernel.cpp:LINE",
        "  core 1 waits at cc/ascendc/gdb/debugged_kernel.cpp:LINE",
        "* core 2 runs at cc/ascendc/gdb/debugged_kernel.cpp:LINE",
        "$1 = VECOUT UB+0x100, 64 bfloat16_t = {0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, ...}",
        "$2 = 2",
    ]


def test_next_steps_over_the_switch_to_other_cores(stopped):
    shown = stopped("free", "next", "next", "print $core()", "continue", condition="if $core() == 0")
    assert "$1 = 0" in shown
    assert shown[-1].endswith("exited normally]") and "done" in shown
