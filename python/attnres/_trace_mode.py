"""The operator under time mode: how long its kernels would take on a SoC, and why.

docs/time_mode.md explains the result's keys. The model is the runtime library's (cc/ascendc/timeline).
"""

import dataclasses

import numpy as np

from attnres import _backward, _checks, _observed, _socs
from attnres._errors import RUNTIME_ERROR, AclnnError

TRACE_CORES = 4
TRACE_EVENTS = 100_000


@dataclasses.dataclass(frozen=True)
class TraceReport:
    """What time mode says of one call.

    Attributes:
        path: "FULL_H", "SPLIT_H", or None where no kernel had to run.
        result: the times, by the keys that docs/time_mode.md explains; None where no kernel had to run.
        trace: Chrome trace-event JSON, for Perfetto; b"" without a result.
    """

    soc: str
    arch: str
    path: str | None
    result: dict | None
    trace: bytes = dataclasses.field(repr=False, compare=False)


def trace(
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
    trace_cores: int = TRACE_CORES,
    trace_events: int = TRACE_EVENTS,
) -> TraceReport:
    """block_attention_residuals_backward under time mode: its kernels' times in place of its gradients.

    Args:
        partial_block, block_res, proj_weight, norm_weight, grad_hidden_states, inv_norm, probs,
        valid_block_num, soc, threads: as for block_attention_residuals_backward; threads do not change the times.
        trace_cores, trace_events: how much the trace shows.

    Raises:
        InvalidArgumentError, AclnnError: as block_attention_residuals_backward; AclnnError too where a kernel
            would wait for ever on a device.
    """
    given = (partial_block, block_res, proj_weight, norm_weight, grad_hidden_states, inv_norm, probs)
    inputs = _checks.as_arrays(dict(zip(_checks.INPUT_DIMENSIONS, given)))
    return run(
        inputs,
        valid_block_num=valid_block_num,
        soc=soc,
        threads=threads,
        trace_cores=trace_cores,
        trace_events=trace_events,
    )[0]


def run(
    inputs: dict[str, np.ndarray],
    *,
    valid_block_num: int = -1,
    soc: str = _socs.DEFAULT_SOC,
    threads: int | None = None,
    trace_cores: int = TRACE_CORES,
    trace_events: int = TRACE_EVENTS,
) -> tuple[TraceReport, _backward.Gradients]:
    """trace on arrays by name, with the gradients."""
    observed = _observed.run(
        inputs,
        mode="time",
        options=(("trace_cores", str(trace_cores)), ("trace_events", str(trace_events))),
        valid_block_num=valid_block_num,
        soc=soc,
        threads=threads,
    )
    if observed.fault:
        raise AclnnError(RUNTIME_ERROR, observed.fault)
    profile = _socs.find_soc(soc)
    report = TraceReport(
        soc=profile.name,
        arch=profile.arch,
        path=observed.path,
        result=observed.report["result"] if observed.report else None,
        trace=observed.data if observed.report else b"",
    )
    return report, observed.gradients
