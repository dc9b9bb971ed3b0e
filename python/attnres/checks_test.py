"""Every fault of a caller's arrays: the code, and a message with argument, expected and actual.

The order is the contract's: dimensions, dtypes, shapes, valid_block_num.
"""

import ml_dtypes
import numpy as np
import pytest

from attnres import _checks, _dtypes
from attnres._errors import InvalidArgumentError
from attnres.testing import inputs as testing_inputs

T, N, H = 3, 2, 8
GOOD = testing_inputs.make_inputs(T, N, H, _dtypes.main_dtype("bfloat16"))


def refusal(changes, valid_block_num=-1):
    """The exception for the changed inputs, checked as the public function does."""
    with pytest.raises(InvalidArgumentError) as caught:
        _checks.check(_checks.as_arrays(GOOD | changes), valid_block_num)
    return caught.value


@pytest.mark.parametrize("name", _checks.INPUT_DIMENSIONS)
def test_none_is_a_missing_argument(name):
    error = refusal({name: None})
    assert (error.code, error.message) == (161001, f"{name} is None; expected an array")


@pytest.mark.parametrize("name", _checks.INPUT_DIMENSIONS)
def test_wrong_number_of_dimensions(name):
    dimensions = _checks.INPUT_DIMENSIONS[name]
    error = refusal({name: GOOD[name][np.newaxis]})
    assert error.code == 161002
    assert error.message == (
        f"{name} has {len(dimensions) + 1} dimensions; expected {len(dimensions)}: [{', '.join(dimensions)}]"
    )


@pytest.mark.parametrize("dtype", ["float64", "uint16", "int32", "complex64", "bool", ">f4", "V2"])
def test_partial_block_of_no_main_dtype(dtype):
    error = refusal({"partial_block": np.zeros((T, H), dtype)})
    expected = np.dtype(dtype)
    assert error.message == f"partial_block has dtype {expected}; expected float16, bfloat16 or float32"


@pytest.mark.parametrize("name", ["block_res", "proj_weight", "norm_weight", "grad_hidden_states"])
@pytest.mark.parametrize("dtype", ["float64", "uint16", "float32", "float16", ">f4"])
def test_main_dtypes_must_agree(name, dtype):
    error = refusal({name: np.zeros(GOOD[name].shape, dtype)})
    expected = f"{name} has dtype {np.dtype(dtype)}; expected bfloat16, the dtype of partial_block"
    assert error.message == expected


@pytest.mark.parametrize("name", ["inv_norm", "probs"])
@pytest.mark.parametrize("dtype", ["float64", "float16", ml_dtypes.bfloat16, "uint32"], ids=str)
def test_saved_values_must_be_float32(name, dtype):
    error = refusal({name: np.zeros(GOOD[name].shape, dtype)})
    assert error.message == f"{name} has dtype {np.dtype(dtype)}; expected float32"


@pytest.mark.parametrize(
    "name, shape, message",
    [
        ("block_res", (T + 1, N, H), "block_res.shape[0] (4) does not match partial_block.shape[0] (3)"),
        ("block_res", (T, N, H - 1), "block_res.shape[2] (7) does not match partial_block.shape[1] (8)"),
        ("proj_weight", (2, H), "proj_weight.shape[0] is 2; expected 1"),
        ("proj_weight", (1, H + 1), "proj_weight.shape[1] (9) does not match partial_block.shape[1] (8)"),
        ("norm_weight", (H + 1,), "norm_weight.shape[0] (9) does not match partial_block.shape[1] (8)"),
        ("grad_hidden_states", (T - 1, H), "grad_hidden_states.shape[0] (2) does not match "
                                           "partial_block.shape[0] (3)"),
        ("grad_hidden_states", (T, 1), "grad_hidden_states.shape[1] (1) does not match "
                                       "partial_block.shape[1] (8)"),
        ("inv_norm", (T + 1, N + 1), "inv_norm.shape[0] (4) does not match partial_block.shape[0] (3)"),
        ("inv_norm", (T, N), "inv_norm.shape[1] (2) does not match block_res.shape[1] + 1 (3)"),
        ("probs", (0, N + 1), "probs.shape[0] (0) does not match partial_block.shape[0] (3)"),
        ("probs", (T, N + 2), "probs.shape[1] (4) does not match block_res.shape[1] + 1 (3)"),
    ],
    ids=lambda v: "x".join(map(str, v)) if isinstance(v, tuple) else (v if "." not in v else ""),
)  # fmt: skip
def test_wrong_shape(name, shape, message):
    error = refusal({name: np.zeros(shape, GOOD[name].dtype)})
    assert (error.code, error.message) == (161002, message)


