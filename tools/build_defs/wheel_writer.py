"""Writes a wheel from a description that py_wheel.bzl made: `wheel_writer DESCRIPTION.json OUTPUT.whl`.

Names, metadata and archive follow the PyPA specifications "Binary distribution format" and "Core metadata"; the archive
and its RECORD come from the package wheel. Entries are sorted and have one time and one mode, so that the bytes depend
on the contents alone (and on zlib).
"""

import json
import os
import posixpath
import sys

from wheel.wheelfile import WheelFile

# 1980-01-01, the oldest that an archive can hold.
_TIME = "315532800"


def _metadata(about):
    with open(about["readme"], encoding="utf-8") as file:
        readme = file.read()
    fields = [
        ("Metadata-Version", "2.4"),
        ("Name", about["name"]),
        ("Version", about["version"]),
        ("Summary", about["summary"]),
        ("Requires-Python", ">=" + about["oldest_python"]),
        *(("License-File", name) for name in sorted(about["licences"])),
        *(("Requires-Dist", requirement) for requirement in about["requires"]),
        *(("Provides-Extra", extra) for extra in about["extras"]),
        ("Description-Content-Type", "text/markdown"),
    ]
    return "".join("%s: %s\n" % field for field in fields) + "\n" + readme


def _wheel_file(about):
    fields = [
        ("Wheel-Version", "1.0"),
        ("Generator", "py_wheel.bzl"),
        ("Root-Is-Purelib", "false"),
        ("Tag", about["tag"]),
    ]
    return "".join("%s: %s\n" % field for field in fields)


def _entry_points(about):
    lines = ["%s = %s\n" % script for script in sorted(about["console_scripts"].items())]
    return "[console_scripts]\n" + "".join(lines)


def _installed_path(path, about):
    """Extensions get CPython's suffix; other shared libraries, whose names begin with lib, keep theirs."""
    stem, suffix = posixpath.splitext(path)
    is_extension = suffix == ".so" and not posixpath.basename(path).startswith("lib")
    return stem + about["extension_suffix"] if is_extension else path


def _read(path):
    with open(path, "rb") as file:
        return file.read()


def write(about: dict, output: str) -> None:
    """Writes the wheel; its file name must say what `about` says, or WheelFile refuses it."""
    entries = {_installed_path(path, about): _read(file) for path, file in about["contents"].items()}
    information = {
        "METADATA": _metadata(about).encode(),
        "WHEEL": _wheel_file(about).encode(),
        "entry_points.txt": _entry_points(about).encode(),
    }
    information.update({"licenses/" + name: _read(file) for name, file in about["licences"].items()})
    folder = "%s-%s.dist-info/" % (about["name"], about["version"])
    os.environ["SOURCE_DATE_EPOCH"] = _TIME
    with WheelFile(output, "w") as archive:
        for path in sorted(entries):
            archive.writestr(path, entries[path])
        for name in sorted(information):
            archive.writestr(folder + name, information[name])


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as description:
        write(json.load(description), sys.argv[2])
