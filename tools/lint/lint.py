"""Checks the source tree: formatting, Python lint, and that each cc target lists what it includes.

Started by `tools/lint/run`, which passes the rules of the workspace. One line per check on stdout,
then `N passed, N failed`; exit 1 if one failed. tools/format/run repairs what can be repaired.
"""

import subprocess
import sys

from tools.lint import formatters, include_check

_NO_PROGRAM = 127


def _run(name, command, files):
    """True, False, or None if the program is not to be had on this machine."""
    done = subprocess.run(
        command + files,
        cwd=formatters.workspace(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode == _NO_PROGRAM:
        print("lint: %s: skipped: %s" % (name, done.stdout.strip()))
        return None
    if done.returncode != 0:
        print("\n".join(done.stdout.splitlines()[:60]))
    print("lint: %s: %s (%d files)" % (name, "ok" if done.returncode == 0 else "FAILED", len(files)))
    return done.returncode == 0


def _check_includes(rules_file):
    faults = include_check.missing_deps(rules_file, formatters.workspace())
    for fault in faults:
        print(fault)
    print("lint: includes: %s" % ("FAILED" if faults else "ok"))
    return not faults


def main(arguments):
    results = [_run(*check) for check in formatters.commands(fix=False)]
    results.append(_check_includes(arguments[0]))
    failed = results.count(False)
    print("%d passed, %d failed" % (results.count(True), failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
