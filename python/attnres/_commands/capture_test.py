"""`capture`: what it asks of a program, writes of its answer, and refuses.

A stand-in for the program answers at once; torch/capture_test.py has one that trains.
"""

import json
import sys

import numpy as np
import pytest
from attnres import _capture_request, _checks, _dtypes, _reference, _tensor_files, cli
from attnres.testing import cases
from attnres.testing import inputs as testing_inputs
from attnres.testing.bits import same_bits

# Copies the folder of its first argument to where the answer is expected, and ends with the code of its second.
STAND_IN = """
import json, os, shutil, sys
request = os.environ["ATTNRES_CAPTURE"]
shutil.copytree(sys.argv[1], json.loads(request)["folder"], dirs_exist_ok=True)
open(os.path.join(sys.argv[1], "request.json"), "w").write(request)
print("a word of the program", flush=True)
sys.exit(int(sys.argv[2]))
"""


@pytest.fixture
def answer(tmp_path):
    """Makes a program that answers with this report, and tensors if the report has a call; returns it as words."""
    folder = tmp_path / "answer"
    folder.mkdir()

    def make(report=None, dtype="float32", code=0):
        request = _capture_request.Request(str(folder))
        if report:
            report.write(request.report)
        if report and report.step is not None:
            inputs = testing_inputs.make_inputs(3, 2, 17, _dtypes.main_dtype(dtype))
            _tensor_files.write(request.tensors, inputs)
        return [sys.executable, "-I", "-S", "-c", STAND_IN, str(folder), str(code)]

    make.request = lambda: _capture_request.Request(**json.loads((folder / "request.json").read_text()))
    return make


@pytest.fixture
def run(capfd):
    """Captures from a program with these flags; returns exit code, stdout and stderr."""

    def call(program, *flags):
        code = cli.main(["attnres", "capture", *map(str, flags), "--", *program])
        return code, *capfd.readouterr()

    return call


REPORT = _capture_request.Report([3, 5, 4], 1, 2)


@pytest.mark.parametrize("suffix", _tensor_files.SUFFIXES)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_writes_the_tensors_and_their_gradients(run, answer, tmp_path, capfd, dtype, suffix):
    output, golden = (str(tmp_path / f"{stem}{suffix}") for stem in ("x", "golden"))
    program = answer(REPORT, dtype.name)
    code, out, err = run(program, f"--output={output}", f"--expected={golden}", "--json")
    assert (code, err.splitlines()[0]) == (0, "a word of the program")
    inputs = testing_inputs.make_inputs(3, 2, 17, dtype)
    written, expected = _tensor_files.read(output), _tensor_files.read(golden)
    assert written.keys() == inputs.keys() and all(same_bits(written[name], inputs[name]) for name in inputs)
    for name, value in _reference.evaluate(inputs).items():
        assert np.array_equal(expected.pop(f"expected.{name}"), value)
    assert not expected
    assert json.loads(out) == {
        "command": "capture",
        "output": output,
        "expected": golden,
        "step": 1,
        "steps": 3,
        "call": 2,
        "calls": 5,
        "dtype": dtype.name,
        "tokens": 3,
        "blocks": 2,
        "hidden": 17,
        "exit_code": 0,
    }
    assert cli.main(["attnres", "backward", f"--input={output}", f"--expected={golden}"]) == 0
    assert cli.main(["attnres", "check", f"--input={output}"]) == 0
    assert cli.main(["attnres", "trace", f"--input={output}"]) == 0


def test_shows_what_it_wrote(run, answer, tmp_path):
    folder = tmp_path / ("x" * 150)  # longer than a line of the table
    folder.mkdir()
    code, out, err = run(answer(REPORT), f"--output={folder}/x.npz")
    assert (code, err) == (0, "")
    assert out.startswith("a word of the program\n")
    assert "step 1 of 0 to 2, backward call 2 of 0 to 4" in out and "3 x 2 x 17" in out
    assert all(name in out for name in _checks.INPUT_DIMENSIONS)


@pytest.mark.parametrize(
    "flags, step, call",
    [((), None, 0), (("--step=7", "--call=3"), 7, 3), (("--step=last", "--call=last"), None, None)],
    ids=["default", "7-3", "last-last"],
)
def test_asks_for_the_call_of_the_flags(run, answer, tmp_path, flags, step, call):
    assert run(answer(REPORT), f"--output={tmp_path}/x.npz", *flags)[0] == 0
    assert (answer.request().step, answer.request().call) == (step, call)


def test_relative_paths_are_those_of_the_user(run, answer, tmp_path, monkeypatch):
    monkeypatch.setenv("BUILD_WORKING_DIRECTORY", str(tmp_path))
    program = answer(REPORT)
    (tmp_path / "stand_in").symlink_to(program[0])
    assert run(["./stand_in", *program[1:]], "--output=x.npz")[0] == 0
    assert (tmp_path / "x.npz").exists()


@pytest.mark.parametrize(
    "flags, sentence",
    [
        ([], "capture needs --output"),
        (["--output=x.txt"], "x.txt ends in '.txt'; expected .safetensors or .npz"),
        (["--output=none/x.npz"], "none/x.npz cannot be written"),
        (["--output=x.npz", "--expected=none/x.npz"], "none/x.npz cannot be written"),
        (["--output=x.npz", "--step=-1"], "--step is '-1'; expected a number from 0 on, or last"),
        (["--output=x.npz", "--call=first"], "--call is 'first'; expected a number from 0 on, or last"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_refuses_flags_before_the_program_runs(run, answer, flags, sentence):
    code, out, err = run(answer(REPORT), *flags, "--json")
    assert (code, out) == (2, "") and err.startswith(f"attnres capture: {sentence}")
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    "report, flags, sentence",
    [
        (None, (), "made no backward call through attnres.torch"),
        (_capture_request.Report([2, 2]), ("--step=2",), "--step is 2; expected 0 to 1, as "),
        (_capture_request.Report([2, 3]), ("--step=1", "--call=3"), "--call is 3; expected 0 to 2, as the step had 3"),
        (_capture_request.Report([2, 3]), ("--call=4",), "--call is 4; expected 0 to 2"),
    ],
    ids=["none", "step", "call", "last"],
)
def test_refuses_calls_that_there_were_not(run, answer, tmp_path, report, flags, sentence):
    code, out, err = run(answer(report), f"--output={tmp_path}/x.npz", *flags, "--json")
    assert (code, out) == (2, "") and sentence in err and "Traceback" not in err
    assert not (tmp_path / "x.npz").exists()


def test_programs_that_there_are_not(run, tmp_path):
    code, _, err = run([], f"--output={tmp_path}/x.npz")
    assert code == 2 and "capture has no program to run; expected it and its arguments after --" in err
    code, _, err = run(["/none/program"], f"--output={tmp_path}/x.npz")
    assert code == 2 and "/none/program cannot be run: No such file" in err


def test_a_program_that_fails(run, answer, tmp_path):
    code, out, _ = run(answer(REPORT, code=3), f"--output={tmp_path}/x.npz")
    assert code == 1 and "ended with exit code 3" in out and (tmp_path / "x.npz").exists()
    code, out, _ = run(["false"], f"--output={tmp_path}/y.npz")
    assert code == 1 and "false ended with exit code 1 before the call" in out
    assert not (tmp_path / "y.npz").exists()


def test_a_request_survives_the_environment(monkeypatch):
    request = _capture_request.Request("a folder", 3, None)
    assert _capture_request.of_environment() is None
    for name, value in request.environment().items():
        monkeypatch.setenv(name, value)
    assert _capture_request.of_environment() == request
