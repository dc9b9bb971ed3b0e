"""The contenders of `bench` that need no other package, and how a wrong one is found."""

import dataclasses

import numpy as np
import pytest
from attnres import _dtypes, _sample_inputs
from attnres._bench import contenders, numpy_peer, workload
from attnres.testing import cases, forward

SHAPES = [(1, 0, 1), (5, 3, 17), (700, 2, 300)]


def make(shape, dtype, timed="backward"):
    case = workload.Case(*shape, dtype, timed)
    return case, _sample_inputs.make_inputs(*shape, dtype)


@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "T%d-N%d-H%d" % shape)
def test_numpy_is_right(shape, dtype):
    case, inputs = make(shape, dtype)
    contender = contenders.peer("numpy", case, inputs, threads=2)
    gradients = contender.as_outputs(contender.call())
    assert contenders.wrong(contender, contenders.golden(inputs), case) is None
    assert all(value.dtype == dtype.numpy for value in gradients.values())
    assert contender.moved_bytes == case.minimal_bytes


@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "T%d-N%d-H%d" % shape)
def test_numpys_forward_is_right(shape, dtype):
    case, inputs = make(shape, dtype, "forward")
    contender = contenders.peer("numpy", case, inputs, threads=2)
    golden = contenders.golden(inputs, "forward")
    assert list(golden) == ["hidden_states"]
    assert contenders.wrong(contender, golden, case) is None
    assert contender.as_outputs(contender.call())["hidden_states"].dtype == dtype.numpy


@pytest.mark.parametrize("timed", workload.PASSES)
@pytest.mark.parametrize("soc", forward.ARCH_SOCS)
def test_ours_is_right_in_every_pass(soc, timed):
    case, inputs = make((5, 3, 17), _dtypes.main_dtype("bfloat16"), timed)
    contender = contenders.ours(soc, case, inputs, threads=1)
    golden = contenders.golden(inputs, timed)
    assert contenders.wrong(contender, golden, case) is None
    damaged = dataclasses.replace(
        contender, as_outputs=lambda r: {n: 0 * v for n, v in contender.as_outputs(r).items()}
    )
    assert "is off by" in contenders.wrong(damaged, golden, case)
    assert contender.moved_bytes == case.minimal_bytes


@pytest.mark.parametrize("soc", cases.SOCS)
def test_ours_is_right_and_says_how_it_ran(soc):
    case, inputs = make((5, 3, 17), _dtypes.main_dtype("bfloat16"))
    contender = contenders.ours(soc, case, inputs, threads=1)
    assert contenders.wrong(contender, contenders.golden(inputs), case) is None
    assert contender.who == f"ours_{soc}"
    assert contender.how.startswith("FULL_H, x86-64-v")


@pytest.mark.parametrize("output", range(4))
@pytest.mark.parametrize("damage", ["zero", "nan", "shape"])
def test_wrong_contenders_are_found(output, damage):
    case, inputs = make((5, 3, 17), _dtypes.main_dtype("bfloat16"))
    golden = contenders.golden(inputs)
    right = contenders.peer("numpy", case, inputs, threads=1)

    def call():
        gradients = right.as_outputs(right.call())
        name = list(gradients)[output]
        if damage == "shape":
            gradients[name] = gradients[name][..., :-1]
        else:
            largest = np.unravel_index(np.abs(golden[name]).argmax(), golden[name].shape)
            gradients[name][largest] = 0 if damage == "zero" else np.nan
        return gradients

    sentence = contenders.wrong(dataclasses.replace(right, call=call), golden, case)
    assert sentence.startswith(f"numpy is wrong: {list(golden)[output]} ")


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("shape", [(1, 0, 1), (3, 2, 5), (40, 3, 1000)], ids=lambda shape: "T%d-N%d-H%d" % shape)
def test_every_way_of_copying_copies_all_bytes(shape, threads):
    _, inputs = make(shape, _dtypes.main_dtype("float16"))
    pairs = numpy_peer.pairs_to_copy(inputs)
    assert sum(source.size for _, source in pairs) == inputs["block_res"].nbytes + inputs["partial_block"].nbytes
    ways = numpy_peer.ways_to_copy(pairs, threads)
    assert len(ways) == (2 if threads > 1 else 1)
    for _, copy in ways:
        for destination, source in pairs:
            destination[...] = ~source
        copy()
        assert all((destination == source).all() for destination, source in pairs)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_every_way_of_reading_reads_all_bytes(threads):
    """Sums of 64-bit words; the last bytes that make no word are left out."""
    _, inputs = make((40, 3, 999), _dtypes.main_dtype("float16"))
    sources = [inputs[name].tobytes() for name in ("block_res", "partial_block")]
    words = sum(int(np.frombuffer(source[: len(source) // 8 * 8], np.int64).sum()) for source in sources)
    ways = numpy_peer.ways_to_read(inputs, threads)
    assert len(ways) == (2 if threads > 1 else 1)
    for _, read in ways:
        assert np.array(read()).sum() == np.array(words % 2**64, np.uint64).astype(np.int64)


def test_the_fastest_way_of_copying_is_taken(monkeypatch):
    monkeypatch.setattr(numpy_peer, "_best_seconds", lambda seconds: seconds)
    assert numpy_peer.fastest([("a", 3.0), ("b", 1.0), ("c", 2.0)]) == ("b", 1.0)


def test_peers_whose_package_is_absent_say_so(monkeypatch):
    monkeypatch.setattr(contenders.importlib.util, "find_spec", lambda name: None)
    assert contenders.missing("copy") is None and contenders.missing("numpy") is None
    assert contenders.missing("torch_compile") == "torch is not installed"
    assert contenders.missing("jax_jit") == "jax is not installed"
