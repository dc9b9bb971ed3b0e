"""Faults that the C interface itself finds, called without Python's checks: code, text, outputs untouched."""

import attnres
import numpy as np
import pytest
from attnres import _backward, _checks, _dtypes, _libraries, _tiling, _twin
from attnres.testing import guarded, inputs, runs

T, N, H = 3, 2, 16
DTYPE = _dtypes.main_dtype("float32")
C_NAMES = {
    "partial_block": "partialBlock",
    "block_res": "blockRes",
    "proj_weight": "projWeight",
    "norm_weight": "normWeight",
    "grad_hidden_states": "gradHiddenStates",
    "inv_norm": "invNorm",
    "probs": "probs",
}
OUTPUT_C_NAMES = dict(
    zip(_checks.OUTPUT_NAMES, ("gradPartialBlock", "gradBlockRes", "gradProjWeight", "gradNormWeight"))
)


def outputs_for(given):
    return {
        f"grad_{name}": guarded.GuardedArray(given[name].shape, given[name].dtype).array
        for name in list(_checks.INPUT_DIMENSIONS)[:4]
    }


def call(given, outs, valid_block_num=-1, workspace=None):
    """The error of a call that must fail; asserts that no output was written."""
    _libraries.ensure_loaded("ascend910b")
    before = {name: None if out is None else out.tobytes() for name, out in outs.items()}
    arguments = [given[name] for name in _checks.INPUT_DIMENSIONS]
    code, message, _ = _twin.call(
        _backward.API_NAME, [*arguments, valid_block_num], list(outs.values()), "ascend910b", 0, workspace
    )
    assert code != 0
    for name, out in outs.items():
        assert out is None or out.tobytes() == before[name], f"{name} was written"
    return code, message


GOOD = inputs.make_inputs(T, N, H, DTYPE)


@pytest.mark.parametrize("name", _checks.INPUT_DIMENSIONS)
def test_null_input(name):
    code, message = call(GOOD | {name: None}, outputs_for(GOOD))
    assert code == 161001 and C_NAMES[name] in message


@pytest.mark.parametrize("name", _checks.OUTPUT_NAMES)
def test_null_output(name):
    code, message = call(GOOD, outputs_for(GOOD) | {name: None})
    assert code == 161001 and OUTPUT_C_NAMES[name] in message


@pytest.mark.parametrize("name", _checks.INPUT_DIMENSIONS)
def test_wrong_dtype_of_input(name):
    code, message = call(GOOD | {name: GOOD[name].astype(np.float64)}, outputs_for(GOOD))
    assert code == 161002 and C_NAMES[name] in message


@pytest.mark.parametrize("name", _checks.OUTPUT_NAMES)
def test_wrong_dtype_of_output(name):
    outs = outputs_for(GOOD)
    code, message = call(GOOD, outs | {name: outs[name].astype(np.float16)})
    assert code == 161002 and OUTPUT_C_NAMES[name] in message


@pytest.mark.parametrize("name", _checks.INPUT_DIMENSIONS)
def test_wrong_rank_of_input(name):
    code, message = call(GOOD | {name: GOOD[name][np.newaxis]}, outputs_for(GOOD))
    assert code == 161002 and C_NAMES[name] in message


@pytest.mark.parametrize("name", _checks.INPUT_DIMENSIONS)
def test_wrong_last_dimension_of_input(name):
    changed = np.zeros((*GOOD[name].shape[:-1], GOOD[name].shape[-1] + 1), GOOD[name].dtype)
    code, message = call(GOOD | {name: changed}, outputs_for(GOOD))
    assert code == 161002
    # partial_block gives H, so the first that disagrees with it is named.
    named = "block_res" if name == "partial_block" else name
    assert C_NAMES[named] in message and str(changed.shape[-1]) in message


@pytest.mark.parametrize("name", _checks.OUTPUT_NAMES)
def test_wrong_shape_of_output(name):
    outs = outputs_for(GOOD)
    shape = outs[name].shape
    code, message = call(GOOD, outs | {name: np.zeros((*shape[:-1], shape[-1] + 1), np.float32)})
    assert code == 161002 and OUTPUT_C_NAMES[name] in message


@pytest.mark.parametrize("value", [0, 1, 3, 2**40])
def test_valid_block_num(value):
    code, message = call(GOOD, outputs_for(GOOD), valid_block_num=value)
    assert code == 161002 and "validBlockNum" in message and str(value) in message


def test_too_many_blocks():
    many = inputs.make_inputs(1, 129, 2, DTYPE)
    code, message = call(many, outputs_for(many))
    assert code == 161002 and "129" in message and "128" in message


def test_output_on_top_of_an_input():
    given = {name: value.copy() for name, value in GOOD.items()}
    outs = outputs_for(given) | {"grad_partial_block": given["grad_hidden_states"]}
    code, message = call(given, outs)
    assert code == 161002 and "gradPartialBlock" in message and "gradHiddenStates" in message


def test_output_on_top_of_an_output():
    outs = outputs_for(GOOD)
    outs["grad_norm_weight"] = outs["grad_proj_weight"][0]
    code, message = call(GOOD, outs)
    assert code == 161002 and "gradNormWeight" in message and "gradProjWeight" in message


def test_outputs_that_overlap_in_part():
    memory = np.zeros(T * H + H, np.float32)
    outs = outputs_for(GOOD)
    outs["grad_partial_block"] = memory[: T * H].reshape(T, H)
    outs["grad_norm_weight"] = memory[T * H - 1 : T * H - 1 + H]
    code, _ = call(GOOD, outs)
    assert code == 161002


@pytest.mark.parametrize("size", [0, 1, -1], ids=["null", "one_byte", "one_byte_short"])
def test_workspace_too_small(size):
    needed = _tiling.tiling(T, N, H, DTYPE, soc="ascend910b").workspace_size
    workspace = np.zeros(size if size >= 0 else needed - 1, np.uint8)
    code, message = call(GOOD, outputs_for(GOOD), workspace=workspace)
    assert code == 361001 and "workspace" in message


def test_a_failure_leaves_the_stream_usable():
    call(GOOD, outputs_for(GOOD), valid_block_num=7)
    call(GOOD, outputs_for(GOOD), workspace=np.zeros(1, np.uint8))
    result = attnres.block_attention_residuals_backward(**GOOD)
    runs.assert_right(GOOD, result._asdict())


def test_zero_sized_axes_never_fail_inside():
    """H = 0 and T = 0 are settled before any kernel: success, not an internal code."""
    for tokens, blocks, hidden in ((0, 2, 8), (3, 2, 0), (0, 0, 0), (3, 0, 0)):
        attnres.block_attention_residuals_backward(**inputs.make_inputs(tokens, blocks, hidden, DTYPE))


def test_unknown_interface():
    _libraries.ensure_loaded("ascend910b")
    code, message, statistics = _twin.call("aclnnNothing", [], [], "ascend910b")
    assert (code, statistics) == (561003, None) and "aclnnNothing" in message


def test_wrong_number_of_arguments():
    _libraries.ensure_loaded("ascend910b")
    code, message, _ = _twin.call(_backward.API_NAME, [None], [], "ascend910b")
    assert code == 161002 and "got 1 arguments; expected 12" in message


def test_read_only_output():
    outs = outputs_for(GOOD)
    outs["grad_block_res"].flags.writeable = False
    code, message = call(GOOD, outs)
    assert code == 161002 and "read-only" in message
