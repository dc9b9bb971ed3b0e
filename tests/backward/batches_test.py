"""FULL_H with several tokens at a time: short rows, many tokens. The id of a case names path, architecture and SoC.

Stated here and tested: a batch gives the bits that its tokens give one by one, wherever it begins and ends, and what is
not finite in one of its tokens stays there. That the kernel on batches ran is seen by the bytes of UB that it took,
which are those of a plan with room for a batch.
"""

import attnres
import numpy as np
import pytest
from attnres import _dtypes, _reference
from attnres.testing import bits, cases, inputs, runs, spec_tiling

# Rows of one to four repeats of 64 float32, whole and not; no stored block, one, and as many as batches are made for.
SHAPES = [(4, 64), (0, 31), (1, 7), (3, 65), (7, 130), (2, 192), (8, 256), (31, 48), (63, 9)]
PER_TOKEN = ("partial_block", "block_res", "grad_hidden_states", "inv_norm", "probs")
ROW_OUTPUTS = ("grad_partial_block", "grad_block_res")
TARGETS = [pytest.param(soc, id=f"FULL_H-batches-{spec_tiling.SOC_ARCHS[soc]}-{soc}") for soc in cases.SOCS]


def cores_of(soc):
    return spec_tiling.CORES[spec_tiling.SOC_ARCHS[soc]]


def batch_tokens(tokens, blocks, hidden, dtype, soc):
    """Tokens that the kernel has in UB at once."""
    plan = attnres.tiling(tokens, blocks, hidden, dtype, soc=soc)
    return sum(buffer.count for buffer in plan.buffers if buffer.name == "batchGradHiddenCopy") or 1


def run_in_batches(given, soc):
    """Runs in guarded memory and asserts that the kernel on batches did it."""
    tokens, blocks, hidden = given["block_res"].shape
    dtype = _dtypes.MAIN_DTYPES[[d.numpy for d in _dtypes.MAIN_DTYPES].index(given["block_res"].dtype)]
    assert batch_tokens(tokens, blocks, hidden, dtype, soc) > 1
    run = runs.run_guarded(given, soc)
    assert run.statistics.path == "FULL_H"
    assert run.statistics.ub_bytes_taken == attnres.tiling(tokens, blocks, hidden, dtype, soc=soc).ub_bytes_used
    return run.outputs


def some_tokens(given, begin, end):
    return {name: value[begin:end] if name in PER_TOKEN else value for name, value in given.items()}


@pytest.mark.parametrize("soc", TARGETS)
@pytest.mark.parametrize("blocks, hidden", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_same_bits_as_token_by_token(dtype, blocks, hidden, soc):
    """Cores get a batch and a part of one, of two sizes: chunks of every length."""
    cores = cores_of(soc)
    tokens = cores * 6 + 5
    given = inputs.make_inputs(tokens, blocks, hidden, dtype)
    outputs = run_in_batches(given, soc)
    runs.assert_right(given, outputs)
    step = 3 if spec_tiling.SOC_ARCHS[soc] == "arch35" else cores  # too few for batches
    assert batch_tokens(step, blocks, hidden, dtype, soc) == 1
    for begin in range(0, tokens, step):
        single = attnres.block_attention_residuals_backward(**some_tokens(given, begin, begin + step), soc=soc)
        for name in ROW_OUTPUTS:
            assert bits.same_bits(np.ascontiguousarray(outputs[name][begin : begin + step]), getattr(single, name))


@pytest.mark.parametrize("soc", TARGETS)
@pytest.mark.parametrize("more", [-1, 0, 1])
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_full_batches_and_one_token_more_or_less(dtype, more, soc):
    blocks, hidden = 1, 12
    cores = cores_of(soc)
    longest = batch_tokens(100 * cores, blocks, hidden, dtype, soc)
    given = inputs.make_inputs(cores * 2 * longest + more, blocks, hidden, dtype)
    runs.assert_right(given, run_in_batches(given, soc))


# Name -> (input, index after the token, value): what is put into one token of a batch.
POISONS = {
    "nan-in-grad_hidden_states": ("grad_hidden_states", (0,), np.nan),
    "inf-in-block_res": ("block_res", (1, 5), np.inf),
    "minus_inf-in-partial_block": ("partial_block", (3,), -np.inf),
    "nan-in-probs": ("probs", (0,), np.nan),
    "inf-in-inv_norm": ("inv_norm", (2,), np.inf),
}


@pytest.mark.parametrize("soc", TARGETS)
@pytest.mark.parametrize("poison", POISONS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_poisoned_token_of_a_batch(dtype, poison, soc):
    cores = cores_of(soc)
    clean = inputs.make_inputs(cores * 6, 2, 20, dtype)
    name, index, value = POISONS[poison]
    poisoned = {key: array.copy() for key, array in clean.items()}
    poisoned[name][(16, *index)] = value  # the fifth of a core's six
    wanted = run_in_batches(clean, soc)
    outputs = run_in_batches(poisoned, soc)
    golden = _reference.evaluate(poisoned)
    others = np.arange(cores * 6) != 16
    for output, actual in outputs.items():
        finite = np.isfinite(actual.astype(np.float64))
        np.testing.assert_array_equal(finite, np.isfinite(golden[output]), err_msg=output)
        if output in ROW_OUTPUTS:
            assert bits.same_bits(actual[others], wanted[output][others])


@pytest.mark.parametrize("soc", TARGETS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("what", ["proj_weight", "block_res"])
def test_zeros(what, dtype, soc):
    """proj_weight 0: rows are probs times grad_hidden, rounded once. V and inv_norm 0: as the formulas."""
    given = inputs.make_inputs(cores_of(soc) * 5, 3, 33, dtype)
    given[what][...] = 0
    if what == "block_res":
        given["inv_norm"][:, :3] = 0
    outputs = run_in_batches(given, soc)
    runs.assert_right(given, outputs)
    if what == "proj_weight":
        rows = (given["probs"][..., np.newaxis] * given["grad_hidden_states"].astype(np.float32)[:, np.newaxis]).astype(
            dtype.numpy
        )
        assert (outputs["grad_block_res"] == rows[:, :-1]).all()
        assert (outputs["grad_partial_block"] == rows[:, -1]).all()
        assert (outputs["grad_norm_weight"] == 0).all()
