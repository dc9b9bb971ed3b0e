"""The public function on NumPy arrays: layouts, empties, threads, and what it leaves untouched."""

import concurrent.futures
import os
import threading

import ml_dtypes
import numpy as np
import pytest

import attnres
from attnres import _backward, _call, _checks, _dtypes, _libraries, _twin
from attnres.testing import bits, cases, runs
from attnres.testing import inputs as testing_inputs

BFLOAT16 = _dtypes.main_dtype("bfloat16")


def backward(inputs, **options):
    return attnres.block_attention_residuals_backward(**inputs, **options)._asdict()


def assert_same_bits(left, right):
    for name in right:
        assert bits.same_bits(left[name], right[name]), name


@pytest.mark.parametrize("soc", cases.SOCS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_result(soc, dtype):
    inputs = testing_inputs.make_inputs(5, 3, 40, dtype)
    gradients = attnres.block_attention_residuals_backward(**inputs, soc=soc)
    assert isinstance(gradients, attnres.Gradients)
    for name, gradient in gradients._asdict().items():
        source = inputs[name.removeprefix("grad_")]
        assert (gradient.shape, gradient.dtype) == (source.shape, source.dtype)
        assert gradient.flags.c_contiguous and gradient.flags.owndata
    runs.assert_right(inputs, gradients._asdict())


def test_arguments_may_be_positional_and_valid_block_num_is_n():
    inputs = testing_inputs.make_inputs(2, 3, 8, BFLOAT16)
    positional = attnres.block_attention_residuals_backward(*inputs.values(), valid_block_num=3)
    assert_same_bits(positional._asdict(), backward(inputs))


# What a caller may do to an array without changing its values.
VIEWS = {
    "fortran": np.asfortranarray,
    "every_second": lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
    "reversed": lambda a: np.ascontiguousarray(a[..., ::-1])[..., ::-1],
    "reversed_rows": lambda a: np.ascontiguousarray(a[::-1])[::-1],
    "transposed": lambda a: np.ascontiguousarray(a.swapaxes(0, -1)).swapaxes(0, -1),
    "offset": lambda a: np.concatenate([a.reshape(-1)[:1], a.reshape(-1)])[1:].reshape(a.shape),
    "read_only": lambda a: _read_only(a.copy()),
    "odd_bytes": lambda a: _at_odd_address(a),
}


def _read_only(array):
    array.flags.writeable = False
    return array


def _at_odd_address(array):
    memory = np.empty(array.nbytes + 1, np.uint8)[1:]
    result = np.ndarray(array.shape, array.dtype, memory)
    result[...] = array
    return result


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_views_give_the_same_bits(view, dtype):
    inputs = testing_inputs.make_inputs(4, 3, 16, dtype)
    viewed = {name: VIEWS[view](array) for name, array in inputs.items()}
    assert all(bits.same_bits(viewed[name], inputs[name]) for name in inputs)
    assert_same_bits(backward(viewed), backward(inputs))


@pytest.mark.parametrize("name", _checks.INPUT_DIMENSIONS)
def test_zero_strides(name):
    """As the gradient of a sum has: one element that stands for all."""
    inputs = testing_inputs.make_inputs(5, 2, 24, BFLOAT16)
    one = np.full((1,) * inputs[name].ndim, 0.5, inputs[name].dtype)
    expanded = np.broadcast_to(one, inputs[name].shape)
    result = backward(inputs | {name: expanded})
    assert one.item() == 0.5
    assert_same_bits(result, backward(inputs | {name: expanded.copy()}))


def test_column_strided_and_transposed_sources():
    rng = np.random.default_rng(testing_inputs.SEED)
    inputs = testing_inputs.make_inputs(4, 3, 16, _dtypes.main_dtype("float16"))
    blocks = rng.standard_normal((4, 3, 32)).astype(np.float16)[..., ::2]
    swapped = rng.standard_normal((3, 4, 16)).astype(np.float16).transpose(1, 0, 2)
    partial = rng.standard_normal((16, 4)).astype(np.float16).T
    for change in ({"block_res": blocks}, {"block_res": swapped}, {"partial_block": partial}):
        contiguous = {name: np.ascontiguousarray(array) for name, array in change.items()}
        assert_same_bits(backward(inputs | change), backward(inputs | contiguous))


def test_arrays_that_an_acl_tensor_can_describe_are_not_copied():
    inputs = testing_inputs.make_inputs(4, 3, 16, BFLOAT16)
    for view in ("every_second", "transposed", "fortran", "offset", "read_only"):
        array = VIEWS[view](inputs["block_res"])
        assert _call.addressable(array) is array


@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("soc", cases.SOCS)
class TestEmpty:
    def test_no_tokens(self, dtype, soc):
        result = backward(testing_inputs.make_inputs(0, 2, 16, dtype), soc=soc)
        assert result["grad_partial_block"].shape == (0, 16)
        assert result["grad_block_res"].shape == (0, 2, 16)
        assert not result["grad_proj_weight"].any() and not result["grad_norm_weight"].any()

    def test_no_hidden(self, dtype, soc):
        result = backward(testing_inputs.make_inputs(3, 2, 0, dtype), soc=soc)
        shapes = [result[name].shape for name in _checks.OUTPUT_NAMES]
        assert shapes == [(3, 0), (3, 2, 0), (1, 0), (0,)]

    def test_no_tokens_and_no_hidden(self, dtype, soc):
        assert backward(testing_inputs.make_inputs(0, 0, 0, dtype), soc=soc)["grad_norm_weight"].size == 0

    def test_no_blocks(self, dtype, soc):
        inputs = testing_inputs.make_inputs(3, 0, 16, dtype)
        assert (inputs["probs"] == 1).all()  # a softmax over one value
        result = backward(inputs, soc=soc)
        assert result["grad_block_res"].shape == (3, 0, 16)
        assert bits.same_bits(result["grad_partial_block"], inputs["grad_hidden_states"])
        assert not result["grad_proj_weight"].any() and not result["grad_norm_weight"].any()


@pytest.mark.parametrize(
    "wrong, message",
    [
        ({"probs": None}, "probs is None; expected an array"),
        ({"probs": np.zeros((2, 4))}, "probs has dtype float64; expected float32"),
        ({"valid_block_num": 2}, "valid_block_num is 2; expected -1 or 3, the number of blocks"),
        ({"threads": 0}, "threads is 0; expected 1 to 1024, or None"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_refuses_what_the_checks_find(wrong, message):
    """All that checks_test.py has, by one example of each kind."""
    with pytest.raises(attnres.InvalidArgumentError) as caught:
        attnres.block_attention_residuals_backward(**(testing_inputs.make_inputs(2, 3, 8, BFLOAT16) | wrong))
    assert caught.value.message == message


@pytest.mark.parametrize("soc", ["ascend310p", "", None, "Ascend910B"])
def test_unknown_soc_lists_the_three(soc):
    with pytest.raises(attnres.InvalidArgumentError) as caught:
        backward(testing_inputs.make_inputs(1, 1, 8, BFLOAT16), soc=soc)
    assert caught.value.message == f"soc is {soc!r}; expected ascend910b, ascend910_93 or ascend950"


def test_statistics_tell_what_ran():
    inputs = testing_inputs.make_inputs(3, 2, 8192, _dtypes.main_dtype("float16"))
    _, statistics = _backward.run(inputs, soc="ascend910b")
    assert (statistics.path, statistics.kernel_launches, statistics.block_dim) == ("SPLIT_H", 1, 48)
    assert statistics.isa.startswith(("x86-64-v", "aarch64"))
    plan = attnres.tiling(3, 2, 8192, "float16", soc="ascend910b")
    assert statistics.workspace_bytes == plan.workspace_size
    _, statistics = _backward.run(testing_inputs.make_inputs(0, 2, 8, BFLOAT16), soc="ascend910b")
    assert (statistics.path, statistics.kernel_launches, statistics.gm_bytes_read) == (None, 0, 0)


def test_many_threads_call_at_once():
    problems = [testing_inputs.make_inputs(t, 2, 33, BFLOAT16) for t in (1, 5, 17, 60)]
    alone = [backward(inputs) for inputs in problems]

    def work(index):
        soc = cases.SOCS[index % len(cases.SOCS)]
        return index, backward(problems[index % 4], soc=soc, threads=1 + index % 3)

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for index, result in pool.map(work, range(64)):
            assert_same_bits(result, alone[index % 4])


def test_other_python_threads_run_meanwhile():
    """The GIL is released: a counter in another thread goes on while kernels run."""
    inputs = testing_inputs.make_inputs(200, 8, 2048, BFLOAT16)
    count, stop = [0], threading.Event()

    def tick():
        while not stop.wait(0.0005):
            count[0] += 1

    ticker = threading.Thread(target=tick)
    ticker.start()
    before, during = count[0], 0
    for _ in range(5):
        backward(inputs, threads=1)
    during = count[0] - before
    stop.set()
    ticker.join()
    assert during > 5


def test_memory_stays_flat_over_many_calls():
    inputs = testing_inputs.make_inputs(16, 3, 8192, BFLOAT16)
    for _ in range(20):
        backward(inputs)
    before = _resident_bytes()
    for _ in range(200):
        backward(inputs)
    # One leaked workspace or output per call would be 200 times 1.5 MiB.
    assert _resident_bytes() - before < 40 * 2**20


def _resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


def test_a_soc_without_kernels_is_named():
    _libraries.ensure_loaded("ascend910b")
    archs = _backward.available_archs()
    assert 2201 in archs
    missing = [soc for soc in attnres.socs() if soc.npu_arch not in archs]
    for soc in missing:
        with pytest.raises(attnres.AclnnError, match=soc.name) as caught:
            backward(testing_inputs.make_inputs(1, 1, 8, BFLOAT16), soc=soc.name)
        assert caught.value.code == 561003
    assert {k["dtype"] for k in _twin.kernels(_backward.OPERATOR_NAME)} == {0, 1, 27}


def test_bfloat16_bits_arrive_unchanged():
    """Every finite bfloat16 passes through: with one value row and probs 1 the gradient is the input."""
    patterns = np.arange(2**16, dtype=np.uint16)
    values = patterns.view(ml_dtypes.bfloat16)
    values = values[np.isfinite(values)].reshape(-1, 255)
    tokens, hidden = values.shape
    inputs = {
        "partial_block": np.zeros((tokens, hidden), values.dtype),
        "block_res": np.zeros((tokens, 0, hidden), values.dtype),
        "proj_weight": np.zeros((1, hidden), values.dtype),
        "norm_weight": np.zeros(hidden, values.dtype),
        "grad_hidden_states": values,
        "inv_norm": np.ones((tokens, 1), np.float32),
        "probs": np.ones((tokens, 1), np.float32),
    }
    result = backward(inputs)["grad_partial_block"]
    # -0 + 0 is 0: the sign of zero is lost in the sum, and only that.
    assert (result == values).all()


def test_a_forked_process_gets_an_error_and_no_hang():
    """A fork has none of the runtime's threads; what would wait for them for ever is refused."""
    inputs = testing_inputs.make_inputs(1, 1, 8, BFLOAT16)
    backward(inputs)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            backward(inputs)
            text = "no error"
        except attnres.AclnnError as error:
            text = f"{error.code} {error.message}"
        os.write(writer, text.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    assert text.startswith("361001 ") and "spawn" in text
    backward(inputs)
