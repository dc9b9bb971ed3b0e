"""Counts the cases in all test.xml files of a testlogs folder: prints `PASSED FAILED`.

For .ci/run, with the machine's own Python. The log of a failed target is printed to stderr, its end only, and of
cases that were skipped their number and the reason.
"""

import collections
import os
import sys
import xml.etree.ElementTree as ElementTree

_LOG_LINES = 60


def _count(report):
    """(passed, failed) of one report; a program without cases of its own is one case."""
    passed = failed = 0
    for case in ElementTree.parse(report).iter("testcase"):
        if case.get("status") == "notrun" or case.find("skipped") is not None:
            continue
        bad = case.find("failure") is not None or case.find("error") is not None
        failed += bad
        passed += not bad
    return passed, failed


def _skipped(report):
    """Reason -> number of cases that were skipped for it."""
    reasons = [case.find("skipped") for case in ElementTree.parse(report).iter("testcase")]
    return collections.Counter(reason.get("message", "no reason") for reason in reasons if reason is not None)


def main(root):
    passed = failed = 0
    for folder, _, files in sorted(os.walk(root, followlinks=True)):
        if "test.xml" not in files:
            continue
        report = os.path.join(folder, "test.xml")
        good, bad = _count(report)
        for reason, number in sorted(_skipped(report).items()):
            print("== %s: %d skipped: %s" % (os.path.relpath(folder, root), number, reason), file=sys.stderr)
        passed += good
        failed += bad
        log = os.path.join(folder, "test.log")
        if bad and os.path.exists(log):
            with open(log, encoding="utf-8", errors="replace") as text:
                lines = text.read().splitlines()
            print("== %s" % os.path.relpath(folder, root), *lines[-_LOG_LINES:], sep="\n", file=sys.stderr)
    print(passed, failed)


if __name__ == "__main__":
    main(sys.argv[1])
