"""Host tiling as a Python function: which kernel path a shape takes, its tile and its buffers.

The decision is made by the operator's own C++ (op_host/block_attention_residuals_grad/tiling_plan.h).
"""

import dataclasses
import operator

from attnres import _checks, _dtypes, _socs, _tiling_native
from attnres._errors import InvalidArgumentError

PATH_NAMES = {0: "FULL_H", 1: "SPLIT_H"}
_UINT32_MAX = 2**32 - 1
_INT64_MAX = 2**63 - 1


@dataclasses.dataclass(frozen=True)
class UbBuffer:
    """`count` buffers of `bytes` bytes each in a core's Unified Buffer."""

    name: str
    count: int
    bytes: int

    @property
    def total_bytes(self) -> int:
        return self.count * self.bytes


@dataclasses.dataclass(frozen=True)
class Tiling:
    """What host tiling decides for one shape. Sizes of memory are bytes, sizes of tensors elements.

    Attributes:
        soc, arch: the platform. path: "FULL_H" or "SPLIT_H"; tiling_key: 0 or 1.
        required_full: UB that FULL_H would need; available: UB that a kernel may use.
        batch_size, num_blocks, total_blocks, hidden_size: T, N, N + 1, H.
        hidden_tile_size, hidden_tile_num: H is walked in so many tiles of at most that size.
        core_num: AIV cores of the platform; used_core_num: those that have work.
        row_segments, segment_elements, segment_tiles: segments that rows are cut into where there are few tokens, a
            core each, and the elements of one; 1 and H where a core has whole rows. Tiles that the kernel cuts a
            segment into, 0 where it lies whole in UB.
        row_groups, group_rows: groups that the rows of a token are shared out in where there are few tokens of many
            rows, a core each, and the rows of one; 1 and N + 1 where a core has all.
        per_core_wksp_bytes, grad_scores_wksp_off, variance_scale_wksp_off, workspace_size: the workspace.
        resident_rows: value rows that stay in UB; stream_buffers: copy buffers that stream the others.
        ub_bytes_used: what the kernel takes from its pipe, the sum over `buffers`.
    """

    soc: str
    arch: str
    path: str
    tiling_key: int
    required_full: int
    available: int
    batch_size: int
    num_blocks: int
    total_blocks: int
    hidden_size: int
    hidden_tile_size: int
    hidden_tile_num: int
    core_num: int
    per_core_wksp_bytes: int
    grad_scores_wksp_off: int
    variance_scale_wksp_off: int
    workspace_size: int
    resident_rows: int
    ub_bytes_used: int
    used_core_num: int
    row_segments: int
    segment_elements: int
    segment_tiles: int
    row_groups: int
    group_rows: int
    stream_buffers: int
    buffers: tuple[UbBuffer, ...]


def tiling(
    tokens: int,
    blocks: int,
    hidden: int,
    dtype,
    *,
    soc: str,
    core_num: int | None = None,
    ub_bytes: int | None = None,
) -> Tiling:
    """Plans the operator for T=tokens, N=blocks, H=hidden on a SoC.

    Args:
        tokens: at least 1.
        blocks: 0 to 128.
        hidden: at least 1.
        dtype: "float16", "bfloat16", "float32" or the NumPy dtype.
        soc: name of a SoC profile.
        core_num: AIV cores, if not those of the SoC.
        ub_bytes: bytes of Unified Buffer, if not those of the SoC.

    Raises:
        InvalidArgumentError: a value is out of range, or no tile fits into ub_bytes.
    """
    profile = _socs.find_soc(soc)
    main = _dtypes.main_dtype(dtype)
    plan = _tiling_native.plan(
        npu_arch=profile.npu_arch,
        core_num=_integer("core_num", profile.aiv_cores if core_num is None else core_num, 1, _UINT32_MAX),
        ub_bytes=_integer("ub_bytes", profile.ub_bytes if ub_bytes is None else ub_bytes, 1, _INT64_MAX),
        tokens=_integer("tokens", tokens, 1, _INT64_MAX),
        blocks=_integer("blocks", blocks, 0, _checks.MAX_BLOCKS),
        hidden=_integer("hidden", hidden, 1, _INT64_MAX),
        dtype_bytes=main.itemsize,
    )
    if plan["error"]:
        raise InvalidArgumentError(plan["error"])
    fields = plan["fields"]
    return Tiling(
        soc=profile.name,
        arch=profile.arch,
        path=PATH_NAMES[fields["tiling_key"]],
        buffers=tuple(UbBuffer(*buffer) for buffer in plan["buffers"]),
        **fields,
    )


def _integer(name, value, low, high):
    try:
        number = operator.index(value)
    except TypeError:
        raise InvalidArgumentError(f"{name} is a {type(value).__name__}; expected an integer") from None
    if not low <= number <= high:
        upper = "or more" if number < low and high >= _UINT32_MAX else f"to {high}"
        raise InvalidArgumentError(f"{name} is {number}; expected {low} {upper}")
    return number
