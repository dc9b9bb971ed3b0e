"""What `capture` keeps: the seven tensors of the chosen call, as the operator got them; and the run stays the same."""

import json
import os
import sys

import numpy as np
import pytest
import torch
from torch.optim.optimizer import register_optimizer_step_post_hook

from attnres import _capture_request, _checks, _tensor_files, cli
from attnres.torch import _capture, _tensors, capture_test_program

STEPS = 3


@pytest.fixture
def record(tmp_path, monkeypatch):
    """Trains with a recorder of this request; returns its report, the tensors, modules and rows."""

    def call(step=None, call=None, dtype=torch.float32):
        request = _capture_request.Request(str(tmp_path), step, call)
        recorder = _capture.Recorder(request)
        monkeypatch.setattr(_capture, "_recorder", recorder)
        with register_optimizer_step_post_hook(recorder.end_step):
            trained = capture_test_program.train(STEPS, dtype)
        recorder.finish()
        report = _capture_request.read_report(request.report)
        tensors = None if report.step is None else _tensor_files.read(request.tensors)
        return report, tensors, *trained

    return call


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32], ids=str)
@pytest.mark.parametrize("step", range(STEPS))
@pytest.mark.parametrize("call", range(2))
def test_every_call_of_every_step(record, step, call, dtype):
    report, tensors, _, given = record(step, call, dtype)
    assert (report.step, report.call, report.calls) == (step, call, [2] * STEPS)
    assert list(tensors) and set(tensors) == set(_checks.INPUT_DIMENSIONS)
    problem = _checks.check(tensors, -1)
    assert (problem.tokens, problem.blocks, problem.hidden) == (6, 0 if call == 0 else 2, 24)
    if call == 1:
        rows = given[step].flatten(0, 1)
        assert np.array_equal(tensors["partial_block"], _tensors.as_array(rows))
        assert np.array_equal(tensors["block_res"], _tensors.as_array(torch.stack([rows * 2, rows + 1], 1)))
        # The weights are those before the optimizer changed them in place.
        assert (step == 0) == (not tensors["proj_weight"].any())


def test_the_last_call_of_the_last_step(record):
    report = record()[0]
    assert (report.step, report.call) == (STEPS - 1, 1)
    assert record(step=1)[0].call == 1 and record(call=0)[0].step == STEPS - 1


def test_a_call_that_there_was_not(record):
    for wanted in ({"step": STEPS}, {"call": 2}):
        report, tensors, *_ = record(**wanted)
        assert (report.step, report.call, report.calls, tensors) == (None, None, [2] * STEPS, None)


def test_the_run_is_the_same_without(record):
    captured = record()[2].state_dict()
    plain = capture_test_program.train(STEPS, torch.float32)[0].state_dict()
    assert all(torch.equal(captured[name], plain[name]) for name in plain)


def test_a_process_without_a_call_does_not_answer(tmp_path):
    _capture.Recorder(_capture_request.Request(str(tmp_path))).finish()
    assert list(tmp_path.iterdir()) == []


def test_from_the_command_line(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    flags = (f"--output={tmp_path}/x.safetensors", f"--expected={tmp_path}/golden.safetensors", "--step=1", "--json")
    program = (sys.executable, capture_test_program.__file__, str(STEPS))
    assert cli.main(["attnres", "capture", *flags, "--", *program]) == 0
    found = json.loads(capfd.readouterr().out)
    assert (found["step"], found["steps"], found["call"], found["calls"]) == (1, STEPS, 0, 2)
    flags = (f"--input={tmp_path}/x.safetensors", f"--expected={tmp_path}/golden.safetensors")
    assert cli.main(["attnres", "backward", *flags]) == 0
