"""Host tiling of BlockAttentionResidualsGrad."""

from typing import Any

def plan(
    *,
    npu_arch: int,
    core_num: int,
    ub_bytes: int,
    tokens: int,
    blocks: int,
    hidden: int,
    dtype_bytes: int,
) -> dict[str, Any]: ...
