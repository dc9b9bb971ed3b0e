"""The list of mutants that nothing need notice, each with the reason; explained.txt says how it is written."""

import dataclasses
import fnmatch

from tools.mutate import campaign


class ListFault(Exception):
    """A line of the list is not as it must be."""


@dataclasses.dataclass(frozen=True)
class Entry:
    """Mutants of one kind: every field is a pattern as file names have."""

    line: int
    fields: tuple[str, ...]
    reason: str

    def matches(self, fields: tuple[str, ...]) -> bool:
        return all(fnmatch.fnmatchcase(value, pattern) for value, pattern in zip(fields, self.fields))


_FIELDS = ("architecture", "kernel", "dtype", "kind", "change", "place", "use", "after")


def fields_of(mutant: campaign.Mutant, shorten) -> tuple[str, ...]:
    """What the patterns of an entry are compared with."""
    site = mutant.site
    return (
        *(mutant.arch, mutant.kernel.replace(" ", "-"), mutant.dtype, site.kind, mutant.change),
        *(shorten(site.place), str(site.ordinal), shorten(site.after) or "-"),
    )


def read(text: str) -> list[Entry]:
    """Raises ListFault."""
    entries = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        patterns, colon, reason = line.partition(" : ")
        fields = tuple(patterns.split())
        if not colon or not reason.strip() or len(fields) != len(_FIELDS):
            raise ListFault(f"line {number}: expected {', '.join(_FIELDS)}, ' : ' and a reason")
        entries.append(Entry(number, fields, reason.strip()))
    return entries


def find(entries: list[Entry], fields: tuple[str, ...]) -> Entry | None:
    return next((entry for entry in entries if entry.matches(fields)), None)
