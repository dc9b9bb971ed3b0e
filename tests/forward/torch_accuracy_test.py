"""No worse than PyTorch: MARE, MERE and RMSE of each output against float64, like the backward's test of that name."""

import numpy as np
import pytest
import torch
from attnres import _compare, _dtypes, _forward
from attnres.testing import cases, forward, inputs

# FULL_H with two sets of rows and with one, odd sizes, many tokens in batches, SPLIT_H.
SHAPES = ((64, 4, 256), (49, 3, 1000), (2048, 2, 65), (16, 8, 8192), (4, 8, 20000))
SEEDS = (1, 2, 3)
MEASURES = ("MARE", "MERE", "RMSE")
# Two measures that are equal may differ by the rounding of their own computation.
SLACK = 1 + 1e-6


@pytest.fixture(autouse=True)
def _few_threads():
    torch.set_num_threads(2)


def tensor(array):
    """A tensor of the array's values and dtype."""
    if array.dtype.name == "bfloat16":
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def in_torch(given):
    """hidden_states of eager operations in the dtype itself; inv_norm and probs of those with float32 inside."""
    partial, blocks, proj, norm = (tensor(given[name]) for name in forward.INPUTS)
    values = torch.cat([blocks, partial[:, None]], 1)
    _, _, hidden = attend(values, norm, proj[0])
    inv_norm, probs, _ = attend(values.float(), norm.float(), proj[0].float())
    return {"hidden_states": hidden.float().numpy(), "inv_norm": inv_norm.numpy(), "probs": probs.numpy()}


def attend(values, norm, proj):
    inv_norm = torch.rsqrt(values.pow(2).mean(-1) + forward.NORM_EPS)
    probs = torch.softmax((values * inv_norm[..., None] * norm) @ proj, -1)
    return inv_norm, probs, (probs[..., None] * values).sum(1)


@pytest.mark.parametrize("soc", forward.SOCS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("seed", SEEDS, ids="seed{}".format)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "T%d-N%d-H%d" % shape)
def test_random_inputs(shape, seed, dtype, soc):
    given = inputs.make_inputs(*shape, dtype, seed)
    ours = _forward.run(forward.pick(given), soc=soc)[0]._asdict()
    theirs = in_torch(given)
    golden = forward.evaluate(given)
    worse = []
    for name, exact in golden.items():
        measured = [_compare.error_measures(side[name].astype(np.float64), exact) for side in (ours, theirs)]
        for measure, our, their in zip(MEASURES, *measured):
            if our > their * SLACK:
                worse.append(f"{name} {measure} {our:.4g}, PyTorch {their:.4g}")
    assert not worse, "; ".join(worse)
