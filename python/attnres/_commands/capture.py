"""`capture`: runs a program that trains, and writes the tensors of one of its backward calls to a file.

attnres.torch in that program does the keeping (torch/_capture.py); this command starts it and looks at the answer.
"""

import os
import subprocess
import sys
import tempfile

import numpy as np
from absl import flags
from attnres import _capture_request, _checks, _reference, _tensor_files
from attnres._commands import run_report
from attnres._commands.console import Console
from attnres._errors import InvalidArgumentError

NAME = "capture"
SUMMARY = "run a program that uses attnres.torch, after --; write the tensors of one of its backward calls"
TAKES_PROGRAM = True

LAST = "last"


def declare_flags(values: flags.FlagValues) -> None:
    keys = ", ".join(_checks.INPUT_DIMENSIONS)
    flags.DEFINE_string("output", None, f"File to write, .safetensors or .npz: {keys}.", flag_values=values)
    flags.DEFINE_string(
        "expected", None, "File to write with the float64 results, keys expected.grad_....", flag_values=values
    )
    flags.DEFINE_string("step", LAST, f"Step of the optimizer, from 0 on, or {LAST}.", flag_values=values)
    flags.DEFINE_string(
        "call",
        "0",
        f"Backward call in the step, from 0 on, or {LAST}: 0 is that of the last forward call.",
        flag_values=values,
    )


def run(options: flags.FlagValues, console: Console, program: list[str]) -> int:
    """Returns 0, or 1 if the program failed."""
    if not options.output:
        raise _tensor_files.FileFault("capture needs --output, a .safetensors or .npz file")
    if not program:
        raise InvalidArgumentError("capture has no program to run; expected it and its arguments after --")
    for path in filter(None, (options.output, options.expected)):
        _tensor_files.check_writable(path)
    step, call = (_number(name, options[name].value) for name in ("step", "call"))
    with tempfile.TemporaryDirectory(prefix="attnres_capture_") as folder:
        request = _capture_request.Request(folder, step, call)
        code = _run_program(program, request, console)
        report = _capture_request.read_report(request.report)
        if code and report.step is None:
            console.line(f"{program[0]} ended with exit code {code} before the call that was asked for")
            return 1
        _check_report(program, options, request, report)
        tensors = _tensor_files.read(request.tensors)
    _write(options, tensors)
    _print(options, console, report, tensors)
    if code:
        console.line(f"{program[0]} ended with exit code {code}")
    console.result(_result(options, report, tensors, code))
    return 1 if code else 0


def _number(flag, text):
    """The number of a step or call; None for the last."""
    if text == LAST:
        return None
    if not text.isdecimal():
        raise InvalidArgumentError(f"--{flag} is {text!r}; expected a number from 0 on, or {LAST}")
    return int(text)


def _run_program(program, request, console):
    try:
        # Its own words go to stdout, unless that belongs to the JSON object.
        return subprocess.run(
            program,
            cwd=os.environ.get("BUILD_WORKING_DIRECTORY"),
            env=os.environ | request.environment(),
            stdout=sys.stderr if console.as_json else None,
            check=False,
        ).returncode
    except OSError as error:
        raise InvalidArgumentError(f"{program[0]} cannot be run: {error.strerror}") from error


def _check_report(program, options, request, report):
    if not report.calls:
        raise InvalidArgumentError(
            f"{program[0]} made no backward call through attnres.torch; expected a program that trains with it"
        )
    if report.step is not None:
        return
    steps = len(report.calls)
    if request.step is not None and request.step >= steps:
        raise InvalidArgumentError(f"--step is {options.step}; expected 0 to {steps - 1}, as {program[0]} did {steps}")
    calls = report.calls[request.step] if request.step is not None else max(report.calls)
    raise InvalidArgumentError(f"--call is {options.call}; expected 0 to {calls - 1}, as the step had {calls}")


def _write(options, tensors):
    _tensor_files.write(options.output, tensors)
    if options.expected:
        golden = _reference.evaluate(tensors)
        _tensor_files.write(
            options.expected,
            {run_report.expected_key(name): np.ascontiguousarray(value) for name, value in golden.items()},
        )


def _print(options, console, report, tensors):
    calls = report.calls[report.step]
    console.table(
        f"{options.output}: step {report.step} of 0 to {len(report.calls) - 1}, "
        f"backward call {report.call} of 0 to {calls - 1}",
        ["tensor", "dtype", ">shape"],
        [
            [name, tensors[name].dtype.name, " x ".join(map(str, tensors[name].shape))]
            for name in _checks.INPUT_DIMENSIONS
        ],
    )
    if options.expected:
        console.line(f"{options.expected}: the float64 results")


def _result(options, report, tensors, code):
    tokens, blocks, hidden = tensors["block_res"].shape
    return {
        "command": NAME,
        "output": options.output,
        "expected": options.expected,
        "step": report.step,
        "steps": len(report.calls),
        "call": report.call,
        "calls": report.calls[report.step],
        "dtype": tensors["partial_block"].dtype.name,
        "tokens": tokens,
        "blocks": blocks,
        "hidden": hidden,
        "exit_code": code,
    }
