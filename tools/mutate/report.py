"""What a campaign says: a table of the mutants that nothing noticed, totals, and all of it as JSON."""

import collections
import dataclasses

from tools.mutate import campaign, explained

_VERDICTS = ("check", "check and results", "results", "explained", "nothing")


@dataclasses.dataclass(frozen=True)
class Judged:
    """An outcome with the place in the list of explained mutants that stands for it."""

    outcome: campaign.Outcome
    fields: tuple[str, ...]
    entry: explained.Entry | None

    @property
    def verdict(self) -> str:
        """What noticed the mutant."""
        outcome = self.outcome
        if outcome.rules:
            return "check and results" if outcome.results_differ else "check"
        if outcome.results_differ:
            return "results"
        return "explained" if self.entry else "nothing"


def judge(outcomes, entries, shorten) -> list[Judged]:
    judged = []
    for outcome in outcomes:
        fields = explained.fields_of(outcome.mutant, shorten)
        judged.append(Judged(outcome, fields, explained.find(entries, fields)))
    return judged


def list_faults(judged: list[Judged], entries: list[explained.Entry], is_whole: bool) -> list[str]:
    """Lines of the list that stand for noticed mutants or, in a whole campaign, for none."""
    faults = []
    used = set()
    for item in judged:
        if item.entry:
            used.add(item.entry.line)
            if item.outcome.is_caught:
                faults.append(f"explained.txt:{item.entry.line}: {item.verdict} notices {' '.join(item.fields)}")
    if is_whole:
        faults += [f"explained.txt:{entry.line}: no mutant is so" for entry in entries if entry.line not in used]
    return faults


def totals(judged: list[Judged]) -> dict[str, dict[str, int]]:
    """Mutants by architecture and verdict."""
    counts = collections.defaultdict(lambda: dict.fromkeys(("mutants", *_VERDICTS), 0))
    for item in judged:
        for row in (item.outcome.mutant.arch, "all"):
            counts[row]["mutants"] += 1
            counts[row][item.verdict] += 1
    return {row: counts[row] for row in sorted(counts, key=lambda name: (name == "all", name))}


def to_json(item: Judged) -> dict:
    outcome = item.outcome
    mutant = outcome.mutant
    return {
        "arch": mutant.arch,
        "kernel": mutant.kernel,
        "dtype": mutant.dtype,
        "kind": mutant.site.kind,
        "change": mutant.change,
        "place": mutant.site.place,
        "use": mutant.site.ordinal,
        "after": mutant.site.after or None,
        "tensors": outcome.tensors,
        "noticed_by": item.verdict,
        "rules": outcome.rules,
        "results_differ": outcome.results_differ,
        "case": outcome.case or None,
        "calls_made": outcome.tried,
        "late_orders_needed": outcome.in_orders and outcome.is_caught,
        "reason": item.entry.reason if item.entry else None,
    }


def print_to(console, judged: list[Judged], every: bool) -> None:
    """`every`: a row for each mutant, not only for those that nothing notices."""
    rows = [_row(item) for item in judged if every or not item.outcome.is_caught]
    if rows:
        title = "Mutants" if every else "Mutants that nothing notices"
        console.table(title, ["kernel", "change", "where", "use", "after", "tensors", "noticed by"], rows)
    sums = totals(judged)
    columns = ["architecture", *(f">{name}" for name in ("mutants", *_VERDICTS))]
    console.table("Mutants by what notices them", columns, [[name, *counts.values()] for name, counts in sums.items()])
    rules = collections.Counter(rule for item in judged for rule in item.outcome.rules)
    console.table("Rules that notice them", ["rule", ">mutants"], rules.most_common())


def _row(item):
    arch, kernel, dtype, kind, change, place, use, after = item.fields
    outcome = item.outcome
    noticed = [item.verdict, *outcome.rules]
    if outcome.is_caught:
        noticed.append(outcome.case)
    elif item.entry:
        noticed.append(item.entry.reason)
    what = kind if change == "dropped" else f"{kind} {change}"
    return [f"{arch} {kernel} {dtype}", what, place, use, after, ", ".join(outcome.tensors), "\n".join(noticed)]
