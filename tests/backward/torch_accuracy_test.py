"""No worse than PyTorch: MARE, MERE and RMSE of each output against float64 (SPEC section 7).

The reference is eager autograd of the forward in PyTorch operations, in the same dtype: what a user would have without
this operator. Both sides are compared with the float64 gradients from the stored inputs, inv_norm and probs.
"""

import pytest
import torch
from attnres import _backward, _checks, _compare, _dtypes, _reference, _tensor_files
from attnres._bench import torch_peer
from attnres.testing import cases, inputs

from tests.backward import capture_files

CAPTURES = ("T128_N4_H192", "T48_N6_H1168")
# FULL_H with resident rows, FULL_H at odd sizes, many tokens, SPLIT_H; rows cut into segments, of FULL_H and SPLIT_H.
SHAPES = ((64, 4, 256), (49, 3, 1000), (2048, 2, 65), (33, 8, 8192), (4, 8, 2000), (4, 8, 8192))
SEEDS = (1, 2, 3)
MEASURES = ("MARE", "MERE", "RMSE")
# Two measures that are equal may differ by the rounding of their own computation.
SLACK = 1 + 1e-6


@pytest.fixture(autouse=True)
def _few_threads():
    torch.set_num_threads(2)


def assert_no_worse(given, golden, soc):
    ours = _backward.run(given, soc=soc)[0]._asdict()
    theirs = torch_peer.as_outputs(torch_peer.autograd(given)())
    worse = []
    for name in _checks.OUTPUT_NAMES:
        measured = [_compare.error_measures(side[name].astype("float64"), golden[name]) for side in (ours, theirs)]
        for measure, our, their in zip(MEASURES, *measured):
            if our > their * SLACK:
                worse.append(f"{name} {measure} {our:.4g}, PyTorch {their:.4g} ({our / their if their else 0:.3f}x)")
    assert not worse, "; ".join(worse)


@pytest.mark.parametrize("soc", cases.SOCS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("shape", CAPTURES)
def test_captures(shape, dtype, soc):
    files = capture_files.find(shape, dtype.name)
    given = _tensor_files.pick(files.inputs, _tensor_files.read(files.inputs), _checks.INPUT_DIMENSIONS)
    expected = _tensor_files.read(files.expected)
    assert_no_worse(given, {name: expected[f"expected.{name}"] for name in _checks.OUTPUT_NAMES}, soc)


@pytest.mark.parametrize("soc", cases.SOCS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("seed", SEEDS, ids="seed{}".format)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "T%d-N%d-H%d" % shape)
def test_random_inputs(shape, seed, dtype, soc):
    given = inputs.make_inputs(*shape, dtype, seed)
    assert_no_worse(given, _reference.evaluate(given), soc)
