"""Every choice of wanted gradients, on both paths: right by float64, and the same bits whatever else is wanted.

The forward's three results are right by float64, within tolerances that attnres.testing.forward derives; the gradients
are right by float64 from what the forward saved, within those of attnres._reference.
"""

import itertools

import attnres.torch
import pytest
import torch
from attnres import _dtypes
from attnres.testing import cases, forward, runs

from tests.torch import problems

SHAPES = ((6, 3, 33), (3, 8, 300), (2, 2, 7264), (70, 0, 16), (1, 20, 8192))
WANTED = [w for size in range(1, 5) for w in itertools.combinations(problems.FORWARD_NAMES, size)]


@pytest.fixture(autouse=True, params=forward.SOCS)
def soc(request):
    before = attnres.torch.get_soc()
    attnres.torch.set_soc(request.param)
    yield request.param
    attnres.torch.set_soc(before)


@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "T%d-N%d-H%d" % shape)
def test_every_choice_of_gradients(shape, dtype):
    given = problems.saved_by_forward(problems.make(*shape, dtype.name))
    expected = problems.backward(given)
    runs.assert_right(problems.arrays(given), problems.arrays(expected))
    upstream = given["grad_hidden_states"]
    for wanted in WANTED:
        tensors = problems.leaves(given, wanted)
        torch.ops.attnres.block_attention_residuals(**tensors).backward(upstream)
        found = problems.gradients_of(tensors)
        assert set(found) == {problems.GRADIENT_OF[name] for name in wanted}
        for name, gradient in found.items():
            assert problems.same_bits(gradient, expected[name]), f"{name} where {wanted} are wanted"


@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "T%d-N%d-H%d" % shape)
def test_the_forward(shape, dtype, soc):
    tensors = problems.leaves(problems.make(*shape, dtype.name), ())
    results = torch.ops.attnres.block_attention_residuals_forward(**tensors)
    named = dict(zip(("hidden_states", "inv_norm", "probs"), results))
    forward.assert_right(problems.arrays(tensors), problems.arrays(named), soc)
