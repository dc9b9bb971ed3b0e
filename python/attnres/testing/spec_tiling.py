"""The tiling decision written a second time, from the specification's formulas, to test the first against.

Nothing here calls the operator. Test ids take the expected path from here as well.
"""

RESERVED_UB = 8192
UB_BYTES = {"arch22": 196608, "arch35": 253952}
CORES = {"arch22": 48, "arch35": 64}
SOC_ARCHS = {"ascend910b": "arch22", "ascend910_93": "arch22", "ascend950": "arch35"}


def align(value: int, step: int) -> int:
    """`value` rounded up to a multiple of `step`."""
    return -(-value // step) * step


def required_full(arch: str, dtype_bytes: int, rows: int, hidden: int) -> int:
    """UB bytes of the FULL_H path; `rows` is N + 1."""
    if arch == "arch22":
        width = max(hidden, 64)
        return 6 * align(4 * width, 32) + align(dtype_bytes * width, 32) + 4 * align(4 * rows, 32) + 32
    return 6 * align(4 * hidden, 256) + 4 * dtype_bytes * align(hidden, 16) + 4 * align(4 * rows, 256) + 192


def required_split(arch: str, dtype_bytes: int, rows: int, tile: int) -> int:
    """UB bytes of the SPLIT_H path with a tile of `tile` elements; 0 gives the part without the tile."""
    if arch == "arch22":
        return 6 * align(4 * tile, 32) + align(dtype_bytes * tile, 32) + 6 * align(4 * rows, 32) + 32
    return 7 * align(4 * tile, 256) + 4 * align(dtype_bytes * tile, 256) + 6 * align(4 * rows, 256) + 192


def largest_tile(arch: str, dtype_bytes: int, rows: int, available: int) -> int:
    """The largest aligned tile that fits; 0 if none does."""
    step = tile_step(arch, dtype_bytes)
    per_element = 24 + dtype_bytes if arch == "arch22" else 28 + 4 * dtype_bytes
    room = available - required_split(arch, dtype_bytes, rows, 0)
    tile = max(room, 0) // per_element // step * step
    while tile > 0 and required_split(arch, dtype_bytes, rows, tile) > available:
        tile -= step
    return tile


def tile_step(arch: str, dtype_bytes: int) -> int:
    """Elements that a tile is a multiple of."""
    if arch == "arch22":
        return 16 if dtype_bytes == 2 else 8
    return 256 // dtype_bytes


def plan(arch, tokens, blocks, hidden, dtype_bytes, *, core_num=None, ub_bytes=None) -> dict | None:
    """The named numbers of the decision; None if no tile fits."""
    cores = CORES[arch] if core_num is None else core_num
    available = (UB_BYTES[arch] if ub_bytes is None else ub_bytes) - RESERVED_UB
    rows = blocks + 1
    full = required_full(arch, dtype_bytes, rows, hidden)
    per_core = align(4 * hidden, 512)
    area = align(4 * tokens * rows, 512)
    result = {
        "arch": arch,
        "path": "FULL_H",
        "tiling_key": 0,
        "required_full": full,
        "available": available,
        "batch_size": tokens,
        "num_blocks": blocks,
        "total_blocks": rows,
        "hidden_size": hidden,
        "hidden_tile_size": hidden,
        "hidden_tile_num": 1,
        "core_num": cores,
        "per_core_wksp_bytes": per_core,
        "grad_scores_wksp_off": 0,
        "variance_scale_wksp_off": 0,
        "workspace_size": per_core * cores,
    }
    if full <= available:
        return result
    largest = largest_tile(arch, dtype_bytes, rows, available)
    if largest == 0:
        return None
    count = -(-hidden // largest)
    tile = min(largest, align(-(-hidden // count), tile_step(arch, dtype_bytes)))
    return result | {
        "path": "SPLIT_H",
        "tiling_key": 1,
        "hidden_tile_size": tile,
        "hidden_tile_num": -(-hidden // tile),
        "grad_scores_wksp_off": per_core * cores,
        "variance_scale_wksp_off": per_core * cores + area,
        "workspace_size": per_core * cores + 2 * area,
    }
