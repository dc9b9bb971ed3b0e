"""block_attention_residuals as a caller sees it: results, refusals by their sentence, empty arrays, repeated calls."""

import ml_dtypes
import numpy as np
import pytest

import attnres
from attnres import _checks, _dtypes, _forward
from attnres.testing import bits, forward
from attnres.testing import inputs as testing_inputs

BFLOAT16 = _dtypes.main_dtype("bfloat16")


def make_inputs(tokens=3, blocks=2, hidden=8, dtype=BFLOAT16):
    return forward.pick(testing_inputs.make_inputs(tokens, blocks, hidden, dtype))


def refusal(given, **options):
    with pytest.raises(attnres.InvalidArgumentError) as caught:
        attnres.block_attention_residuals(**given, **options)
    return caught.value.code, caught.value.message


@pytest.mark.parametrize("soc", forward.SOCS)
def test_two_values_by_hand(soc):
    """H = 1: both rows have the norm 1, scores are the signs of V times the weight, softmax of +1 and -1."""
    one = np.ones((1, 1), np.float32)
    mixture = attnres.block_attention_residuals(2 * one, -4 * one[np.newaxis], one, one[0], norm_eps=1e-12, soc=soc)
    share = 1 / (1 + np.exp(-2.0))
    np.testing.assert_allclose(mixture.probs, [[1 - share, share]], rtol=3e-7)
    np.testing.assert_allclose(mixture.inv_norm, [[0.25, 0.5]], rtol=1e-7)
    np.testing.assert_allclose(mixture.hidden_states, [[2 * share - 4 * (1 - share)]], rtol=1e-6)


def test_results_are_new_arrays_of_the_documented_kind():
    mixture = attnres.block_attention_residuals(*make_inputs().values())
    assert mixture._fields == _checks.FORWARD_OUTPUT_NAMES
    assert [value.shape for value in mixture] == [(3, 8), (3, 3), (3, 3)]
    assert [value.dtype for value in mixture] == [ml_dtypes.bfloat16, np.float32, np.float32]


def test_proj_weight_has_one_or_two_dimensions():
    given = make_inputs()
    wanted = attnres.block_attention_residuals(**given)
    flat = attnres.block_attention_residuals(**(given | {"proj_weight": given["proj_weight"][0]}))
    assert all(bits.same_bits(*pair) for pair in zip(flat, wanted))


@pytest.mark.parametrize("soc", forward.ARCH_SOCS)
def test_norm_eps_counts(soc):
    given = make_inputs(dtype=_dtypes.main_dtype("float32"))
    for eps in (1e-6, 0.5, 1):
        mixture = attnres.block_attention_residuals(**given, norm_eps=eps, soc=soc)
        forward.assert_right(given, mixture._asdict(), soc, eps)


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"block_res": None}, "block_res is None; expected an array"),
        ({"proj_weight": np.ones(())}, "proj_weight has 0 dimensions; expected 1: [hidden] or 2: [1, hidden]"),
        ({"norm_weight": np.ones((1, 8))}, "norm_weight has 2 dimensions; expected 1: [hidden]"),
        ({"norm_weight": np.ones(8)}, "norm_weight has dtype float64; expected bfloat16, the dtype of partial_block"),
        (
            {"proj_weight": np.ones(7, ml_dtypes.bfloat16)},
            "proj_weight.shape[0] (7) does not match partial_block.shape[1] (8)",
        ),
        ({"proj_weight": np.ones((2, 8), ml_dtypes.bfloat16)}, "proj_weight.shape[0] is 2; expected 1"),
        (
            {"block_res": np.ones((3, 129, 8), ml_dtypes.bfloat16)},
            "block_res.shape[1] (129) is out of range; expected 0 to 128",
        ),
    ],
)
def test_wrong_arrays_are_refused(changes, message):
    code, said = refusal(make_inputs() | changes)
    assert said == message
    assert code == (161001 if "None" in message else 161002)


def test_wrong_attributes_are_refused():
    given = make_inputs()
    assert refusal(given, valid_block_num=3) == (
        161002,
        "valid_block_num is 3; expected -1 or 2, the number of blocks",
    )
    for eps in (0, -1e-6, float("nan"), float("inf"), 1e-60, 1e60):
        assert refusal(given, norm_eps=eps) == (
            161002,
            f"norm_eps is {float(eps)}; expected a finite float32 above 0",
        )
    assert refusal(given, norm_eps="small") == (161002, "norm_eps is a str; expected a number")
    assert refusal(given, threads=0)[1] == "threads is 0; expected 1 to 1024, or None"


@pytest.mark.parametrize("tokens, hidden", [(0, 8), (0, 0), (3, 0)])
def test_empty_arrays(tokens, hidden):
    """Without a hidden element a row has no norm and no score: both are zero."""
    mixture, statistics = _forward.run(make_inputs(tokens, 2, hidden))
    assert statistics.kernel_launches == 0
    assert mixture.hidden_states.shape == (tokens, hidden)
    assert mixture.inv_norm.shape == mixture.probs.shape == (tokens, 3)
    assert not mixture.inv_norm.any() and not mixture.probs.any()


def test_without_blocks_the_partial_block_is_the_result():
    given = make_inputs(70, 0, 33)
    mixture = attnres.block_attention_residuals(**given)
    np.testing.assert_array_equal(mixture.hidden_states, given["partial_block"])
    assert (mixture.probs == 1).all()


def test_repeated_calls_have_the_bits_of_whole_ones():
    for eps in (1e-6, 1e-3):
        for seed in (1, 2, 3):
            given = forward.pick(testing_inputs.make_inputs(40, 3, 65, BFLOAT16, seed))
            wanted, _ = _forward.run(given, norm_eps=eps)
            got = attnres.block_attention_residuals(**given, norm_eps=eps)
            assert all(bits.same_bits(*pair) for pair in zip(got, wanted)), (eps, seed)


def test_repeated_calls_reuse_the_executor():
    given = make_inputs(5, 1, 16)
    arguments = (*given.values(), -1, 1e-6, 1)
    attnres.block_attention_residuals(**given)
    assert attnres._forward._twin.repeat(_forward.API_NAME, arguments, "ascend950", None) is not None
    other = (*given.values(), -1, 2e-6, 1)
    assert attnres._forward._twin.repeat(_forward.API_NAME, other, "ascend950", None) is None
