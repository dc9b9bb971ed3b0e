"""The peers of `bench` that take PyTorch: right results, one whole run. bench_compile_test.py has torch.compile."""

import json

import numpy as np
import pytest
from attnres import _dtypes, _sample_inputs, cli
from attnres._bench import contenders, torch_peer, workload
from attnres.testing import cases


@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("who", ["torch_eager", "torch_autograd"])
@pytest.mark.parametrize("shape", [(1, 0, 1), (5, 3, 17), (33, 2, 300)], ids=lambda shape: "T%d-N%d-H%d" % shape)
def test_right(shape, who, dtype):
    case = workload.Case(*shape, dtype)
    inputs = _sample_inputs.make_inputs(*shape, dtype)
    assert contenders.missing(who) is None
    contender = contenders.peer(who, case, inputs, threads=2)
    assert contenders.wrong(contender, contenders.golden(inputs), case) is None
    assert all(value.dtype == dtype.numpy for value in contender.as_outputs(contender.call()).values())


@pytest.mark.parametrize("timed", ["forward", "both"])
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_right_in_the_other_passes(dtype, timed):
    case = workload.Case(33, 2, 300, dtype, timed)
    inputs = _sample_inputs.make_inputs(33, 2, 300, dtype)
    contender = contenders.peer("torch_eager", case, inputs, threads=2)
    assert contenders.wrong(contender, contenders.golden(inputs, timed), case) is None


def test_ours_goes_through_autograd_where_torch_is():
    case = workload.Case(5, 3, 17, _dtypes.main_dtype("bfloat16"), "both")
    inputs = _sample_inputs.make_inputs(5, 3, 17, case.dtype)
    contender = contenders.ours("ascend950", case, inputs, threads=2)
    assert contender.how.endswith(", attnres.torch")
    assert contenders.wrong(contender, contenders.golden(inputs, "both"), case) is None


def test_read_sums_all_bytes():
    inputs = {
        "block_res": np.arange(40, dtype=np.float32).reshape(2, 4, 5),
        "partial_block": np.ones((2, 5), np.float32),
    }
    expected = sum(int(value.reshape(-1).view(np.int64).sum()) for value in inputs.values())
    assert int(sum(torch_peer.read(inputs)())) == expected


def test_copy_copies_all_bytes():
    pairs = [(np.zeros(9000, np.uint8), np.arange(9000).astype(np.uint8))]
    torch_peer.copy(pairs)
    assert (pairs[0][0] == pairs[0][1]).all()


def test_whole_run(capsys):
    peers = ["copy", "torch_eager", "torch_autograd"]
    assert cli.main(["attnres", "bench", "--shapes=3x2x17", f"--peers={','.join(peers)}", "--rounds=2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["who"] for row in found["rows"] if not row["who"].startswith("ours_")] == peers
    assert found["machine"]["torch"].startswith("2.")


def test_compiler_is_sought_like_torch_does(monkeypatch):
    monkeypatch.setenv("CXX", "no-such-compiler")
    assert torch_peer.compiler_missing() == "CXX is no-such-compiler, which is no program"
    monkeypatch.delenv("CXX")
    monkeypatch.setattr(torch_peer.shutil, "which", lambda name: None)
    assert "there is no g++ or clang++" in torch_peer.compiler_missing()
    monkeypatch.setenv("CXX", "")  # so that what follows is undone
    monkeypatch.setattr(torch_peer.shutil, "which", lambda name: name if name == "clang++" else None)
    assert torch_peer.compiler_missing() is None
    assert torch_peer.os.environ["CXX"] == "clang++"
