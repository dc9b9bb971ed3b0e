#!/usr/bin/env python3
"""Writes a Bazel registry of the modules that Debian packages, for builds with bzlmod and no other registry.

    tools/bzlmod/debian_registry.py FOLDER
    ./bazelw build --config=bzlmod --registry=file://FOLDER //...

Every version that MODULE.bazel, or a module it leads to, asks for is there, and is what Debian has. A module
that Debian lacks is there without content: what needs it fails, and nothing in this workspace does.
Run with the machine's Python alone, before there is a build.
"""

import argparse
import ast
import json
import pathlib
import re

_PROJECT = pathlib.Path(__file__).resolve().parents[2]
_DEBIAN = pathlib.Path("/usr/share/bazel")

# What Bazel 7 asks for out of its own code (module local_config_platform).
_BUILT_IN = {("platforms", "0.0.7")}


def _calls(text, function):
    """The keyword arguments of each call of a function that a MODULE.bazel file makes at its top."""
    for node in ast.parse(text).body:
        call = getattr(node, "value", None)
        if isinstance(call, ast.Call) and getattr(call.func, "id", None) == function:
            yield {
                keyword.arg: keyword.value.value for keyword in call.keywords if isinstance(keyword.value, ast.Constant)
            }


def _requests(text, is_root=False):
    """The (name, version) of each module that a MODULE.bazel file asks for."""
    return {
        (call["name"], call["version"])
        for call in _calls(text, "bazel_dep")
        if "version" in call and (is_root or not call.get("dev_dependency"))
    }


def _packaged(debian):
    """Debian's modules: name -> folder."""
    files = [*debian.glob("rules/*/MODULE.bazel"), *debian.glob("tools/*/MODULE.bazel")]
    return {call["name"]: file.parent for file in files for call in _calls(file.read_text(), "module")}


def _with_version(text, version):
    """A MODULE.bazel file as if it were of that version."""
    return re.sub(r'(^module\([^)]*\bversion = )"[^"]*"', r'\1"%s"' % version, text, count=1, flags=re.MULTILINE)


def write_registry(folder, requests, packaged):
    """Writes into a folder each requested module, and what these ask for in turn; returns all of them."""
    empty = folder / "empty"
    empty.mkdir(parents=True, exist_ok=True)
    (folder / "bazel_registry.json").write_text("{}\n")
    written, waiting = set(), set(requests)
    while waiting:
        name, version = request = waiting.pop()
        written.add(request)
        source = packaged.get(name)
        text = 'module(name = "%s", version = "%s")\n' % request
        if source:
            text = _with_version((source / "MODULE.bazel").read_text(), version)
        entry = folder / "modules" / name / version
        entry.mkdir(parents=True, exist_ok=True)
        (entry / "MODULE.bazel").write_text(text)
        (entry / "source.json").write_text(json.dumps({"type": "local_path", "path": str(source or empty)}) + "\n")
        waiting |= _requests(text) - written
    return written


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="where the registry goes")
    folder = parser.parse_args().folder.resolve()
    bazel = _DEBIAN / "embedded_tools" / "MODULE.bazel"
    if not bazel.exists():
        parser.error("%s does not exist: install bazel-bootstrap 7 of Debian" % bazel)
    requests = (
        _BUILT_IN | _requests(bazel.read_text()) | _requests((_PROJECT / "MODULE.bazel").read_text(), is_root=True)
    )
    write_registry(folder, requests, _packaged(_DEBIAN))
    print("--registry=file://%s" % folder)


if __name__ == "__main__":
    main()
