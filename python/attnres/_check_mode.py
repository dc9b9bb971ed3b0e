"""The operator under check mode: the same kernels, each instruction watched, and what is wrong with them.

docs/check_mode.md says what is looked for. The rules are those of the runtime library (cc/ascendc/checks);
here their report becomes dataclasses.
"""

import dataclasses
import operator

import numpy as np

from attnres import _backward, _checks, _observed, _socs
from attnres._errors import InvalidArgumentError

ORDERS = ("eager", "late-in", "late-out", "late-vector", "late-copies")
PIPES = ("vector", "copy_in", "copy_out", "scalar")
DEFAULT_ORDERS = ("eager", "late-copies")


@dataclasses.dataclass(frozen=True)
class Place:
    """A call in a kernel's source."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclasses.dataclass(frozen=True)
class Finding:
    """One fault of a kernel.

    Attributes:
        category: "memory", "initialisation", "race" or "synchronisation"; rule: a stable name, e.g. "ub-race".
        sentence: what happened and what to do.
        instruction, operand: as in the kernel; "" where it is none.
        core: the first that did it. pipe: "scalar", "vector", "copy-in", "copy-out" or "".
        buffer: a UB buffer with the place where it was made, or a tensor in global memory.
        begin, end: bytes of UB or of that tensor; equal where there are none.
        place, other_place: the access, and the other one, the set or the write that it is about.
        other_pipe: of the other access. count: how often it was seen.
    """

    category: str
    rule: str
    sentence: str
    instruction: str
    operand: str
    core: int
    pipe: str
    buffer: str
    begin: int
    end: int
    place: Place | None
    other_place: Place | None
    other_pipe: str
    count: int


@dataclasses.dataclass(frozen=True)
class Dump:
    """A UB buffer as `data`, uint8, after the last instruction of the line that `request` names."""

    request: str
    core: int
    data: np.ndarray = dataclasses.field(compare=False)


@dataclasses.dataclass(frozen=True)
class CheckReport:
    """What check mode found in one call.

    Attributes:
        path: "FULL_H", "SPLIT_H", or None where no kernel had to run.
        cores: virtual cores of the launch. orders: in which it ran, one after the other.
        instructions: that the cores gave to each pipe in the first order: "vector", "copy_in", "copy_out", and
            "scalar", the scalar unit's accesses of memory. A vector function is one.
        findings: none if all is right. dropped: how many more there are than are kept.
        fault: why a kernel ended early, e.g. a wait that nothing can end; "" if none did.
    """

    soc: str
    arch: str
    path: str | None
    cores: int
    auto_sync: bool
    orders: tuple[str, ...]
    instructions: dict[str, int]
    findings: tuple[Finding, ...]
    dropped: int
    dumps: tuple[Dump, ...]
    fault: str

    @property
    def right(self) -> bool:
        return not self.findings


def check(
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
    auto_sync: bool = True,
    orders: tuple[str, ...] = DEFAULT_ORDERS,
    dumps: tuple[str, ...] = (),
) -> CheckReport:
    """block_attention_residuals_backward under check mode: its kernels' faults in place of its gradients.

    Args:
        partial_block, block_res, proj_weight, norm_weight, grad_hidden_states, inv_norm, probs,
        valid_block_num, soc, threads: as for block_attention_residuals_backward.
        auto_sync: the compiler's own synchronisation is on, as is its default.
        orders: in which of the orders that the flags allow the pipes run; some of ORDERS.
        dumps: UB buffers to copy, "BUFFER@LINE" or "BUFFER@FILE:LINE", BUFFER as findings number them.

    Raises:
        InvalidArgumentError, AclnnError: as block_attention_residuals_backward. A fault of a kernel is a
            finding, never an exception.
    """
    given = (partial_block, block_res, proj_weight, norm_weight, grad_hidden_states, inv_norm, probs)
    inputs = _checks.as_arrays(dict(zip(_checks.INPUT_DIMENSIONS, given)))
    return run(
        inputs,
        valid_block_num=valid_block_num,
        soc=soc,
        threads=threads,
        auto_sync=auto_sync,
        orders=orders,
        dumps=dumps,
    )[0]


def run(
    inputs: dict[str, np.ndarray],
    *,
    valid_block_num: int = -1,
    soc: str = _socs.DEFAULT_SOC,
    threads: int | None = None,
    auto_sync: bool = True,
    orders: tuple[str, ...] = DEFAULT_ORDERS,
    dumps: tuple[str, ...] = (),
) -> tuple[CheckReport, _backward.Gradients]:
    """check on arrays by name, with the gradients of the first order."""
    _check_orders(orders)
    options = (
        ("auto_sync", "true" if auto_sync else "false"),
        ("orders", ",".join(orders)),
        *(("dump", _one_line(request)) for request in dumps),
    )
    observed = _observed.run(
        inputs, mode="check", options=options, valid_block_num=valid_block_num, soc=soc, threads=threads
    )
    raw = observed.report or {
        "cores": 0,
        "instructions": dict.fromkeys(PIPES, 0),
        "findings": [],
        "dropped": 0,
        "dumps": [],
    }
    report = CheckReport(
        soc=soc,
        arch=_socs.find_soc(soc).arch,
        path=observed.path,
        cores=raw["cores"],
        auto_sync=bool(auto_sync),
        orders=tuple(orders),
        instructions=raw["instructions"],
        findings=tuple(_finding(finding) for finding in raw["findings"]),
        dropped=raw["dropped"],
        dumps=tuple(_dump(dump, dumps, observed.data) for dump in raw["dumps"]),
        fault=observed.fault,
    )
    return report, observed.gradients


def _check_orders(orders):
    if isinstance(orders, str) or not orders or any(order not in ORDERS for order in orders):
        given = orders if isinstance(orders, str) else ",".join(map(str, orders))
        raise InvalidArgumentError(f"orders is {given!r}; expected some of {', '.join(ORDERS)}")


def _one_line(request):
    if not isinstance(request, str) or "\n" in request:
        raise InvalidArgumentError(f"dumps has {request!r}; expected BUFFER@LINE or BUFFER@FILE:LINE")
    return request


def _finding(raw):
    places = {name: Place(**raw[name]) if raw[name] else None for name in ("place", "other_place")}
    return Finding(**raw | places)


def _dump(raw, requests, data):
    begin = operator.index(raw["offset"])
    content = np.frombuffer(data, np.uint8, raw["bytes"], begin)
    return Dump(request=requests[raw["request"]], core=raw["core"], data=content)
