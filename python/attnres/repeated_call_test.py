"""Calls like an earlier one, which the binding repeats without checks and phase 1: they must not be told from others.

`_backward.run` always makes the whole call, so it is what a repeated one is compared with.
"""

import concurrent.futures
import gc

import numpy as np
import pytest

import attnres
from attnres import _backward, _dtypes, _twin
from attnres.testing import bits, cases, inputs

FLOAT32 = _dtypes.main_dtype("float32")
MOST_PREPARED = 64


def repeat(given, soc=cases.SOCS[0], threads=None, valid_block_num=-1):
    """The binding's repetition alone: None where there is nothing to repeat."""
    return _twin.repeat(_backward.API_NAME, (*given.values(), valid_block_num), soc, threads)


def backward(given, soc=cases.SOCS[0], **options):
    return attnres.block_attention_residuals_backward(**given, soc=soc, **options)


def whole_call(given, soc=cases.SOCS[0]):
    return _backward.run(given, soc=soc)[0]


def assert_same(left, right):
    assert len(left) == len(right) == 4
    for a, b in zip(left, right):
        assert bits.same_bits(a, b)


@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("soc", cases.SOCS)
def test_shapes_may_change_and_change_back(soc, dtype):
    problems = [inputs.make_inputs(*shape, dtype) for shape in [(2, 4, 64), (3, 4, 64), (2, 1, 8192), (2, 0, 64)]]
    wanted = [whole_call(given, soc) for given in problems]
    for _ in range(3):
        for given, right in zip(problems, wanted):
            assert_same(backward(given, soc), right)
            assert_same(repeat(given, soc), right)


def test_each_call_has_its_own_results_and_sees_new_values():
    first = inputs.make_inputs(2, 4, 64, FLOAT32)
    other = {name: -2 * array for name, array in first.items()}
    kept = backward(first)
    copies = [array.copy() for array in kept]
    second = backward(other)
    assert isinstance(second, attnres.Gradients)
    assert_same(kept, copies)
    assert_same(second, whole_call(other))
    assert all(array.flags.c_contiguous and array.flags.owndata for array in second)
    first["partial_block"][...] = 7
    assert_same(backward(first), whole_call(first))


def test_socs_do_not_mix():
    given = inputs.make_inputs(60, 2, 7730, FLOAT32)
    wanted = [whole_call(given, soc) for soc in cases.SOCS]
    for _ in range(2):
        for soc, right in zip(cases.SOCS, wanted):
            assert_same(backward(given, soc), right)
    assert repeat(given, "ascend310p") is None
    assert repeat(given, None) is None


def test_only_alike_calls_are_repeated():
    given = inputs.make_inputs(4, 3, 16, FLOAT32)
    backward(given)
    assert repeat(given) is not None
    transposed = np.ascontiguousarray(given["block_res"].swapaxes(0, -1)).swapaxes(0, -1)
    odd = np.empty(given["probs"].nbytes + 1, np.uint8)[1:]
    unaligned = np.ndarray(given["probs"].shape, np.float32, odd)
    swapped = given["probs"].astype(">f4")
    for change in (
        {"block_res": transposed},
        {"block_res": given["block_res"][::-1]},
        {"block_res": given["block_res"][:, :2]},
        {"probs": given["probs"].astype(np.float64)},
        {"probs": given["probs"].view(np.int32)},
        {"probs": swapped},
        {"probs": unaligned},
        {"probs": given["probs"].tolist()},
        {"probs": None},
        {"probs": 3},
    ):
        assert repeat(given | change) is None, change
    assert repeat(given, valid_block_num=3) is None
    assert repeat(given, valid_block_num=2**70) is None
    for threads in (0, -1, 1025, 2**70, 1.0, "1"):
        assert repeat(given, threads=threads) is None


