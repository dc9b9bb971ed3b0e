"""Finds cc targets that include a header of ours without listing the target that owns it.

Works on `bazel query --output=xml` of the workspace's rules. A header belongs to each target that
has it in hdrs or textual_hdrs. Shared libraries, aliases and libraries without files of their own
hand on what their deps own. Headers of the system and of other repositories are not looked at.
"""

import os
import re
import xml.etree.ElementTree as ElementTree

_INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
_LISTS = ("srcs", "hdrs", "textual_hdrs", "deps", "includes")
_LABELS = ("actual", "archives", "interface")
_CHECKED = ("cc_library", "cc_binary", "cc_test")


class _Rule:
    """One rule of the query: its class and the attributes that matter here."""

    def __init__(self, element):
        self.label = element.get("name")
        self.kind = element.get("class")
        self.lists = {name: [] for name in _LISTS}
        for child in element.findall("list"):
            if child.get("name") in self.lists:
                self.lists[child.get("name")] = [item.get("value") for item in child]
        for child in element.findall("label"):
            if child.get("name") in _LABELS:
                self.lists["deps"].append(child.get("value"))

    @property
    def headers(self):
        sources = [name for name in self.lists["srcs"] if name.endswith(".h")]
        return self.lists["hdrs"] + self.lists["textual_hdrs"] + sources

    @property
    def hands_on(self):
        return self.kind not in _CHECKED or not (self.lists["srcs"] + self.headers)


def _path(label):
    """//a/b:c/d.h -> a/b/c/d.h; None for another repository."""
    if not label.startswith("//"):
        return None
    package, _, name = label[2:].partition(":")
    return "%s/%s" % (package, name) if package else name


def _owned(rules, label, depth=0):
    """Paths of the headers that a dependency on `label` allows to include."""
    rule = rules.get(label)
    if rule is None or depth > 8:
        return set()
    owned = {_path(header) for header in rule.lists["hdrs"] + rule.lists["textual_hdrs"]}
    if rule.hands_on:
        for dep in rule.lists["deps"]:
            owned |= _owned(rules, dep, depth + 1)
    return owned


def _include_roots(rules):
    roots = {""}
    for rule in rules.values():
        package = _path(rule.label + "_")
        if package is None:
            continue
        for include in rule.lists["includes"]:
            roots.add(os.path.normpath(os.path.join(os.path.dirname(package), include)))
    return sorted(roots)


def missing_deps(rules_file, root):
    """One sentence for each include that no direct dependency allows.

    Args:
      rules_file: path of the query's XML.
      root: the source tree.
    """
    found = [_Rule(element) for element in ElementTree.parse(rules_file).iter("rule")]
    rules = {rule.label: rule for rule in found}
    ours = {_path(header) for rule in found for header in rule.headers} - {None}
    roots = _include_roots(rules)
    faults = []
    for rule in sorted(found, key=lambda each: each.label):
        if rule.kind not in _CHECKED or _path(rule.label) is None:
            continue
        allowed = {_path(header) for header in rule.headers}
        for dep in rule.lists["deps"]:
            allowed |= _owned(rules, dep)
        for source in map(_path, rule.lists["srcs"] + rule.lists["hdrs"]):
            if source and os.path.exists(os.path.join(root, source)):
                faults += _faults_of_file(rule.label, root, source, allowed, ours, roots)
    return faults


def _faults_of_file(label, root, source, allowed, ours, roots):
    with open(os.path.join(root, source), encoding="utf-8") as text:
        includes = _INCLUDE.findall(text.read())
    faults = []
    for include in includes:
        places = {os.path.normpath(os.path.join(place, include)) for place in roots}
        places.add(os.path.normpath(os.path.join(os.path.dirname(source), include)))
        owned = places & ours
        if owned and not owned & allowed:
            faults.append(
                "%s: %s includes %s, but no dependency of %s owns %s"
                % (source, os.path.basename(source), include, label, " or ".join(sorted(owned)))
            )
    return faults
