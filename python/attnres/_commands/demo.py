"""`demo`: the gradients of real training steps, computed on every SoC and compared with float64."""

from absl import flags
from attnres import _backward, _checks, _libraries, _socs, _tensor_files
from attnres._commands import run_report
from attnres._commands.console import Console

NAME = "demo"
SUMMARY = "run the captured training steps that the package ships on every SoC and compare with float64"

# In the order in which they are shown; each has its float64 results beside it.
CAPTURES = tuple(f"capture_T128_N4_H192_{dtype}" for dtype in ("bfloat16", "float16", "float32"))
_REPEATS = 5


def declare_flags(values: flags.FlagValues) -> None:
    flags.DEFINE_integer("threads", None, "Host threads for the virtual cores; default: all CPUs.", flag_values=values)


def run(options: flags.FlagValues, console: Console) -> int:
    """Returns 0 if every result is right, else 1."""
    archs = _backward.available_archs()
    rows, reports = [], []
    for capture in CAPTURES:
        inputs, golden = _load(capture)
        for soc in _socs.socs():
            if soc.npu_arch not in archs:
                dtype = inputs["partial_block"].dtype.name
                rows.append([dtype, soc.name, "", "", "", "", "", "", "no kernels in this build"])
                continue
            report = run_report.run(inputs, soc=soc.name, threads=options.threads, golden=golden, repeats=_REPEATS)
            reports.append((capture, report))
            rows.append(_row(report))
    _print(console, rows, reports)
    right = all(report.right for _, report in reports)
    console.result(
        {
            "command": NAME,
            "right": right,
            "runs": [{"capture": capture, **report.to_json()} for capture, report in reports],
        }
    )
    return 0 if right else 1


def _load(capture):
    path = _libraries.locate(f"data/{capture}.safetensors")
    inputs = _tensor_files.pick(path, _tensor_files.read(path), _checks.INPUT_DIMENSIONS)
    path = _libraries.locate(f"data/{capture}.expected.safetensors")
    tensors = _tensor_files.read(path)
    expected = {name: tensors[run_report.expected_key(name)] for name in _checks.OUTPUT_NAMES}
    return inputs, run_report.Golden(inputs, expected)


def _row(report):
    return [
        report.dtype,
        report.soc,
        report.path,
        report.tile,
        f"{report.seconds * 1e3:.2f}",
        *(f"{max(getattr(c, m) for c in report.comparisons):.2e}" for m in ("mare", "mere", "rmse")),
        "right" if report.right else "WRONG",
    ]


def _print(console, rows, reports):
    console.table(
        "Gradients of a real training step (128 tokens, 4 blocks, hidden size 192)",
        ["dtype", "SoC", "path", "H tile", ">ms", ">MARE", ">MERE", ">RMSE", "against float64"],
        rows,
    )
    for _, report in reports:
        for comparison in report.comparisons:
            if not comparison.right:
                console.line(
                    f"{report.dtype} on {report.soc}: {comparison.wrong} of {comparison.total} values "
                    f"of {comparison.output} are wrong; {comparison.first_wrong}"
                )
    right = sum(report.right for _, report in reports)
    console.line(
        f"{right} of {len(reports)} runs are right: each value is what rounding makes of a number within "
        "six standard deviations of float32 arithmetic from the float64 result."
    )
