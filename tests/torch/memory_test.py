"""The peak memory of a forward with its gradients: near its results, and below that of PyTorch, eager and compiled.

Each runs in a process of its own, forked before any thread was started, after a call at a tiny shape; what is compared
is the resident memory on top of what lay there before the call.
"""

import ctypes
import multiprocessing
import os

import pytest
import torch
from attnres import _dtypes, _sample_inputs
from attnres._bench import torch_peer

SHAPE = (1024, 8, 4096)
DTYPE = _dtypes.main_dtype("bfloat16")
# V, or its gradients, with the result or its gradient.
RESULT_BYTES = SHAPE[0] * (SHAPE[1] + 2) * SHAPE[2] * DTYPE.itemsize


# Unified Buffers of the virtual cores, and stacks of the threads.
FIXED_BYTES = 64 * 253952 + (8 << 20)


def _resident(field):
    with open("/proc/self/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def _measure(function, compiled, cache, queue):
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = cache
    if compiled:
        function = torch_peer.compile_alone(function)
    call = torch_peer.both_passes(_sample_inputs.make_inputs(*SHAPE, DTYPE), function)
    if compiled:
        call()  # the compiler itself takes memory
    else:
        torch_peer.both_passes(_sample_inputs.make_inputs(2, 1, 8, DTYPE), function)()
    ctypes.CDLL(None).malloc_trim(0)  # what is free already counts as needed when it is used again
    with open("/proc/self/clear_refs", "w", encoding="ascii") as reset:
        reset.write("5")
    before = _resident("VmRSS")
    call()
    queue.put(_resident("VmHWM") - before)


def peak(function, compiled=False, cache=""):
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=_measure, args=(function, compiled, cache, queue))
    process.start()
    process.join()
    assert process.exitcode == 0
    return queue.get()


def ours(*tensors):
    import attnres.torch  # noqa: F401  (here, so that its threads are the child's)

    return torch.ops.attnres.block_attention_residuals(*tensors)


@pytest.fixture(scope="module")
def our_peak():
    return peak(ours)


def test_little_more_than_the_results(our_peak):
    assert RESULT_BYTES * 0.9 < our_peak < RESULT_BYTES + FIXED_BYTES


def test_below_eager_mode(our_peak):
    assert our_peak < peak(torch_peer.forward) / 2


def test_below_compiled_code(our_peak, tmp_path):
    reason = torch_peer.compiler_missing()
    if reason:
        pytest.skip(reason)
    assert our_peak < peak(torch_peer.forward, compiled=True, cache=str(tmp_path))
