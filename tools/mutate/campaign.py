"""A campaign: every mutant of the kernels that some calls reach, and what notices each.

A mutant is one call in the source dropped or one number of a copy changed, in one kernel and dtype. It runs on the
calls that reach it until check mode has a finding or the results differ from those of the unchanged kernel.
"""

import dataclasses
from collections.abc import Iterator

from tools.mutate import operators

ALL_ORDERS = "eager,late-in,late-out,late-vector,late-copies"

# Added to the numbers of a copy. 32 bytes are a block of UB; 4 end or begin inside one.
_COPY_CHANGES = (
    *("block_count-1", "block_count+1", "block_bytes-4", "block_bytes+32"),
    *("src_gap+32", "dst_gap+32", "src_offset+32", "dst_offset+32", "src_offset+4", "dst_offset+4"),
)


@dataclasses.dataclass(frozen=True)
class Site:
    """One use of a call in the source: as the runtime lists it, places being "FILE:LINE:COLUMN".

    `ordinal` 0: all uses of the call. So the order of a SetFlag and its WaitFlag is taken away, kind "flag_pair": a
    single use may be needless where another order happens to imply it.
    """

    kind: str
    place: str
    ordinal: int
    after: str


@dataclasses.dataclass(frozen=True)
class Mutant:
    """`change`: "dropped", or a copy's number with what is added to it."""

    arch: str
    kernel: str
    dtype: str
    site: Site
    change: str

    def options(self) -> tuple[tuple[str, str], ...]:
        """Of check mode."""
        options = [("mutate", f"{self.site.kind}@{self.site.place}")]
        if self.site.ordinal:
            options.append(("mutate_use", f"{self.site.ordinal}@{self.site.after}"))
        if self.change != "dropped":
            options.append(("mutate_copy", self.change))
        return tuple(options)

    def reaches(self, listed: Site) -> bool:
        """Whether it changes a call that the runtime lists."""
        if self.site.kind == "flag_pair":
            return listed.kind == "set_flag" and listed.place == self.site.place
        return listed == self.site


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What noticed a mutant: rules of check mode, different results.

    `case`: the call that showed it. `tried`: calls it took. `in_orders`: in other orders than the eager one, too.
    """

    mutant: Mutant
    tensors: tuple[str, ...]
    rules: tuple[str, ...]
    results_differ: bool
    case: str
    tried: int
    in_orders: bool

    @property
    def is_caught(self) -> bool:
        return bool(self.rules) or self.results_differ


class CaseFault(Exception):
    """A call has findings without any mutation, so nothing can be said about mutants."""


@dataclasses.dataclass(frozen=True)
class _Reached:
    """A call of the unchanged kernel."""

    case: operators.Case
    results: bytes
    sites: dict[Site, dict]


class Campaign:
    """The mutants that `cases` reach. Cases run when the campaign is made."""

    def __init__(self, cases: list[operators.Case]):
        self._reached = [self._run_unchanged(case) for case in cases]

    def mutants(self) -> list[Mutant]:
        found = {}
        for reached in self._reached:
            case = reached.case
            for site, raw in reached.sites.items():
                for changed, change in _changes(site, raw["most_blocks"]):
                    found[Mutant(case.arch, case.kernel, case.dtype, changed, change)] = None
        return list(found)

    def try_mutant(self, mutant: Mutant) -> Outcome:
        reaching = list(self._reaching(mutant))
        tensors = tuple(sorted({name for _, names in reaching for name in names}))
        tried = 0
        for orders in ("eager", ALL_ORDERS):
            for reached, _ in reaching:
                report, fault, results = reached.case.run((*mutant.options(), ("orders", orders)))
                if not report["mutated"]:
                    continue  # a gap where no block follows
                tried += 1
                rules = tuple(sorted({finding["rule"] for finding in report["findings"]}))
                differ = not fault and results != reached.results
                if rules or differ:
                    return Outcome(mutant, tensors, rules, differ, reached.case.name, tried, orders == ALL_ORDERS)
        return Outcome(mutant, tensors, (), False, "", tried, True)

    def _run_unchanged(self, case):
        report, fault, results = case.run((("call_sites", "true"), ("orders", "eager")))
        if report["findings"] or fault:
            raise CaseFault(f"{case.soc} {case.dtype} {case.name}: check mode has findings without a mutation")
        sites = {_site(raw): raw for raw in report["call_sites"]}
        return _Reached(case, results, sites)

    def _reaching(self, mutant) -> Iterator[tuple[_Reached, list[str]]]:
        """Calls of the mutant's own kernel, with the tensors that the site copies there."""
        for reached in self._reached:
            case = reached.case
            if (case.arch, case.kernel, case.dtype) != (mutant.arch, mutant.kernel, mutant.dtype):
                continue
            sites = [raw for site, raw in reached.sites.items() if mutant.reaches(site)]
            if sites:
                yield reached, [name for raw in sites for name in raw["tensors"]]


def _site(raw) -> Site:
    return Site(raw["kind"], _place(raw["place"]), raw["ordinal"], _place(raw["after"]))


def _place(raw) -> str:
    return f"{raw['file']}:{raw['line']}:{raw['column']}" if raw else ""


def _changes(site, most_blocks):
    """Sites and changes of the mutants of one listed call."""
    if site.kind == "copy":
        return [(site, change) for change in _COPY_CHANGES if most_blocks > 1 or "_gap" not in change]
    pair = [(Site("flag_pair", site.place, 0, ""), "dropped")] if site.kind == "set_flag" else []
    return [(site, "dropped"), *pair]
