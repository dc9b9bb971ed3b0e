"""`backward`: the gradients of a file's inputs, written to a file and compared with a golden if wanted."""

import numpy as np
from absl import flags
from attnres import _checks, _socs, _tensor_files
from attnres._commands import run_report
from attnres._commands.console import Console

NAME = "backward"
SUMMARY = "compute the gradients of the inputs in a file; compare them with float64 results"


def declare_flags(values: flags.FlagValues) -> None:
    keys = ", ".join(_checks.INPUT_DIMENSIONS)
    flags.DEFINE_string("input", None, f"File with the inputs, .safetensors or .npz: {keys}.", flag_values=values)
    flags.DEFINE_string(
        "output",
        None,
        f"File to write, .safetensors or .npz: {', '.join(_checks.OUTPUT_NAMES)}.",
        flag_values=values,
    )
    flags.DEFINE_string(
        "expected",
        None,
        "File with float64 results to compare with, keys expected.grad_...; exit 1 if they differ.",
        flag_values=values,
    )
    flags.DEFINE_string("soc", _socs.DEFAULT_SOC, "SoC whose kernels run, e.g. ascend910_93.", flag_values=values)
    flags.DEFINE_integer("valid_block_num", -1, "Reserved: -1 or N.", flag_values=values)
    flags.DEFINE_integer("threads", None, "Host threads for the virtual cores; default: all CPUs.", flag_values=values)


def run(options: flags.FlagValues, console: Console) -> int:
    """Returns 0, or 1 if the result differs from what is expected."""
    if not options.input:
        raise _tensor_files.FileFault("backward needs --input, a .safetensors or .npz file")
    _socs.find_soc(options.soc)
    if options.output:
        _tensor_files.check_writable(options.output)
    inputs = _tensor_files.pick(options.input, _tensor_files.read(options.input), _checks.INPUT_DIMENSIONS)
    _checks.check(inputs, options.valid_block_num)
    golden = _golden(options.expected, inputs) if options.expected else None
    report = run_report.run(
        inputs,
        soc=options.soc,
        threads=options.threads,
        valid_block_num=options.valid_block_num,
        golden=golden,
    )
    if options.output:
        _tensor_files.write(options.output, report.gradients._asdict())
    _print(console, report)
    console.result({"command": NAME, "output": options.output, **report.to_json()})
    return 1 if report.right is False else 0


def _golden(path, inputs):
    keys = {run_report.expected_key(name): name for name in _checks.OUTPUT_NAMES}
    tensors = _tensor_files.pick(path, _tensor_files.read(path), keys)
    expected = {}
    for key, name in keys.items():
        tensor = tensors[key]
        shape = inputs[name.removeprefix("grad_")].shape
        if tensor.dtype != np.float64:
            raise _tensor_files.FileFault(f"{path}: {key} has dtype {tensor.dtype}; expected float64")
        if tensor.shape != shape:
            raise _tensor_files.FileFault(f"{path}: {key} has shape {list(tensor.shape)}; expected {list(shape)}")
        expected[name] = tensor
    return run_report.Golden(inputs, expected)


def _print(console, report):
    shape = ", ".join(f"{size} {name}" for name, size in report.shape.items())
    console.line(
        f"{report.soc}, {report.dtype}, {shape}: path {report.path}, H tile {report.tile or 'none'}, "
        f"{report.seconds * 1e3:.2f} ms"
    )
    if report.comparisons:
        console.table(
            "Against the float64 results",
            ["output", ">values", ">MARE", ">MERE", ">RMSE", ">wrong"],
            [
                [c.output, c.total, f"{c.mare:.3e}", f"{c.mere:.3e}", f"{c.rmse:.3e}", c.wrong]
                for c in report.comparisons
            ],
        )
        for comparison in report.comparisons:
            if not comparison.right:
                console.line(comparison.first_wrong)
