"""The backward on NumPy arrays: checks, hands the caller's memory to the C interface, returns new arrays.

_checks.py says what is refused; _call.py makes the aclnn call. A call with dtypes, shapes, strides and
attributes of an earlier one is repeated by the binding alone. Test and command-line code that wants to know what
a call did uses `run`, which returns the runtime's statistics too.
"""

from typing import NamedTuple

import numpy as np

from attnres import _call, _checks, _socs, _twin

API_NAME = "aclnnBlockAttentionResidualsGrad"
OPERATOR_NAME = "BlockAttentionResidualsGrad"


class Gradients(NamedTuple):
    """The gradients of one call; shapes and dtypes are those of the inputs that they belong to."""

    grad_partial_block: np.ndarray
    grad_block_res: np.ndarray
    grad_proj_weight: np.ndarray
    grad_norm_weight: np.ndarray


def block_attention_residuals_backward(
    partial_block,
    block_res,
    proj_weight,
    norm_weight,
    grad_hidden_states,
    inv_norm,
    probs,
    *,
    valid_block_num: int = -1,
    soc: str = _socs.DEFAULT_SOC,
    threads: int | None = None,
) -> Gradients:
    """Gradients of block attention residuals with respect to its four inputs.

    T tokens, N stored blocks (0 to 128), hidden size H; T and H may be 0. `main` is float16, bfloat16 (of
    ml_dtypes) or float32, the same for all five. Arrays may have any strides; none is changed or cast.

    Args:
        partial_block: [T, H], main: the value row that is still being summed up.
        block_res: [T, N, H], main: the stored residual blocks.
        proj_weight: [1, H], main. norm_weight: [H], main.
        grad_hidden_states: [T, H], main: gradient of the forward's result.
        inv_norm: [T, N + 1], float32: saved by the forward.
        probs: [T, N + 1], float32: saved by the forward.
        valid_block_num: reserved; -1 or N.
        soc: the SoC whose kernels run, a name of attnres.socs().
        threads: host threads that run the virtual cores; None: ATTNRES_NUM_THREADS, else all CPUs. The
            result does not depend on it.

    Returns:
        Gradients, new arrays. The rows of a token do not depend on the other tokens.

    Raises:
        InvalidArgumentError: an argument is wrong; the message has its name, what was expected and what came.
        AclnnError: the library or one of its kernels is missing, or the runtime failed.
    """
    given = (partial_block, block_res, proj_weight, norm_weight, grad_hidden_states, inv_norm, probs, valid_block_num)
    results = _twin.repeat(API_NAME, given, soc, threads)
    if results is not None:  # alike an earlier call, which was checked
        return Gradients._make(results)
    inputs = _checks.as_arrays(dict(zip(_checks.INPUT_DIMENSIONS, given)))
    gradients, _ = run(inputs, valid_block_num=valid_block_num, soc=soc, threads=threads)
    _twin.prepare(API_NAME, arguments(inputs, valid_block_num), gradients, soc)
    return gradients


def run(
    inputs: dict[str, np.ndarray],
    *,
    valid_block_num: int = -1,
    soc: str = _socs.DEFAULT_SOC,
    threads: int | None = None,
) -> tuple[Gradients, _call.CallStatistics]:
    """block_attention_residuals_backward on arrays by name, with the statistics of the call."""
    problem = _checks.check(inputs, valid_block_num)
    thread_count = _checks.check_threads(threads)
    profile = _socs.find_soc(soc)
    gradients = new_gradients(problem)
    statistics = call(inputs, valid_block_num, gradients, profile.name, thread_count)
    return gradients, statistics


def new_gradients(problem: _checks.Problem) -> Gradients:
    """Arrays of any content for the gradients of one call."""
    main = problem.dtype.numpy
    return Gradients(
        _twin.empty_result(main, (problem.tokens, problem.hidden)),
        _twin.empty_result(main, (problem.tokens, problem.blocks, problem.hidden)),
        _twin.empty_result(main, (1, problem.hidden)),
        _twin.empty_result(main, (problem.hidden,)),
    )


def call(inputs, valid_block_num, gradients, soc, threads, workspace=None) -> _call.CallStatistics:
    """_call.call on inputs by name, without Python's checks."""
    return _call.call(API_NAME, arguments(inputs, valid_block_num), gradients, soc, threads, workspace)


def arguments(inputs, valid_block_num):
    """The arguments of phase 1 before the outputs, in the C interface's order."""
    return (*(_call.addressable(inputs[name]) for name in _checks.INPUT_DIMENSIONS), int(valid_block_num))


def available_archs() -> set[int]:
    """The __NPU_ARCH__ values of which the operator library holds kernels on this machine."""
    return _call.available_archs(OPERATOR_NAME)
