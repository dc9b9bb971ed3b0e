"""`bench`: this package and its peers on the same inputs, in one interleaved run.

docs/performance.md says how to read it; _bench/ has the parts.
"""

import importlib.util
import os
import pathlib

from absl import flags
from attnres import _backward, _call, _checks, _forward, _sample_inputs, _socs, _tensor_files
from attnres._bench import contenders, interleaved, report, workload
from attnres._commands.console import Console
from attnres._errors import InvalidArgumentError

NAME = "bench"
SUMMARY = "time the operators on each SoC and their peers in one interleaved run: medians, ratios, bytes per second"


def declare_flags(values: flags.FlagValues) -> None:
    peers = ", ".join(contenders.PEERS)
    flags.DEFINE_list("shapes", ["2048x8x4096"], "TxNxH, or TxNxH:dtype, any number of them.", flag_values=values)
    flags.DEFINE_list("dtype", ["bfloat16"], "Dtypes of the shapes that have none of their own.", flag_values=values)
    flags.DEFINE_enum(
        "pass",
        "backward",
        workload.PASSES,
        "The backward, the forward, or the forward with autograd.",
        flag_values=values,
    )
    flags.DEFINE_list("peers", None, f"Among {peers}; default: those that are installed.", flag_values=values)
    flags.DEFINE_list(
        "socs", None, "The first is `ours` in ratios; default: all that have kernels.", flag_values=values
    )
    flags.DEFINE_integer("threads", None, "Host threads of each contender; default: all CPUs.", flag_values=values)
    flags.DEFINE_integer("rounds", 9, "Rounds; each contender runs once in each.", flag_values=values)
    flags.DEFINE_string("plot", None, "PNG file for a bar chart; needs matplotlib.", flag_values=values)


def run(options: flags.FlagValues, console: Console) -> int:
    """Returns 0, or 1 if a result of this package is wrong."""
    timed = options["pass"].value
    cases = workload.parse(options.shapes, options.dtype, timed)
    threads = _checks.check_threads(options.threads) or len(os.sched_getaffinity(0))
    if not 1 <= options.rounds <= 10_000:
        raise InvalidArgumentError(f"--rounds is {options.rounds}; expected 1 to 10000")
    not_run = {}
    peers = _choose_peers(options.peers, timed, not_run)
    socs = _choose_socs(options.socs, timed, not_run)
    plot_path = _check_plot(options.plot)
    facts = report.machine(threads, not_run)
    for line in [f"{who} does not run: {reason}" for who, reason in not_run.items()] + [report.busy(facts)]:
        if line:
            console.line(line)
    rows, wrong = [], []
    for case in cases:
        found = _Run(case, socs, peers, threads, options.rounds)
        rows += found.rows
        wrong += found.ours_wrong
        absent = [report.cells_of_absent(who, reason) for who, reason in found.refused.items()]
        not_run |= {f"{who} on {case.shape} {case.dtype.name}": reason for who, reason in found.refused.items()}
        console.table(
            f"{case.shape} {case.dtype.name} {timed}: {options.rounds} rounds, {threads} threads",
            report.COLUMNS,
            [report.cells(row) for row in found.rows] + absent,
        )
    if plot_path:
        _plot(plot_path, rows)
    console.result({"machine": facts, "rows": rows})
    for sentence in wrong:
        console.line(sentence)
    return 1 if wrong else 0


class _Run:
    """One case: its contenders are made, checked, timed, and gone.

    Attributes:
        rows: one per contender that was timed, for JSON.
        refused: contender -> why it was not.
        ours_wrong: a sentence for each SoC whose result is wrong.
    """

    def __init__(self, case, socs, peers, threads, rounds):
        self.refused = {}
        self.ours_wrong = []
        inputs = _sample_inputs.make_inputs(case.tokens, case.blocks, case.hidden, case.dtype)
        chosen = {c.who: c for c in self._make(case, inputs, socs, peers, threads)}
        timings = interleaved.measure({who: c.call for who, c in chosen.items()}, rounds)
        ours = next((timings[who] for who in chosen if who.startswith("ours_")), None)
        self.rows = [report.row(case, c, timings[who], ours) for who, c in chosen.items()]

    def _make(self, case, inputs, socs, peers, threads):
        """The contenders whose results are right."""
        golden = contenders.golden(inputs, case.timed)
        for soc in socs:
            contender = contenders.ours(soc, case, inputs, threads)
            fault = contenders.wrong(contender, golden, case)
            if fault:
                self.ours_wrong.append(fault)
                self.refused[contender.who] = fault
            else:
                yield contender
        for who in peers:
            try:
                contender = contenders.peer(who, case, inputs, threads)
                fault = contenders.wrong(contender, golden, case)
            except Exception as error:  # whatever a foreign package raises, the others still run
                fault = f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"
            if fault:
                self.refused[who] = fault
            else:
                yield contender


def _choose_peers(names, timed, not_run):
    if names is None:
        names = [name for name, peer in contenders.PEERS.items() if timed in peer.passes]
    wanted = [name.strip() for name in names]
    for name in wanted:
        if name not in contenders.PEERS:
            raise InvalidArgumentError(f"--peers has {name!r}; expected any of {', '.join(contenders.PEERS)}")
    for name in wanted:
        reason = contenders.missing(name, timed)
        if reason:
            not_run[name] = reason
    return [name for name in dict.fromkeys(wanted) if name not in not_run]


def _choose_socs(names, timed, not_run):
    """The SoCs that have kernels here; the default one comes first unless the caller names them."""
    archs = _backward.available_archs()
    if timed != "backward":
        archs &= _call.available_archs(_forward.OPERATOR_NAME)
    if names is None:
        profiles = sorted(_socs.socs(), key=lambda soc: soc.name != _socs.DEFAULT_SOC)
    else:
        profiles = [_find_soc(name.strip()) for name in names]
    for soc in profiles:
        if soc.npu_arch not in archs:
            not_run[f"ours_{soc.name}"] = "this build has no kernels for it"
    return list(dict.fromkeys(soc.name for soc in profiles if soc.npu_arch in archs))


def _find_soc(name):
    try:
        return _socs.find_soc(name)
    except InvalidArgumentError as error:
        raise InvalidArgumentError(f"--socs: {error.message}") from None


def _check_plot(path):
    """Where the chart goes; its faults that can be known before the work is done."""
    if path is None:
        return None
    if pathlib.PurePath(path).suffix != ".png":
        raise InvalidArgumentError(f"--plot is {path!r}; expected a file that ends in .png")
    resolved = _tensor_files.resolve(path)
    if not resolved.parent.is_dir():
        raise InvalidArgumentError(f"--plot is {path!r}; expected a file in a folder that exists")
    if importlib.util.find_spec("matplotlib") is None:
        raise InvalidArgumentError(f"--plot is {path!r}; expected no plot, as matplotlib is not installed")
    return resolved


def _plot(path, rows):
    from attnres._bench import chart

    try:
        chart.write(str(path), rows)
    except OSError as error:
        raise _tensor_files.FileFault(f"{path} cannot be written: {error.strerror}") from error
