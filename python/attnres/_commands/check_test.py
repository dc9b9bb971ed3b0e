"""`check` as a user runs it, and attnres.check: no finding on the package's own kernels, findings as told."""

import dataclasses
import json

import attnres
import ml_dtypes
import numpy as np
import pytest
from attnres import _backward, _check_mode, _dtypes, _observed, _tensor_files, cli
from attnres.testing import bits, cases
from attnres.testing import inputs as testing_inputs

FINDING = {
    "category": "race",
    "rule": "ub-race",
    "sentence": "Add reads what DataCopyPad still writes: wait for it",
    "instruction": "Add",
    "operand": "src0",
    "core": 3,
    "pipe": "vector",
    "buffer": "UB buffer 1, made at kernel.cpp:9",
    "begin": 64,
    "end": 128,
    "place": {"file": "op/kernel.cpp", "line": 21, "column": 5},
    "other_place": {"file": "op/kernel.cpp", "line": 17, "column": 5},
    "other_pipe": "copy-in",
    "count": 12,
}


@pytest.fixture
def run(capsys):
    """Runs `check`; returns exit code, stdout and stderr."""

    def call(*arguments):
        code = cli.main(["attnres", "check", *map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def given():
    return testing_inputs.make_inputs(3, 2, 40, _dtypes.main_dtype("float16"))


@pytest.fixture
def file(tmp_path, given):
    path = str(tmp_path / "x.safetensors")
    _tensor_files.write(path, given)
    return path


@pytest.fixture
def faulty(monkeypatch):
    """Lets every launch report FINDING and one dump, as a kernel that ended early."""

    def report(inputs, *, options, soc, **_):
        dumps = [
            {"request": i, "core": 3, "offset": 0, "bytes": 8} for i in range(sum(n == "dump" for n, _ in options))
        ]
        raw = {
            "cores": 3,
            "instructions": dict.fromkeys(_check_mode.PIPES, 7),
            "findings": [FINDING],
            "dropped": 2,
            "dumps": dumps,
        }
        gradients = _backward.Gradients(*(np.zeros(1),) * 4)
        data = np.arange(4, dtype=np.float16).tobytes()
        return _observed.ObservedRun(raw, data, "FULL_H", "core 3 waits", gradients)

    monkeypatch.setattr(_observed, "run", report)


@pytest.mark.parametrize("soc", cases.SOCS)
def test_own_kernels_have_no_finding(given, soc):
    report = attnres.check(*given.values(), soc=soc)
    assert report.findings == () and report.right and report.fault == ""
    assert (report.soc, report.path, report.orders) == (soc, "FULL_H", _check_mode.DEFAULT_ORDERS)
    assert report.cores >= 1 and report.dropped == 0 and report.dumps == ()
    # A token's grad_hidden_states, and each row with its gradient, cross between global memory and UB.
    assert report.instructions["copy_in"] >= 3 * 2 and report.instructions["copy_out"] >= 3 * 2
    assert report.instructions["vector"] >= 3 * 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        report.path = "SPLIT_H"


def test_checked_gradients_are_those_of_run_mode_and_run_mode_comes_back(given):
    before = attnres.block_attention_residuals_backward(**given)
    _, checked = _check_mode.run(given)
    after = attnres.block_attention_residuals_backward(**given)
    for one, two, three in zip(before, checked, after):
        assert bits.same_bits(one, two) and bits.same_bits(one, three)


def test_a_tensor_given_twice_is_no_fault():
    ones = np.ones((2, 5), np.float32)
    row, blocks, weight = np.ones((2, 64)), np.ones((2, 4, 64)), np.ones(64)
    halves = [array.astype(np.float16) for array in (row, blocks, weight[np.newaxis], weight, row)]
    assert attnres.check(*halves, ones, ones).right


def test_shape_without_a_kernel():
    report = attnres.check(*testing_inputs.make_inputs(0, 2, 8, _dtypes.main_dtype("float32")).values())
    assert (report.path, report.cores, report.right) == (None, 0, True)
    assert set(report.instructions.values()) == {0}


def test_findings_are_what_the_runtime_says(given, faulty):
    report = attnres.check(*given.values(), dumps=["1@21"])
    assert not report.right and report.dropped == 2 and report.fault == "core 3 waits"
    (finding,) = report.findings
    assert dataclasses.asdict(finding) == FINDING
    assert str(finding.place) == "op/kernel.cpp:21"
    assert report.dumps[0].request == "1@21" and report.dumps[0].data.nbytes == 8


@pytest.mark.parametrize("orders", [(), ("late",), "eager", ("eager", "late-in", "x")], ids=str)
def test_refuses_orders(given, orders):
    with pytest.raises(attnres.InvalidArgumentError, match="expected some of eager, late-in"):
        attnres.check(*given.values(), orders=orders)


@pytest.mark.parametrize("dump", ["3", "x@3", "3@a.cpp:x", "3@4\nauto_sync=false", 3], ids=repr)
def test_refuses_dumps(given, dump):
    with pytest.raises(attnres.InvalidArgumentError, match="BUFFER@LINE"):
        attnres.check(*given.values(), dumps=[dump])


def test_command_without_findings(run, file):
    code, out, err = run(f"--input={file}", "--soc=all", "--orders=eager,late-out", "--json")
    found = json.loads(out)
    assert code == 0 and found["right"] is True
    assert [r["soc"] for r in found["runs"]] == list(cases.SOCS)
    assert all(r["orders"] == ["eager", "late-out"] and r["auto_sync"] is True for r in found["runs"])
    assert err.count("no finding") == 3
    code, out, err = run(f"--input={file}")
    assert (code, err) == (0, "")
    assert "ascend950 (arch35): path FULL_H" in out and "auto-sync on, " in out and "scalar accesses: no finding" in out


def test_without_auto_sync_arch22_would_need_barriers(run, file):
    code, out, _ = run(f"--input={file}", "--soc=ascend910b", "--orders=eager", "--auto_sync=false", "--json")
    found = json.loads(out)["runs"][0]
    assert code == 1 and found["auto_sync"] is False
    assert {finding["rule"] for finding in found["findings"]} == {"ub-race"}
    assert any("PipeBarrier<PIPE_V>" in finding["sentence"] for finding in found["findings"])
    assert all(finding["place"]["file"].startswith("op_kernel/") for finding in found["findings"])


def test_command_with_findings(run, file, faulty, tmp_path):
    code, out, err = run(
        f"--input={file}", "--dump=1@kernel.cpp:21", f"--dump_dir={tmp_path}", "--dump_dtype=float16", "--json"
    )
    found = json.loads(out)
    assert code == 1 and found["right"] is False
    assert found["runs"][0]["findings"] == [FINDING] and found["runs"][0]["dropped"] == 2
    for text in ("ub-race", "wait for it", "core 3, vector", "bytes 64 to 127", "op/kernel.cpp:21", "op/kernel.cpp:17"):
        assert text in err
    assert "2 more were seen" in err and "the kernel ended early: core 3 waits" in err
    (path,) = found["runs"][0]["dumps"]
    assert path == str(tmp_path / "dump_1_kernel.cpp_21_ascend950_core3.npy")
    assert np.array_equal(np.load(path), np.arange(4, dtype=np.float16))
    assert np.load(path).dtype == np.float16


def test_command_says_what_was_not_dumped(run, file):
    code, out, _ = run(f"--input={file}", "--orders=eager", "--dump=0@nowhere.cpp:1")
    assert code == 0 and "nothing to write for 0@nowhere.cpp:1" in out


@pytest.mark.parametrize(
    "flag, text",
    [
        ("--soc=ascend310p", "soc is 'ascend310p'; expected ascend910b"),
        ("--orders=fast", "orders is 'fast'; expected some of eager"),
        ("--dump=3", "dump is '3': expected BUFFER@LINE"),
        ("--dump_dir=/none/such", "dump_dir is '/none/such', which is no directory"),
        ("--input=none.npz", "none.npz does not exist"),
        ("--threads=0", "threads is 0"),
    ],
)
def test_command_refuses(run, file, flag, text):
    more = ["--dump=0@1"] if flag.startswith("--dump_dir") else []
    code, out, err = run(f"--input={file}", *more, flag)
    assert (code, out) == (2, "")
    assert err.startswith("attnres check: ") and err.count("\n") == 1 and text in err


def test_command_needs_an_input(run):
    assert run()[2] == "attnres check: check needs --input, a .safetensors or .npz file\n"


def test_dumps_bfloat16(run, file, faulty, tmp_path):
    code, _, _ = run(f"--input={file}", "--dump=1@21", f"--dump_dir={tmp_path}", "--dump_dtype=bfloat16")
    written = np.load(tmp_path / "dump_1_21_ascend950_core3.npy")
    assert code == 1 and written.view(ml_dtypes.bfloat16).shape == (4,)
