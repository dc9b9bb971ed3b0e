"""attnres_pytest_test and attnres_cc_test keep Bazel's test protocol.

Not one executed case is a failure, shards split the cases, a filter selects, each case is in
test.xml, and a module that is no declared dependency cannot be imported.
"""

import os
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest
from runfiles import Runfiles

_FOLDER = "tools/build_defs/testing"


def _run(tmp_path, name, **variables):
    """Runs a sample; returns its exit code, the cases in its XML, and its output."""
    program = Runfiles.Create().Rlocation("%s/%s/%s" % (os.environ["TEST_WORKSPACE"], _FOLDER, name))
    report = tmp_path / ("%s.xml" % "-".join([name] + sorted(map(str, variables.values()))).replace("/", "_"))
    ours = ("SHARD_INDEX", "SHARD_STATUS_FILE", "TOTAL_SHARDS", "TESTBRIDGE_TEST_ONLY")
    environment = {key: value for key, value in os.environ.items() if not key.endswith(ours)}
    for key, value in variables.items():
        environment[key] = str(value)
        # Bazel's test-setup.sh gives googletest the same values under its own names.
        environment[key.replace("TEST_", "GTEST_", 1)] = str(value)
    environment.update(XML_OUTPUT_FILE=str(report), TEST_TMPDIR=str(tmp_path / "tmp"))
    arguments = [program]
    if not name.startswith(("four_cases", "no_case_cc")):
        arguments.append("%s/%s.py" % (_FOLDER, name))
    done = subprocess.run(arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    cases = []
    if report.exists():
        for case in ElementTree.parse(report).iter("testcase"):
            skipped_by_filter = case.get("status") == "notrun"
            if not skipped_by_filter:
                cases.append(case.get("name"))
    return done.returncode, cases, done.stdout


def test_every_case_is_in_the_report(tmp_path):
    code, cases, output = _run(tmp_path, "five_cases_test")
    assert code == 0, output
    assert cases == [
        "test_letter[a]",
        "test_letter[b]",
        "test_letter[c]",
        "test_letter[d]",
        "test_other",
    ]


@pytest.mark.parametrize("name", ["no_case_test", "all_skipped_test", "no_case_cc_test"])
def test_no_executed_case_fails(tmp_path, name):
    code, _, output = _run(tmp_path, name)
    assert code != 0, output


def test_one_failing_case_fails(tmp_path):
    code, cases, output = _run(tmp_path, "one_failure_test")
    assert code == 1, output
    assert len(cases) == 2


def test_filter_selects(tmp_path):
    code, cases, output = _run(tmp_path, "five_cases_test", TESTBRIDGE_TEST_ONLY="test_letter[b]|other")
    assert code == 0, output
    assert cases == ["test_letter[b]", "test_other"]


def test_filter_without_match_fails(tmp_path):
    code, _, output = _run(tmp_path, "five_cases_test", TESTBRIDGE_TEST_ONLY="no_such_case")
    assert code != 0, output


@pytest.mark.parametrize("shards", [3, 7])
@pytest.mark.parametrize("name,count", [("five_cases_test", 5), ("four_cases_test", 4)])
def test_shards_split_the_cases(tmp_path, name, count, shards):
    together = []
    for index in range(shards):
        status = tmp_path / ("status-%d" % index)
        code, cases, output = _run(
            tmp_path,
            name,
            TEST_TOTAL_SHARDS=shards,
            TEST_SHARD_INDEX=index,
            TEST_SHARD_STATUS_FILE=status,
        )
        assert code == 0, output
        assert status.exists()
        together += cases
    assert len(together) == len(set(together)) == count


def test_no_case_fails_in_every_shard(tmp_path):
    code, _, output = _run(tmp_path, "no_case_test", TEST_TOTAL_SHARDS=3, TEST_SHARD_INDEX=0)
    assert code != 0, output


def test_undeclared_import_fails(tmp_path):
    """The module lies beside the test in the source tree, but no dependency brings it."""
    code, _, output = _run(tmp_path, "undeclared_import_test")
    assert code != 0
    assert "No module named 'tools.build_defs.testing.sibling'" in output
