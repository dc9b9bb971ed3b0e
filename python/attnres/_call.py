"""Calls of the C interfaces on NumPy arrays, whatever the operator: the statistics of one, and its arguments.

_backward.py and _forward.py say what is called; cc/bindings makes the call.
"""

import dataclasses

import numpy as np

from attnres import _libraries, _socs, _tiling, _twin
from attnres._errors import raise_for_status


@dataclasses.dataclass(frozen=True)
class CallStatistics:
    """What the runtime saw of one call.

    Attributes:
        kernel_launches: 0 when the shape was settled without a kernel.
        path: "FULL_H", "SPLIT_H", or None without a launch.
        isa: host instruction set of the kernel that ran, e.g. "x86-64-v3".
        block_dim: virtual cores of the launch.
        gm_bytes_read, gm_bytes_written: global-memory traffic of the kernel, over all cores.
        ub_bytes_taken: Unified Buffer bytes that the kernel took from its pipe, the most of any core.
        workspace_bytes: what phase 1 asked for.
    """

    kernel_launches: int
    path: str | None
    isa: str | None
    block_dim: int
    gm_bytes_read: int
    gm_bytes_written: int
    ub_bytes_taken: int
    workspace_bytes: int


def call(api_name, arguments, outputs, soc, threads, workspace=None) -> CallStatistics:
    """One call on the caller's own output arrays; AclnnError where it fails.

    `arguments`: those of phase 1 before the outputs, in the C interface's order. `workspace`, a one-dimensional
    uint8 array, is used in place of one that the binding allocates.
    """
    _libraries.ensure_loaded(soc)
    code, message, raw = _twin.call(api_name, list(arguments), list(outputs), soc, threads, workspace)
    raise_for_status(code, message)
    launched = raw["kernel_launches"] > 0
    return CallStatistics(
        kernel_launches=raw["kernel_launches"],
        path=_tiling.PATH_NAMES[raw["tiling_key"]] if launched else None,
        isa=raw["isa"] if launched else None,
        block_dim=raw["block_dim"],
        gm_bytes_read=raw["gm_bytes_read"],
        gm_bytes_written=raw["gm_bytes_written"],
        ub_bytes_taken=raw["ub_bytes_taken"],
        workspace_bytes=raw["workspace_bytes"],
    )


def addressable(array):
    """The array itself if an aclTensor can describe its memory, else a contiguous copy.

    An aclTensor has strides in elements, none of them negative, over aligned elements.
    """
    if array is None:
        return None
    if not array.flags.aligned or array.size == 0:
        return np.ascontiguousarray(array)
    if any(stride < 0 or stride % array.itemsize for stride in array.strides):
        return np.ascontiguousarray(array)
    return array


def available_archs(operator_name: str) -> set[int]:
    """The __NPU_ARCH__ values of which the operator library holds this operator's kernels on this machine."""
    _libraries.ensure_loaded(_socs.DEFAULT_SOC)
    return {kernel["arch"] for kernel in _twin.kernels(operator_name)}
