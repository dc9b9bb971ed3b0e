"""main() of every attnres_pytest_test: runs pytest under Bazel's test protocol.

The arguments are test files relative to the workspace's runfiles. Cases go to XML_OUTPUT_FILE,
--test_filter arrives as TESTBRIDGE_TEST_ONLY, shards are dealt out case by case. Not one executed
case is a failure, except in a shard that got none. The C++ twin of this file is gtest_main.cc.
"""

import os
import sys

import pytest

_NO_TESTS = 5


class _BazelProtocol:
    """Filters, shards and counts the collected cases."""

    def __init__(self):
        self.collected = 0
        self.selected = 0
        self.executed = 0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config, items):
        self.collected = len(items)
        chosen = self._shard(self._filter(items))
        kept = set(map(id, chosen))
        config.hook.pytest_deselected(items=[item for item in items if id(item) not in kept])
        items[:] = chosen

    def _filter(self, items):
        wanted = os.environ.get("TESTBRIDGE_TEST_ONLY", "")
        if not wanted:
            selected = items
        else:
            selected = [
                item for item in items if any(part.strip() in item.nodeid for part in wanted.split("|") if part.strip())
            ]
        self.selected = len(selected)
        return selected

    def _shard(self, items):
        total = int(os.environ.get("TEST_TOTAL_SHARDS", "1"))
        index = int(os.environ.get("TEST_SHARD_INDEX", "0"))
        return list(items)[index::total]

    def pytest_runtest_logreport(self, report):
        if report.when == "call" and not report.skipped:
            self.executed += 1


def _arguments(root, files):
    arguments = [
        "--rootdir=" + root,
        "--config-file=/dev/null",
        "--import-mode=importlib",
        "-p",
        "no:cacheprovider",
        "-v",
        "--tb=short",
        "--strict-markers",
        "-o",
        "junit_family=xunit1",
    ]
    xml = os.environ.get("XML_OUTPUT_FILE")
    if xml:
        arguments.append("--junitxml=" + xml)
    if os.environ.get("TESTBRIDGE_TEST_RUNNER_FAIL_FAST"):
        arguments.append("-x")
    if os.environ.get("TEST_TMPDIR"):
        arguments.append("--basetemp=" + os.path.join(os.environ["TEST_TMPDIR"], "pytest"))
    return arguments + [os.path.join(root, name) if name.endswith("_test.py") else name for name in files]


def main(files):
    """Returns pytest's exit code; 5 (nothing ran) unless another shard had the cases."""
    status = os.environ.get("TEST_SHARD_STATUS_FILE")
    if status:
        open(status, "a").close()
    root = os.path.join(os.environ["RUNFILES_DIR"], os.environ.get("TEST_WORKSPACE", "attnres"))
    protocol = _BazelProtocol()
    code = int(pytest.main(_arguments(root, files), plugins=[protocol]))
    if code not in (0, _NO_TESTS):
        return code
    sharded = int(os.environ.get("TEST_TOTAL_SHARDS", "1")) > 1
    if protocol.selected == 0:
        print(
            "pytest_main: no case selected out of %d collected" % protocol.collected,
            file=sys.stderr,
        )
        return _NO_TESTS
    if protocol.executed == 0 and not sharded:
        print("pytest_main: all %d cases were skipped" % protocol.selected, file=sys.stderr)
        return _NO_TESTS
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
