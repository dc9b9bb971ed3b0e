"""`./bazelw run //tools/mutate -- --op=NAME`: changes calls of kernels one at a time and sees whether anybody notices.

Exit code 0: check mode or the results notice every mutant but those of explained.txt; 1: they do not, or the list is
not right; 2: wrong arguments.
"""

import concurrent.futures
import os
import sys
import time

from absl import flags
from attnres._commands.console import Console

from tools.mutate import campaign, explained, operators, report

LIST = os.path.join(os.path.dirname(__file__), "explained.txt")
_SECONDS_BETWEEN_SIGNS = 5


def declare_flags(values: flags.FlagValues) -> None:
    flags.DEFINE_enum("op", None, list(operators.OPERATORS), "Operator whose kernels are changed.", flag_values=values)
    flags.DEFINE_list("soc", list(operators.SOCS), "SoCs whose kernels are changed.", flag_values=values)
    flags.DEFINE_list("dtype", list(operators.DTYPES), "Dtypes of the calls.", flag_values=values)
    flags.DEFINE_string(
        "only", "", "Only mutants that have this text in their line, e.g. copy_buffer.h:37.", flag_values=values
    )
    flags.DEFINE_integer("most", None, "Try so many mutants, spread over all.", lower_bound=1, flag_values=values)
    flags.DEFINE_boolean("all", False, "A row for every mutant.", flag_values=values)
    flags.DEFINE_integer("jobs", os.cpu_count(), "Mutants at once.", lower_bound=1, flag_values=values)
    flags.DEFINE_boolean("json", False, "Print one JSON object on stdout, all else on stderr.", flag_values=values)


def main(argv: list[str]) -> int:
    """Runs argv[1:], returns the exit code."""
    values = flags.FlagValues()
    declare_flags(values)
    try:
        extra = values(argv)[1:]
    except flags.Error as error:
        return _refuse(str(error))
    if extra or values.op is None:
        return _refuse(f"--op is one of {', '.join(operators.OPERATORS)}" if not extra else f"unknown: {extra[0]}")
    if values.json:
        os.environ["ASCEND_SLOG_PRINT_TO_STDOUT"] = "0"
    try:
        return run(values, Console(as_json=values.json))
    except (explained.ListFault, campaign.CaseFault) as error:
        return _refuse(str(error))


def run(values, console) -> int:
    start = time.monotonic()
    operator = operators.OPERATORS[values.op]
    entries = []
    if operator.explained:
        with open(LIST, encoding="utf-8") as file:
            entries = explained.read(file.read())

    def shorten(place):
        if not place:
            return ""
        folder, _, name = os.path.normpath(place).removeprefix(operator.folder).rpartition("/")
        return f"{folder}/" * bool(folder) + name.removeprefix(operator.prefix)

    with console.working("running the unchanged kernels"):
        cases = [case for soc in values.soc for dtype in values.dtype for case in operator.cases(soc, dtype)]
        whole = campaign.Campaign(cases)
    mutants = [mutant for mutant in whole.mutants() if values.only in " ".join(explained.fields_of(mutant, shorten))]
    if values.most:
        mutants = mutants[:: max(1, len(mutants) // values.most)][: values.most]
    if not mutants:
        return _refuse(f"no mutant has {values.only!r} in its line")
    outcomes = _try_all(whole, mutants, values.jobs)
    judged = report.judge(outcomes, entries, shorten)
    is_whole = not values.only and not values.most and values["soc"].using_default_value
    faults = report.list_faults(judged, entries, is_whole and values["dtype"].using_default_value)
    report.print_to(console, judged, values.all)
    for fault in faults:
        console.line(fault)
    seconds = time.monotonic() - start
    right = not faults and all(item.verdict != "nothing" for item in judged)
    console.line(f"{len(judged)} mutants, {'all accounted for' if right else 'NOT all accounted for'}, {seconds:.0f} s")
    console.result(
        {
            "command": "mutate",
            "op": values.op,
            "right": right,
            "totals": report.totals(judged),
            "list_faults": faults,
            "mutants": [report.to_json(item) for item in judged],
            "seconds": seconds,
        }
    )
    return 0 if right else 1


def _try_all(whole, mutants, jobs):
    """Outcomes in the order of the mutants, with a sign of life on stderr now and then."""
    done = 0
    said = start = time.monotonic()
    outcomes = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for outcome in pool.map(whole.try_mutant, mutants):
            outcomes.append(outcome)
            done += 1
            now = time.monotonic()
            if now - said > _SECONDS_BETWEEN_SIGNS:
                said = now
                unnoticed = sum(not item.is_caught for item in outcomes)
                left = (now - start) / done * (len(mutants) - done)
                sys.stderr.write(f"{done} of {len(mutants)} mutants, {unnoticed} not noticed, {left:.0f} s left\n")
                sys.stderr.flush()
    return outcomes


def _refuse(fault):
    sys.stderr.write(f"mutate: {fault}\n")
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv))
