"""Keeps the tensors of one call of the backward, if `attnres capture` runs this program.

A step ends where a torch.optim optimizer has done one. Of several processes the first answers.
"""

import atexit

import numpy as np
import torch
from torch.optim.optimizer import register_optimizer_step_post_hook

from attnres import _capture_request, _checks, _tensor_files
from attnres.torch import _tensors


class Recorder:
    """Answers a request: `observe` each call, `end_step` after each step, `finish` at the program's end."""

    def __init__(self, request: _capture_request.Request):
        self._request = request
        self._calls = [0]
        self._kept = None

    def observe(self, tensors) -> None:
        """Keeps a copy of the seven tensors if the call may be the one that is wanted: weights change in place."""
        if not _first_process():
            return
        step, call = len(self._calls) - 1, self._calls[-1]
        self._calls[-1] += 1
        if self._request.step in (None, step) and self._request.call in (None, call):
            copies = (np.array(_tensors.as_array(tensor), order="C") for tensor in tensors)
            self._kept = (step, call, dict(zip(_checks.INPUT_DIMENSIONS, copies, strict=True)))

    def end_step(self, *_) -> None:
        """A step without a call does not count: it is another optimizer's."""
        if self._calls[-1]:
            self._calls.append(0)

    def finish(self) -> None:
        """Writes the answer, unless this process had no call."""
        calls = self._calls if self._calls[-1] else self._calls[:-1]
        if not calls:
            return
        step = call = None
        if self._kept:
            step, call, tensors = self._kept
            _tensor_files.write(self._request.tensors, tensors)
        _capture_request.Report(calls, step, call).write(self._request.report)


def _first_process():
    distributed = torch.distributed
    return not (distributed.is_available() and distributed.is_initialized()) or distributed.get_rank() == 0


def _start():
    request = _capture_request.of_environment()
    if request is None:
        return None
    recorder = Recorder(request)
    register_optimizer_step_post_hook(recorder.end_step)
    atexit.register(recorder.finish)
    return recorder


_recorder = _start()


def observe(tensors) -> None:
    """Tells of a call of the backward; its tensors are those of _checks.INPUT_DIMENSIONS, in this order."""
    if _recorder is not None:
        _recorder.observe(tensors)
