"""Rows and cells of `bench` from known timings."""

import json
import types

from attnres import _dtypes
from attnres._bench import interleaved, report, workload

CASE = workload.Case(2, 3, 5, _dtypes.main_dtype("float32"))
PEER = types.SimpleNamespace(who="numpy", moved_bytes=3_000_000_000, how="one thread")
OURS = interleaved.Timing((0.5, 1.0, 0.5), 1)
THEIRS = interleaved.Timing((1.5, 2.0, 5.0), 4)


def test_row():
    row = report.row(CASE, PEER, THEIRS, OURS)
    assert row == {
        "shape": "2x3x5",
        "dtype": "float32",
        "pass": "backward",
        "who": "numpy",
        "seconds_median": 2.0,
        "seconds_min": 1.5,
        "seconds_max": 5.0,
        "gb_per_s": 1.5,
        "ours_is_faster_by": 3.0,
        "ours_is_faster_by_quartiles": [2.5, 6.5],
        "rounds": 3,
        "calls_per_round": 4,
        "how": "one thread",
    }


def test_row_without_ours():
    row = report.row(CASE, PEER, THEIRS, None)
    assert row["ours_is_faster_by"] is None and row["ours_is_faster_by_quartiles"] is None
    assert report.cells(row) == ["numpy", "2000", "1500", "5000", "1.5", "", "one thread"]


def test_cells_have_one_per_column():
    cells = report.cells(report.row(CASE, PEER, THEIRS, OURS))
    assert cells == ["numpy", "2000", "1500", "5000", "1.5", "3.00 (2.50 to 6.50)", "one thread"]
    absent = report.cells_of_absent("jax_jit", "jax is not installed")
    assert (absent[0], absent[-1]) == ("jax_jit", "not run: jax is not installed")
    assert len(cells) == len(absent) == len(report.COLUMNS)


def test_machine_is_json_and_names_who_did_not_run():
    machine = json.loads(json.dumps(report.machine(2, {"jax_jit": "jax is not installed"})))
    assert machine["threads"] == 2 and machine["cpus"] >= 1 and machine["cpu"]
    assert machine["not_run"] == {"jax_jit": "jax is not installed"}


def test_a_busy_machine_is_told():
    assert report.busy({"load_average": [0.3, 4.0, 4.0], "cpus": 2}) is None
    assert "the load average is 0.50" in report.busy({"load_average": [0.5, 0.0, 0.0], "cpus": 2})


def test_who_is_refused_later_is_among_those_that_did_not_run():
    not_run = {}
    machine = report.machine(1, not_run)
    not_run["numpy on 1x1x1 float32"] = "it is wrong"
    assert machine["not_run"] == {"numpy on 1x1x1 float32": "it is wrong"}
