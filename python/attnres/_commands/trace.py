"""`trace`: how long the operator's kernels would take on a SoC for the inputs of a file, and why."""

import json
import time

from absl import flags
from attnres import _checks, _socs, _tensor_files, _trace_mode
from attnres._commands import trace_page
from attnres._commands.console import Console
from attnres._errors import InvalidArgumentError

NAME = "trace"
SUMMARY = "how long the kernels would take on a SoC, what holds them, and a trace for Perfetto"

_PIPES = {"scalar": "scalar", "vector": "vector", "copy_in": "copy-in", "copy_out": "copy-out"}
_LINES = 15


def declare_flags(values: flags.FlagValues) -> None:
    keys = ", ".join(_checks.INPUT_DIMENSIONS)
    flags.DEFINE_string("input", None, f"File with the inputs, .safetensors or .npz: {keys}.", flag_values=values)
    flags.DEFINE_string("soc", _socs.DEFAULT_SOC, "SoC whose time is asked for.", flag_values=values)
    flags.DEFINE_string(
        "output", None, "File for the trace, which Perfetto and chrome://tracing open.", flag_values=values
    )
    flags.DEFINE_string(
        "trace",
        None,
        "A trace that time mode wrote, of any kernel: only its page is made (--html).",
        flag_values=values,
    )
    flags.DEFINE_string("html", None, "File for a page with timeline, roofline and lines.", flag_values=values)
    flags.DEFINE_integer("trace_cores", _trace_mode.TRACE_CORES, "Cores in the trace.", flag_values=values)
    flags.DEFINE_integer("trace_events", _trace_mode.TRACE_EVENTS, "Events in the trace, about.", flag_values=values)
    flags.DEFINE_integer("valid_block_num", -1, "Reserved: -1 or N.", flag_values=values)
    flags.DEFINE_integer("threads", None, "Host threads for the virtual cores; default: all CPUs.", flag_values=values)


def run(options: flags.FlagValues, console: Console) -> int:
    """Returns 0."""
    if options.trace:
        return _render(options, console)
    if not options.input:
        raise _tensor_files.FileFault("trace needs --input, a .safetensors or .npz file")
    soc = _socs.find_soc(options.soc)
    for name in ("trace_cores", "trace_events"):
        if options[name].value < 1:
            raise InvalidArgumentError(f"{name} is {options[name].value}; expected a number from 1 on")
    for path in (options.output, options.html):
        _check_folder(path)
    inputs = _tensor_files.pick(options.input, _tensor_files.read(options.input), _checks.INPUT_DIMENSIONS)
    start = time.perf_counter()
    with console.working(f"{NAME}: {soc.name}"):
        report, _ = _trace_mode.run(
            inputs,
            valid_block_num=options.valid_block_num,
            soc=soc.name,
            threads=options.threads,
            trace_cores=options.trace_cores,
            trace_events=options.trace_events,
        )
    title = _title(report, inputs)
    written = _write(options, report, title) if report.result else []
    _print(console, report, title, time.perf_counter() - start)
    for path in written:
        console.line(f"wrote {path}")
    console.result(
        {
            "command": NAME,
            "input": options.input,
            "soc": report.soc,
            "arch": report.arch,
            "path": report.path,
            "seconds": time.perf_counter() - start,
            "output": options.output,
            "html": options.html,
            "result": report.result,
        }
    )
    return 0


def _render(options, console):
    """Makes the page of a trace that is there already."""
    for name in ("input", "output"):
        if options[name].value:
            raise InvalidArgumentError(
                f"--{name} is {options[name].value!r}; expected none with --trace, of which only the page is made"
            )
    if not options.html:
        raise InvalidArgumentError("--html is missing; expected the file for the page that --trace makes")
    _check_folder(options.html)
    try:
        trace = json.loads(_tensor_files.resolve(options.trace).read_bytes())
        result = trace["otherData"]
        page = trace_page.page(f"{options.trace}, {result['soc']}", result, trace)
    except OSError as error:
        raise _tensor_files.FileFault(f"{options.trace} cannot be read: {error}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise _tensor_files.FileFault(f"{options.trace} is no trace of time mode: {error!r}") from error
    _write_file(options.html, page.encode())
    console.line(f"wrote {options.html}")
    console.result({"command": NAME, "trace": options.trace, "html": options.html, "result": result})
    return 0


def _check_folder(path):
    """Faults of a file to write that can be known before the work is done."""
    if path is None:
        return
    folder = _tensor_files.resolve(path).parent
    if not folder.is_dir():
        raise _tensor_files.FileFault(f"{path} cannot be written: {folder} is no directory")


def _title(report, inputs):
    shape = inputs["block_res"].shape
    return (
        f"block attention residuals, backward: {' x '.join(map(str, shape))} {inputs['block_res'].dtype}, {report.soc}"
    )


def _write(options, report, title):
    written = []
    if options.output:
        _write_file(options.output, report.trace)
        written.append(options.output)
    if options.html:
        page = trace_page.page(title, report.result, json.loads(report.trace))
        _write_file(options.html, page.encode())
        written.append(options.html)
    return written


def _write_file(path, content):
    try:
        _tensor_files.resolve(path).write_bytes(content)
    except OSError as error:
        raise _tensor_files.FileFault(f"{path} cannot be written: {error}") from error


def _print(console, report, title, seconds):
    if report.result is None:
        console.line(f"{title}: no kernel runs for this shape")
        return
    result = report.result
    gm = result["gm"]
    console.line(
        f"{title}: path {report.path}, {result['cores']} cores: {result['microseconds']:.1f} us, "
        f"{100 * gm['share_of_limit']:.0f} % of the bandwidth limit ({gm['limit_microseconds']:.1f} us for "
        f"{(gm['bytes_read'] + gm['bytes_written']) / 1e6:.1f} MB); modelled in {seconds:.1f} s"
    )
    console.table(
        "Pipes, mean of the cores",
        ["pipe", ">busy us", ">busy"],
        [
            [_PIPES[name], f"{pipe['busy_microseconds']:.1f}", f"{100 * pipe['busy_share']:.0f} %"]
            for name, pipe in result["pipes"].items()
        ],
    )
    lines = [line for line in result["lines"] if line["critical_path_microseconds"] > 0][:_LINES]
    begin = trace_page.shared_begin(lines)
    console.table(
        f"The critical path by line (of files {begin}...)" if begin else "The critical path by line",
        ["line", "instruction", ">us", "spent with", "waited for"],
        [
            [
                trace_page.place(line, begin=begin),
                line["instruction"],
                f"{line['critical_path_microseconds']:.1f}",
                trace_page.parts_text(line["critical_path"]),
                trace_page.waited_for(result, line, begin),
            ]
            for line in lines
        ],
    )
