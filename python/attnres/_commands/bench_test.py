"""`bench` as a user runs it: flags and their faults, JSON, who takes part; and whole runs on tiny shapes."""

import dataclasses
import importlib.util
import json

import numpy as np
import pytest
from attnres import _backward, _socs, cli
from attnres._bench import contenders
from attnres.testing import cases

ROW_KEYS = {
    "shape",
    "dtype",
    "pass",
    "who",
    "seconds_median",
    "seconds_min",
    "seconds_max",
    "gb_per_s",
    "ours_is_faster_by",
    "ours_is_faster_by_quartiles",
    "rounds",
    "calls_per_round",
    "how",
}
OURS = [
    f"ours_{soc.name}"
    for soc in sorted(_socs.socs(), key=lambda soc: soc.name != _socs.DEFAULT_SOC)
    if soc.npu_arch in _backward.available_archs()
]


@pytest.fixture
def run(capsys):
    """Runs `bench`; returns exit code, stdout and stderr."""

    def call(*arguments):
        code = cli.main(["attnres", "bench", *map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.mark.parametrize(
    "arguments, text",
    [
        (["--shapes=2x4"], "--shapes has '2x4'; expected TxNxH"),
        (["--dtype=half"], "--dtype has 'half'; expected float16, bfloat16 or float32"),
        (["--peers=copy,cupy"], "--peers has 'cupy'; expected any of copy, read, torch_compile"),
        (["--socs=ascend310p"], "--socs: soc is 'ascend310p'; expected ascend910b"),
        (["--threads=0"], "threads is 0; expected 1 to 1024"),
        (["--threads=two"], "flag --threads=two"),
        (["--pass=forwards"], "flag --pass=forwards: value should be one of <backward|forward|both>"),
        (["--rounds=0"], "--rounds is 0; expected 1 to 10000"),
        (["--plot=x.svg"], "--plot is 'x.svg'; expected a file that ends in .png"),
        (["--plot=/none/x.png"], "--plot is '/none/x.png'; expected a file in a folder that exists"),
        (["64x4x64"], "argument '64x4x64' is not expected"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_faults_are_one_sentence(run, arguments, text):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    first, _, rest = err.partition("\n")
    assert first.startswith("attnres bench: ") and text in first
    assert rest == "" or rest.lstrip().startswith(("usage: ", "attnres"))


def test_help_shows_lists_as_they_are_typed(run):
    assert "--shapes           TxNxH, or TxNxH:dtype, any number of them. (default: 2048x8x4096)\n" in run("--help")[1]


def test_plot_without_matplotlib_is_refused_before_the_work(run, monkeypatch, tmp_path):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    code, out, err = run(f"--plot={tmp_path}/x.png")
    assert (code, out) == (2, "") and "matplotlib is not installed" in err


def test_json_of_a_whole_run(run):
    code, out, err = run("--shapes=3x2x17,2x4x64:float32", "--peers=copy,numpy", "--rounds=2", "--threads=2", "--json")
    assert code == 0, err
    found = json.loads(out)
    assert set(found) == {"machine", "rows"}
    whos = [*OURS, "copy", "numpy"]
    assert [(r["shape"], r["dtype"], r["who"]) for r in found["rows"]] == [
        (*case, who) for case in (("3x2x17", "bfloat16"), ("2x4x64", "float32")) for who in whos
    ]
    for row in found["rows"]:
        assert set(row) == ROW_KEYS
        assert 0 < row["seconds_min"] <= row["seconds_median"] <= row["seconds_max"] < 10
        assert row["gb_per_s"] > 0 and row["rounds"] == 2 and row["calls_per_round"] >= 1
        low, high = row["ours_is_faster_by_quartiles"]
        assert 0 < low <= row["ours_is_faster_by"] <= high
    assert [r["ours_is_faster_by"] for r in found["rows"] if r["who"] == OURS[0]] == [1.0, 1.0]
    assert found["machine"]["threads"] == 2
    assert "ours is faster by" in err


@pytest.mark.parametrize("timed, bound", [("forward", "read"), ("both", None)])
def test_the_other_passes(run, timed, bound):
    """On the SoCs that have kernels of the forward; what has no part in a pass is named."""
    peers = ["read", "copy", "numpy"]
    code, out, err = run("--shapes=3x2x17", f"--pass={timed}", f"--peers={','.join(peers)}", "--rounds=1", "--json")
    assert code == 0, err
    found = json.loads(out)
    assert {row["pass"] for row in found["rows"]} == {timed}
    whos = [row["who"] for row in found["rows"]]
    assert whos[0] == f"ours_{_socs.DEFAULT_SOC}"
    assert [who for who in whos if not who.startswith("ours_")] == ([bound, "numpy"] if bound else [])
    assert found["machine"]["not_run"]["copy"] == f"it has no part in --pass={timed}, but in backward"


def test_table_of_a_whole_run(run):
    code, out, err = run(
        "--shapes=3x2x17", "--dtype=float16,float32", f"--socs={cases.SOCS[-1]}", "--peers=", "--rounds=1"
    )
    assert (code, err) == (0, "")
    assert "3x2x17 float16 backward: 1 rounds" in out and "3x2x17 float32 backward: 1 rounds" in out
    assert out.count(f"ours_{cases.SOCS[-1]}") == 2 and "numpy" not in out


def test_absent_peers_and_socs_are_named_and_the_others_run(run, monkeypatch):
    monkeypatch.setattr(contenders, "missing", lambda who, timed: "it is not here" if who == "jax_jit" else None)
    monkeypatch.setattr("attnres._backward.available_archs", lambda: {2201})
    code, out, err = run(
        "--shapes=1x1x1", "--peers=jax_jit,numpy", "--socs=ascend950,ascend910b", "--rounds=1", "--json"
    )
    assert code == 0
    found = json.loads(out)
    assert [row["who"] for row in found["rows"]] == ["ours_ascend910b", "numpy"]
    reasons = {"jax_jit": "it is not here", "ours_ascend950": "this build has no kernels for it"}
    assert found["machine"]["not_run"] == reasons
    for who, reason in reasons.items():
        assert f"{who} does not run: {reason}\n" in err


def test_the_default_soc_comes_first(run):
    found = json.loads(run("--shapes=1x1x1", "--peers=", "--rounds=1", "--json")[1])
    assert [row["who"] for row in found["rows"]] == OURS
    assert OURS[0] == f"ours_{_socs.DEFAULT_SOC}"


def _replace_peer(monkeypatch, **changes):
    make = contenders.peer
    monkeypatch.setattr(contenders, "peer", lambda *given: dataclasses.replace(make(*given), **changes))


def test_a_wrong_peer_is_refused(run, monkeypatch):
    _replace_peer(monkeypatch, as_outputs=lambda result: {name: np.zeros_like(v) for name, v in result.items()})
    code, out, _ = run("--shapes=2x2x8", "--peers=numpy", "--rounds=1")
    assert code == 0 and "not run: numpy is wrong: grad_partial_block is off by" in " ".join(out.split())


def test_a_peer_that_raises_is_refused(run, monkeypatch):
    def fail(*_):
        raise MemoryError("too large\nby far")

    monkeypatch.setattr(contenders, "peer", fail)
    code, out, _ = run("--shapes=2x2x8", "--peers=numpy", "--rounds=1", "--json")
    found = json.loads(out)
    assert code == 0 and found["machine"]["not_run"]["numpy on 2x2x8 bfloat16"] == "MemoryError: too large"


def test_a_wrong_result_of_ours_ends_with_1(run, monkeypatch):
    make = contenders.ours

    def wrong(*given):
        right = make(*given)
        return dataclasses.replace(right, as_outputs=lambda r: {k: v * 0 for k, v in r._asdict().items()})

    monkeypatch.setattr(contenders, "ours", wrong)
    code, out, err = run("--shapes=2x2x8", "--peers=copy", "--rounds=1", "--json")
    found = json.loads(out)
    assert code == 1 and [(r["who"], r["ours_is_faster_by"]) for r in found["rows"]] == [("copy", None)]
    assert f"{OURS[0]} is wrong: grad_partial_block is off by" in err
