"""The operators whose kernels can be mutated, each with the calls that reach every line of its kernels."""

import dataclasses
from collections.abc import Callable

import attnres
import numpy as np
from attnres import _backward, _checks, _dtypes, _forward, _observed, _sample_inputs

# One of each architecture.
SOCS = ("ascend910b", "ascend950")
DTYPES = ("float32", "bfloat16")


@dataclasses.dataclass(frozen=True)
class Case:
    """One call of an operator.

    Attributes:
        kernel: the kernel and its way of working that the call takes, e.g. "FULL_H".
        name: what else is particular of the call.
        run: makes the call in check mode with options; returns the mode's JSON, why the kernel ended early or "",
            and the bytes of the results, which were 0xFF before.
    """

    soc: str
    arch: str
    dtype: str
    kernel: str
    name: str
    run: Callable[[tuple[tuple[str, str], ...]], tuple[dict, str, bytes]]


@dataclasses.dataclass(frozen=True)
class Operator:
    """What is known of an operator.

    Attributes:
        folder: of its kernels. prefix: with which their files' names begin.
        explained: whether explained.txt is about it; else every mutant of it is noticed.
    """

    folder: str
    prefix: str
    cases: Callable[[str, str], list[Case]]
    explained: bool = False


# T, N, H: one token and more tokens than cores, rows and scores of whole blocks of UB and others, no blocks, rows that
# stay in UB and rows that are streamed (some, all), batches of tokens with a short last one, several tiles of H with a
# short last one, more tokens on a core than it keeps scores of, rows in segments and in groups, and segments in tiles.
# Quick ones first.
_GRAD_SHAPES = (
    *((1, 2, 64), (2, 0, 40), (50, 3, 24), (70, 2, 33)),
    *((2, 5, 1024), (2, 0, 4096), (1, 40, 1168), (2, 31, 4096), (50, 2, 2056), (2, 2, 7000)),
    *((120, 2, 64), (300, 4, 40), (300, 0, 17), (700, 2, 128), (700, 4, 64)),
    *((2, 1, 16384), (50, 0, 9000), (2, 2, 7730), (1, 128, 4097), (140, 63, 64), (2, 63, 8200), (200, 1, 8200)),
    *((40, 1, 16384), (40, 2, 7730), (1, 80, 264), (4, 1, 86080), (4, 1, 113800)),
)


def _grad_cases(soc: str, dtype: str) -> list[Case]:
    cases = []
    for tokens, blocks, hidden in _GRAD_SHAPES:
        plan = attnres.tiling(tokens, blocks, hidden, dtype, soc=soc)
        batches = " batches" if any("batch" in buffer.name for buffer in plan.buffers) else ""
        cases.append(
            Case(
                soc=soc,
                arch=plan.arch,
                dtype=dtype,
                kernel=plan.path + batches,
                name=f"T={tokens} N={blocks} H={hidden}",
                run=_grad_run(tokens, blocks, hidden, dtype, soc),
            )
        )
    return cases


def _grad_run(tokens, blocks, hidden, dtype, soc):
    inputs = _sample_inputs.make_inputs(tokens, blocks, hidden, _dtypes.main_dtype(dtype))
    problem = _checks.check(inputs, -1)

    def run(options):
        gradients = _backward.new_gradients(problem)
        for gradient in gradients:
            gradient.view(np.uint8)[...] = 0xFF
        observed = _observed.run(inputs, mode="check", options=options, soc=soc, threads=1, gradients=gradients)
        return observed.report, observed.fault, b"".join(gradient.tobytes() for gradient in gradients)

    return run


# T, N, H of the forward: one token and more tokens than cores, batches with a short last one, no blocks, two sets of
# rows, reloaded and not, and one, several tiles of H with a short last one, one tile that all tokens share.
_FORWARD_SHAPES = (
    *((1, 2, 64), (2, 0, 40), (50, 3, 24), (70, 2, 33), (130, 8, 512), (300, 4, 40), (581, 4, 64), (300, 0, 17)),
    *((200, 8, 1168), (5, 20, 2560), (5, 30, 2560), (3, 128, 1168), (2, 1, 40002), (70, 2, 40002)),
)


def _forward_cases(soc: str, dtype: str) -> list[Case]:
    cases = []
    arch = next(known.arch for known in attnres.socs() if known.name == soc)
    for tokens, blocks, hidden in _FORWARD_SHAPES:
        main = _dtypes.main_dtype(dtype)
        given = _sample_inputs.make_inputs(tokens, blocks, hidden, main)
        inputs = {name: given[name] for name in _checks.FORWARD_INPUT_DIMENSIONS}
        path = _forward.run(inputs, soc=soc)[1].path
        cases.append(
            Case(
                soc=soc,
                arch=arch,
                dtype=dtype,
                kernel=path,
                name=f"T={tokens} N={blocks} H={hidden}",
                run=_forward_run(inputs, soc),
            )
        )
    return cases


def _forward_run(inputs, soc):
    problem = _checks.check(inputs, -1, _checks.FORWARD_INPUT_DIMENSIONS)
    arguments = _forward.arguments(inputs, -1, _forward.DEFAULT_NORM_EPS)

    def run(options):
        mixture = _forward.new_mixture(problem)
        for result in mixture:
            result.view(np.uint8)[...] = 0xFF
        report, _, _, fault = _observed.run_api(_forward.API_NAME, arguments, mixture, "check", options, soc, 1)
        return report, fault, b"".join(result.tobytes() for result in mixture)

    return run


OPERATORS = {
    "block_attention_residuals": Operator(
        folder="op_kernel/block_attention_residuals/",
        prefix="block_attention_residuals_",
        cases=_forward_cases,
    ),
    "block_attention_residuals_grad": Operator(
        folder="op_kernel/block_attention_residuals_grad/",
        prefix="block_attention_residuals_grad_",
        cases=_grad_cases,
        explained=True,
    ),
}
