"""Writes the profiles of time mode, profiles/*.ini, as a C++ table for cost_profile.cc.

Usage: embed_profiles.py OUTPUT PROFILE.ini...
"""

import configparser
import pathlib
import sys

_HEADER = """// Made by embed_profiles.py from profiles/*.ini.
#include "cc/ascendc/timeline/cost_profile.h"

namespace attnres::timeline {
namespace {

"""
_FOOTER = """}  // namespace

const CostProfile* CostProfiles(size_t* count) {
  static const CostProfile kProfiles[] = {
%s  };
  *count = sizeof(kProfiles) / sizeof(kProfiles[0]);
  return kProfiles;
}

}  // namespace attnres::timeline
"""

# Sections of single numbers, in the order of CostProfile's fields.
_FIELDS = {
    "soc": ("npu_arch", "cores", "clock_mhz", "vector_bytes_per_cycle"),
    "memory": (
        "gm_bytes_per_second",
        "gm_efficiency",
        "gm_line_bytes",
        "l2_bytes",
        "l2_line_bytes",
        "l2_bytes_per_second",
    ),
    "copy": (
        "gm_read_bytes_per_cycle",
        "l2_read_bytes_per_cycle",
        "write_bytes_per_cycle",
        "issue_cycles",
        "block_cycles",
        "read_latency_cycles",
        "write_latency_cycles",
    ),
    "core": (
        "scalar_issue_cycles",
        "flag_cycles",
        "scalar_ub_cycles",
        "scalar_gm_cycles",
        "vector_drain_cycles",
        "bank_groups",
        "sync_all_cycles",
        "task_overhead_us",
        "launch_us",
    ),
    "vector_function": (
        "startup_cycles",
        "issues_per_cycle",
        "loads_per_cycle",
        "stores_per_cycle",
        "ub_accesses_per_cycle",
    ),
}
_OPTIONAL = ("vector_function",)
_TABLES = ("vector", "register")
_NAMES = ("name", "short_name")


class Profile:
    """One file, checked: no key is unknown or missing, each number has a known source."""

    def __init__(self, path):
        self._path = path
        self._parser = configparser.ConfigParser(interpolation=None)
        self._parser.optionxform = str
        with open(path, encoding="utf-8") as file:
            self._parser.read_file(file)
        known = {"sources", *_FIELDS, *_TABLES}
        for section in self._parser.sections():
            if section not in known:
                self._fail(f"section [{section}] is unknown")
        self.names = [self._get("soc", key) for key in _NAMES]

    def fields(self):
        for section, keys in _FIELDS.items():
            if section in _OPTIONAL and not self._parser.has_section(section):
                yield from ["0"] * len(keys)
                continue
            for key in self._parser[section]:
                if key not in keys and not (section == "soc" and key in _NAMES):
                    self._fail(f"[{section}] {key} is unknown")
            for key in keys:
                (number,) = self._numbers(section, key, 1)
                yield number

    def table(self, section):
        if not self._parser.has_section(section):
            return []
        if "Default" not in self._parser[section]:
            self._fail(f"[{section}] has no Default")
        return [(key, self._numbers(section, key, 4)) for key in self._parser[section]]

    def _get(self, section, key):
        try:
            return self._parser[section][key]
        except KeyError:
            self._fail(f"[{section}] {key} is missing")

    def _numbers(self, section, key, count):
        text = self._get(section, key)
        values, _, source = text.partition("@")
        if source.strip() not in self._parser["sources"]:
            self._fail(f"[{section}] {key} = {text}: its source is not one of [sources]")
        numbers = values.split()
        if len(numbers) != count:
            self._fail(f"[{section}] {key} = {text}: expected {count} numbers")
        for number in numbers:
            float(number)
        return numbers

    def _fail(self, message):
        sys.exit(f"{self._path}: {message}")


def main(argv):
    output, *paths = argv[1:]
    tables = []
    rows = []
    for index, path in enumerate(sorted(paths)):
        profile = Profile(path)
        pointers = []
        for section in _TABLES:
            entries = profile.table(section)
            name = f"k{section.capitalize()}{index}"
            if entries:
                lines = "".join(f'    {{"{key}", {", ".join(values)}}},\n' for key, values in entries)
                tables.append(f"constexpr InstructionCost {name}[] = {{\n{lines}}};\n\n")
            pointers += [name if entries else "nullptr", str(len(entries))]
        names = [f'"{name}"' for name in profile.names]
        rows.append("      {" + ", ".join([*names, *profile.fields(), *pointers]) + "},\n")
    pathlib.Path(output).write_text(_HEADER + "".join(tables) + _FOOTER % "".join(rows), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv)
