"""`check`: the operator's kernels on the inputs of a file under check mode, and what is wrong with them."""

import dataclasses
import time

import numpy as np
from absl import flags
from attnres import _check_mode, _checks, _dtypes, _socs, _tensor_files
from attnres._commands.console import Console
from attnres._errors import InvalidArgumentError

NAME = "check"
SUMMARY = "run the kernels on the inputs in a file and look for faults: memory, races, synchronisation"

ALL_SOCS = "all"
_DUMP_DTYPES = ("uint8", "int16", "int32", "float16", "bfloat16", "float32")


def declare_flags(values: flags.FlagValues) -> None:
    keys = ", ".join(_checks.INPUT_DIMENSIONS)
    flags.DEFINE_string("input", None, f"File with the inputs, .safetensors or .npz: {keys}.", flag_values=values)
    flags.DEFINE_string("soc", _socs.DEFAULT_SOC, "SoC whose kernels run, or all.", flag_values=values)
    flags.DEFINE_boolean("auto_sync", True, "The compiler's own synchronisation is on.", flag_values=values)
    flags.DEFINE_list(
        "orders",
        list(_check_mode.DEFAULT_ORDERS),
        f"Orders of the pipes to run in, one after the other, of {', '.join(_check_mode.ORDERS)}.",
        flag_values=values,
    )
    flags.DEFINE_multi_string(
        "dump",
        [],
        "BUFFER@LINE or BUFFER@FILE:LINE: write that UB buffer as .npy once the line has run. May be repeated.",
        flag_values=values,
    )
    flags.DEFINE_string("dump_dir", ".", "Folder for what --dump writes.", flag_values=values)
    flags.DEFINE_enum("dump_dtype", "uint8", list(_DUMP_DTYPES), "Dtype of what --dump writes.", flag_values=values)
    flags.DEFINE_integer("valid_block_num", -1, "Reserved: -1 or N.", flag_values=values)
    flags.DEFINE_integer("threads", None, "Host threads for the virtual cores; default: all CPUs.", flag_values=values)


def run(options: flags.FlagValues, console: Console) -> int:
    """Returns 0, or 1 if something is found."""
    if not options.input:
        raise _tensor_files.FileFault("check needs --input, a .safetensors or .npz file")
    socs = [soc.name for soc in _socs.socs()] if options.soc == ALL_SOCS else [_socs.find_soc(options.soc).name]
    folder = _tensor_files.resolve(options.dump_dir)
    if options.dump and not folder.is_dir():
        raise InvalidArgumentError(f"dump_dir is {options.dump_dir!r}, which is no directory")
    inputs = _tensor_files.pick(options.input, _tensor_files.read(options.input), _checks.INPUT_DIMENSIONS)
    runs = []
    for soc in socs:
        start = time.perf_counter()
        with console.working(f"{NAME}: {soc} in {len(options.orders)} orders"):
            report, _ = _check_mode.run(
                inputs,
                valid_block_num=options.valid_block_num,
                soc=soc,
                threads=options.threads,
                auto_sync=options.auto_sync,
                orders=tuple(options.orders),
                dumps=tuple(options.dump),
            )
        files = [_write_dump(folder, soc, dump, options.dump_dtype) for dump in report.dumps]
        _print(console, report, files, options.dump, time.perf_counter() - start)
        runs.append(_to_json(report, files, time.perf_counter() - start))
    right = all(not entry["findings"] for entry in runs)
    console.result({"command": NAME, "input": options.input, "right": right, "runs": runs})
    return 0 if right else 1


def _write_dump(folder, soc, dump, dtype):
    name = dump.request.replace("@", "_").replace("/", "_").replace(":", "_")
    path = folder / f"dump_{name}_{soc}_core{dump.core}.npy"
    numpy_dtype = _dtypes.main_dtype(dtype).numpy if "float" in dtype else np.dtype(dtype)
    whole = dump.data[: dump.data.size // numpy_dtype.itemsize * numpy_dtype.itemsize]
    try:
        np.save(path, whole.view(numpy_dtype))
    except OSError as error:
        raise _tensor_files.FileFault(f"{path} cannot be written: {error}") from error
    return str(path)


def _to_json(report, files, seconds):
    found = dataclasses.asdict(dataclasses.replace(report, dumps=()))
    return {**found, "seconds": seconds, "right": report.right, "dumps": files}


def _print(console, report, files, requests, seconds):
    if report.path is None:
        checked = "no kernel runs for this shape"
    else:
        checked = (
            f"path {report.path}, {report.cores} cores, orders {', '.join(report.orders)}, "
            f"auto-sync {'on' if report.auto_sync else 'off'}, {_counts(report.instructions)}"
        )
    found = f"{len(report.findings)} findings" if report.findings else "no finding"
    console.line(f"{report.soc} ({report.arch}): {checked}: {found}, {seconds:.2f} s")
    if report.findings:
        console.table(
            f"Findings on {report.soc}",
            ["finding", "what happened and what to do", "where", "at", ">seen"],
            [_row(finding) for finding in report.findings],
        )
    if report.dropped:
        console.line(f"{report.dropped} more were seen than are kept")
    if report.fault:
        console.line(f"the kernel ended early: {report.fault}")
    for path in files:
        console.line(f"wrote {path}")
    dumped = {dump.request for dump in report.dumps}
    for request in requests:
        if request not in dumped:
            console.line(f"nothing to write for {request}: no instruction of that line ran, or there is no such buffer")


def _counts(instructions):
    return (
        f"{instructions['vector']} vector, {instructions['copy_in']} copy-in and {instructions['copy_out']} copy-out "
        f"instructions, {instructions['scalar']} scalar accesses"
    )


def _row(finding):
    where = [f"core {finding.core}" + (f", {finding.pipe}" if finding.pipe else "")]
    if finding.instruction:
        where.append(f"{finding.instruction} {finding.operand}".rstrip())
    if finding.buffer:
        where.append(finding.buffer)
    if finding.end > finding.begin:
        where.append(f"bytes {finding.begin} to {finding.end - 1}")
    at = [str(finding.place) if finding.place else "unknown place"]
    if finding.other_place:
        at.append(f"and {finding.other_place}" + (f", {finding.other_pipe}" if finding.other_pipe else ""))
    return [f"{finding.category}\n{finding.rule}", finding.sentence, "\n".join(where), "\n".join(at), finding.count]