@pytest.mark.parametrize(
    "wrong, message",
    [
        ({"probs": None}, "probs is None; expected an array"),
        ({"probs": np.zeros((2, 4))}, "probs has dtype float64; expected float32"),
        ({"probs": np.zeros((2, 5), np.float32)}, "probs.shape[1] (5) does not match block_res.shape[1] + 1 (4)"),
        ({"valid_block_num": 2}, "valid_block_num is 2; expected -1 or 3, the number of blocks"),
        ({"threads": 0}, "threads is 0; expected 1 to 1024, or None"),
        ({"soc": "x"}, "soc is 'x'; expected ascend910b, ascend910_93 or ascend950"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_wrong_calls_are_refused_after_right_ones(wrong, message):
    given = inputs.make_inputs(2, 3, 8, FLOAT32)
    for _ in range(2):
        backward(given)
        with pytest.raises(attnres.InvalidArgumentError) as caught:
            attnres.block_attention_residuals_backward(**(given | {"soc": cases.SOCS[0]} | wrong))
        assert caught.value.message == message


@pytest.mark.parametrize("layout", ["every_second", "transposed", "zero_stride"])
def test_strided_inputs(layout):
    given = inputs.make_inputs(5, 3, 24, FLOAT32)
    rows = given["grad_hidden_states"]
    given["grad_hidden_states"] = {
        "every_second": np.repeat(rows, 2, axis=-1)[:, ::2],
        "transposed": np.asfortranarray(rows),
        "zero_stride": np.broadcast_to(rows[:1], rows.shape),
    }[layout]
    right = whole_call(given)
    for _ in range(2):
        assert_same(backward(given), right)
    assert repeat(given) is not None


def test_empty_tensors():
    for shape in [(0, 2, 16), (3, 2, 0), (3, 0, 16)]:
        given = inputs.make_inputs(*shape, FLOAT32)
        right = whole_call(given)
        for _ in range(3):
            assert_same(backward(given), right)


def test_number_of_prepared_calls_is_bounded():
    problems = [inputs.make_inputs(1 + index, 1, 8, FLOAT32) for index in range(3 * MOST_PREPARED)]
    for given in problems:
        backward(given)
        assert _twin.prepared_count(cases.SOCS[0]) <= MOST_PREPARED
    assert _twin.prepared_count(cases.SOCS[0]) == MOST_PREPARED
    assert repeat(problems[0]) is None
    assert repeat(problems[-1]) is not None
    assert_same(backward(problems[0]), whole_call(problems[0]))


def test_large_results_and_threads():
    given = inputs.make_inputs(300, 4, 1024, FLOAT32)
    right = whole_call(given)
    for threads in (None, 1, 2, 7):
        results = backward(given, threads=threads)
        assert results.grad_block_res.nbytes > 1 << 20
        assert_same(results, right)
        assert_same(repeat(given, threads=threads), right)


def test_threads_prepare_their_own():
    problems = [inputs.make_inputs(t, 2, 33, FLOAT32) for t in (1, 5, 17, 60)]
    alone = [whole_call(given) for given in problems]

    def work(index):
        return [(index + i) % 4 for i in range(40)], [backward(problems[(index + i) % 4]) for i in range(40)]

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        for indices, results in pool.map(work, range(12)):
            for index, result in zip(indices, results):
                assert_same(result, alone[index])


def test_a_call_from_within_the_collector():
    """Making results may start a collection, and whatever it runs may call the operator itself."""
    outer = inputs.make_inputs(2, 4, 64, FLOAT32)
    inner = inputs.make_inputs(3, 2, 16, FLOAT32)
    right_outer, right_inner = whole_call(outer), whole_call(inner)
    backward(outer)
    seen = []

    def collect(phase, _):
        if phase == "start":
            seen.append(backward(inner))

    thresholds = gc.get_threshold()
    gc.callbacks.append(collect)
    gc.set_threshold(1)
    try:
        results = [backward(outer) for _ in range(50)]
    finally:
        gc.set_threshold(*thresholds)
        gc.callbacks.remove(collect)
    assert seen
    for result in results:
        assert_same(result, right_outer)
    for result in seen:
        assert_same(result, right_inner)


def test_with_logs_on_the_whole_call_is_made():
    given = inputs.make_inputs(2, 3, 8, FLOAT32)
    backward(given)
    _twin.set_log_level(1)
    try:
        assert repeat(given) is None
    finally:
        _twin.set_log_level(3)
    assert repeat(given) is not None
