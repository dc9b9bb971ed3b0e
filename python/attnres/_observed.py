"""One call of the operator in a mode of the runtime that observes its kernels, such as check mode.

The mode's report comes back as it was written: JSON and bytes. _check_mode.py makes findings of one.
"""

import dataclasses
import json

import numpy as np

from attnres import _backward, _checks, _libraries, _socs, _tiling, _twin
from attnres._errors import raise_for_status


@dataclasses.dataclass(frozen=True)
class ObservedRun:
    """A launch in a mode.

    Attributes:
        report: the mode's JSON; None without a launch.
        data: bytes that the report describes.
        path: "FULL_H", "SPLIT_H", or None without a launch.
        fault: why the kernel ended early; "" if it ran to its end.
        gradients: the results, which mean something without a fault.
    """

    report: dict | None
    data: bytes
    path: str | None
    fault: str
    gradients: _backward.Gradients


def run(
    inputs: dict[str, np.ndarray],
    *,
    mode: str,
    options: tuple[tuple[str, str], ...] = (),
    valid_block_num: int = -1,
    soc: str = _socs.DEFAULT_SOC,
    threads: int | None = None,
    gradients: _backward.Gradients | None = None,
) -> ObservedRun:
    """The call of _backward.run in `mode`; raises as that does, but for kernels that ended early with a report.

    `gradients`: arrays for the results, where their content before the call matters.
    """
    problem = _checks.check(inputs, valid_block_num)
    thread_count = _checks.check_threads(threads)
    profile = _socs.find_soc(soc)
    if gradients is None:
        gradients = _backward.new_gradients(problem)
    arguments = _backward.arguments(inputs, valid_block_num)
    report, data, path, fault = run_api(
        _backward.API_NAME, arguments, gradients, mode, options, profile.name, thread_count
    )
    return ObservedRun(report=report, data=data, path=path, fault=fault, gradients=gradients)


def run_api(api_name, arguments, outputs, mode, options, soc, threads):
    """Any aclnn call in `mode`; the first four of ObservedRun's attributes."""
    _libraries.ensure_loaded(soc)
    code, message, raw = _twin.call(
        api_name,
        list(arguments),
        list(outputs),
        soc,
        threads,
        mode=mode,
        mode_options="\n".join(f"{name}={value}" for name, value in options),
    )
    text = raw["report"] if raw else ""
    if not text:
        raise_for_status(code, message)
    launched = raw["kernel_launches"] > 0
    return (
        json.loads(text) if text else None,
        raw["report_data"],
        _tiling.PATH_NAMES[raw["tiling_key"]] if launched else None,
        message if code else "",
    )
