"""`tiling`: the decision of host tiling for one shape, and the buffers that the kernel takes from UB."""

import dataclasses

from absl import flags
from attnres import _dtypes, _socs, _tiling
from attnres._commands.console import Console
from attnres._errors import InvalidArgumentError

NAME = "tiling"
SUMMARY = "show how a shape is tiled on a SoC: path, tile, workspace and each UB buffer"


def declare_flags(values: flags.FlagValues) -> None:
    flags.DEFINE_string("soc", _socs.DEFAULT_SOC, "SoC to plan for, e.g. ascend950.", flag_values=values)
    flags.DEFINE_integer("tokens", None, "T, at least 1.", flag_values=values)
    flags.DEFINE_integer("blocks", None, "N, the stored blocks: 0 to 128.", flag_values=values)
    flags.DEFINE_integer("hidden", None, "H, at least 1.", flag_values=values)
    flags.DEFINE_string("dtype", None, f"{_dtypes.MAIN_DTYPE_NAMES}.", flag_values=values)
    flags.DEFINE_integer("core_num", None, "AIV cores, if not those of the SoC.", flag_values=values)
    flags.DEFINE_integer("ub_bytes", None, "Bytes of UB, if not those of the SoC.", flag_values=values)


def run(options: flags.FlagValues, console: Console) -> int:
    """Returns 0; a shape that cannot be tiled raises InvalidArgumentError."""
    for name in ("tokens", "blocks", "hidden", "dtype"):
        if options[name].value is None:
            raise InvalidArgumentError(f"tiling needs --{name}")
    plan = _tiling.tiling(
        options.tokens,
        options.blocks,
        options.hidden,
        options.dtype,
        soc=options.soc,
        core_num=options.core_num,
        ub_bytes=options.ub_bytes,
    )
    _print(console, plan)
    console.result(dataclasses.asdict(plan))
    return 0


def _print(console, plan):
    fields = dataclasses.asdict(plan)
    del fields["buffers"]
    console.table("Tiling", ["field", ">value"], fields.items())
    rows = [[b.name, b.count, b.bytes, b.total_bytes] for b in plan.buffers]
    rows.append(["total", "", "", sum(b.total_bytes for b in plan.buffers)])
    rows.append(["left of available", "", "", plan.available - plan.ub_bytes_used])
    console.table("UB buffers of one core, in bytes", ["buffer", ">count", ">bytes each", ">bytes"], rows)