def test_too_many_blocks():
    many = testing_inputs.make_inputs(1, 129, 2, _dtypes.main_dtype("float32"))
    error = refusal(many)
    assert error.message == "block_res.shape[1] (129) is out of range; expected 0 to 128"


@pytest.mark.parametrize("value", [0, 1, 3, -2, 2**40])
def test_valid_block_num_out_of_range(value):
    error = refusal({}, valid_block_num=value)
    assert error.message == f"valid_block_num is {value}; expected -1 or 2, the number of blocks"


@pytest.mark.parametrize("value", [1.0, "2", None])
def test_valid_block_num_of_another_type(value):
    error = refusal({}, valid_block_num=value)
    assert error.message == f"valid_block_num is a {type(value).__name__}; expected an integer"


@pytest.mark.parametrize("value", [-1, N, np.int64(N)], ids=str)
def test_valid_block_num_that_is_right(value):
    assert _checks.check(GOOD, value) == _checks.Problem(T, N, H, _dtypes.main_dtype("bfloat16"))


@pytest.mark.parametrize("threads", [0, -1, 1025, 1.5, "two"])
def test_wrong_threads(threads):
    with pytest.raises(InvalidArgumentError, match="^threads is "):
        _checks.check_threads(threads)


def test_order_of_checks():
    """A later fault is not reported while an earlier one is there."""
    shape = {"norm_weight": np.zeros(H + 1, ml_dtypes.bfloat16)}
    dtype = {"probs": np.zeros((T, N + 1), np.float64)}
    rank = {"inv_norm": np.zeros(T, np.float32)}
    assert "inv_norm has 1 dim" in refusal(shape | dtype | rank, valid_block_num=7).message
    assert "probs has dtype" in refusal(shape | dtype, valid_block_num=7).message
    assert "norm_weight.shape[0]" in refusal(shape, valid_block_num=7).message
    assert "valid_block_num" in refusal({}, valid_block_num=7).message


def test_no_array_at_all():
    assert refusal({"probs": "text"}).message == "probs has 0 dimensions; expected 2: [tokens, blocks + 1]"
    ragged = refusal({"probs": [[1.0], [1.0, 2.0]]})
    assert ragged.message == "probs is a list that is no array; expected an array"
    assert refusal({"partial_block": [[1.0] * H] * T}).message.startswith("partial_block has dtype float64")


def test_inputs_are_not_copied():
    arrays = _checks.as_arrays(GOOD)
    assert all(arrays[name] is GOOD[name] for name in GOOD)


@pytest.mark.parametrize(
    "shapes, message",
    [
        ([(8,), (2, 8)], None),
        ([(4, 5, 8), (4, 5, 2, 8)], None),
        ([(), (2, 8)], "partial_block has 0 dimensions; expected at least 1: [..., hidden]"),
        (
            [(3, 8), (4, 3, 2, 8)],
            "block_res has 4 dimensions; expected 3: [..., blocks, hidden], one more than partial_block",
        ),
        ([(4, 5, 8), (5, 4, 2, 8)], "block_res.shape[0] (5) does not match partial_block.shape[0] (4)"),
        ([(4, 5, 8), (4, 5, 2, 7)], "block_res.shape[3] (7) does not match partial_block.shape[2] (8)"),
        ([(4, 5, 8), (4, 5, 129, 8)], "block_res.shape[2] (129) is out of range; expected 0 to 128"),
    ],
)
def test_leading_axes(shapes, message):
    arrays = {name: np.zeros(shape, np.float32) for name, shape in zip(GOOD, [*shapes, (8,), (8,)])}
    if message is None:
        problem = _checks.check(arrays, -1, _checks.LEADING_FORWARD_INPUT_DIMENSIONS)
        assert (problem.tokens, problem.blocks, problem.hidden) == (int(np.prod(shapes[0][:-1])), 2, 8)
        return
    with pytest.raises(InvalidArgumentError) as caught:
        _checks.check(arrays, -1, _checks.LEADING_FORWARD_INPUT_DIMENSIONS)
    assert caught.value.message == message
