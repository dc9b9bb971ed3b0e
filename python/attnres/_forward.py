"""The forward on NumPy arrays: checks, hands the caller's memory to the C interface, returns new arrays.

The counterpart of _backward.py, which takes what this one saves. A call with dtypes, shapes, strides and attributes
of an earlier one is repeated by the binding alone.
"""

from typing import NamedTuple

import numpy as np

from attnres import _call, _checks, _socs, _twin

API_NAME = "aclnnBlockAttentionResiduals"
OPERATOR_NAME = "BlockAttentionResiduals"
DEFAULT_NORM_EPS = 1e-6


class Mixture(NamedTuple):
    """The results of one call: the mixed rows, and what the backward takes."""

    hidden_states: np.ndarray
    inv_norm: np.ndarray
    probs: np.ndarray


def block_attention_residuals(
    partial_block,
    block_res,
    proj_weight,
    norm_weight,
    *,
    valid_block_num: int = -1,
    norm_eps: float = DEFAULT_NORM_EPS,
    soc: str = _socs.DEFAULT_SOC,
    threads: int | None = None,
) -> Mixture:
    """Each token's value rows, mixed by a softmax over their scores.

    T tokens, N stored blocks (0 to 128), hidden size H; T and H may be 0. `main` is float16, bfloat16 (of
    ml_dtypes) or float32, the same for all four. Arrays may have any strides; none is changed or cast.

    Args:
        partial_block: [T, H], main: the value row that is still being summed up.
        block_res: [T, N, H], main: the stored residual blocks.
        proj_weight: [H] or [1, H], main. norm_weight: [H], main.
        valid_block_num: reserved; -1 or N.
        norm_eps: added to the mean of the squares, inside the root; above 0.
        soc: the SoC whose kernels run, a name of attnres.socs().
        threads: host threads that run the virtual cores; None: ATTNRES_NUM_THREADS, else all CPUs. The
            result does not depend on it.

    Returns:
        Mixture, new arrays: hidden_states [T, H], main; inv_norm and probs [T, N + 1], float32. The rows of a
        token do not depend on the other tokens.

    Raises:
        InvalidArgumentError: an argument is wrong; the message has its name, what was expected and what came.
        AclnnError: the library or one of its kernels is missing, or the runtime failed.
    """
    given = (partial_block, block_res, proj_weight, norm_weight, valid_block_num, norm_eps, 1)
    results = _twin.repeat(API_NAME, given, soc, threads)
    if results is not None:  # alike an earlier call, which was checked
        return Mixture._make(results)
    inputs = _checks.as_arrays(dict(zip(_checks.FORWARD_INPUT_DIMENSIONS, given)))
    mixture, _ = run(inputs, valid_block_num=valid_block_num, norm_eps=norm_eps, soc=soc, threads=threads)
    _twin.prepare(API_NAME, arguments(inputs, valid_block_num, float(norm_eps)), mixture, soc)
    return mixture


def run(
    inputs: dict[str, np.ndarray],
    *,
    valid_block_num: int = -1,
    norm_eps: float = DEFAULT_NORM_EPS,
    soc: str = _socs.DEFAULT_SOC,
    threads: int | None = None,
) -> tuple[Mixture, _call.CallStatistics]:
    """block_attention_residuals on arrays by name, with the statistics of the call."""
    problem = _checks.check(inputs, valid_block_num, _checks.FORWARD_INPUT_DIMENSIONS)
    norm_eps = _checks.check_norm_eps(norm_eps)
    thread_count = _checks.check_threads(threads)
    profile = _socs.find_soc(soc)
    mixture = new_mixture(problem)
    given = arguments(inputs, valid_block_num, norm_eps)
    return mixture, _call.call(API_NAME, given, mixture, profile.name, thread_count)


def new_mixture(problem: _checks.Problem) -> Mixture:
    """Arrays of any content for the results of one call."""
    rows = (problem.tokens, problem.blocks + 1)
    return Mixture(
        _twin.empty_result(problem.dtype.numpy, (problem.tokens, problem.hidden)),
        _twin.empty_result(np.dtype(np.float32), rows),
        _twin.empty_result(np.dtype(np.float32), rows),
    )


def arguments(inputs, valid_block_num, norm_eps):
    """The arguments of phase 1 before the outputs, in the C interface's order; inv_norm and probs are wanted."""
    arrays = (_call.addressable(inputs[name]) for name in _checks.FORWARD_INPUT_DIMENSIONS)
    return (*arrays, int(valid_block_num), norm_eps, 1)
