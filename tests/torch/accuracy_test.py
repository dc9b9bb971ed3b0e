"""Forward and backward in cascade, no worse than PyTorch: MARE, MERE and RMSE of result and gradients against float64.

Both sides are compared with the formulas in float64, from the stored inputs through the forward to the gradients; the
other side is eager autograd of the forward in PyTorch operations, in the same dtype.
"""

import attnres.torch
import pytest
import torch
from attnres import _compare, _dtypes
from attnres._bench import torch_peer
from attnres.testing import cases, forward, spec_tiling

from tests.torch import problems

SHAPES = ((64, 4, 256), (49, 3, 1000), (512, 2, 65), (4, 8, 8192))
SEEDS = (1, 2)
MEASURES = ("MARE", "MERE", "RMSE")
# Two measures that are equal may differ by the rounding of their own computation.
SLACK = 1 + 1e-6
# The result in 16 bits is a sum in float32 on both sides, rounded once, and arch22's scores are sums of products in
# float32, like PyTorch's. Which side comes closer where rows cancel is luck: of one element in ten thousand, which is
# what MARE and, by parts of it, MERE see.
RESULT_SLACK = {"MARE": 2.0, "MERE": 1.001, "RMSE": 1.001}


def in_float64(partial_block, block_res, proj_weight, norm_weight):
    """The forward's formulas, in the dtype of their inputs."""
    values = torch.cat((block_res, partial_block.unsqueeze(-2)), -2)
    inv_norm = (values.square().mean(-1) + torch_peer.NORM_EPS).rsqrt()
    probs = torch.softmax(inv_norm * (values @ (norm_weight * proj_weight.flatten())), -1)
    return (probs.unsqueeze(-1) * values).sum(-2)


def cascade(function, given, dtype=None):
    """Result and gradients by name, in float64."""
    tensors = {name: given[name].to(dtype).requires_grad_() for name in problems.FORWARD_NAMES}
    hidden = function(**tensors)
    hidden.backward(given["grad_hidden_states"].to(dtype))
    return {"hidden_states": hidden.detach().double()} | {
        name: value.double() for name, value in problems.gradients_of(tensors).items()
    }


@pytest.mark.parametrize("soc", forward.ARCH_SOCS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("seed", SEEDS, ids="seed{}".format)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "T%d-N%d-H%d" % shape)
def test_no_worse_than_pytorch(shape, seed, dtype, soc):
    given = problems.make(*shape, dtype.name, seed)
    golden = cascade(in_float64, given, torch.float64)
    attnres.torch.set_soc(soc)
    ours = cascade(torch.ops.attnres.block_attention_residuals, given)
    theirs = cascade(torch_peer.forward, given)
    worse = []
    for name, expected in golden.items():
        measured = [_compare.error_measures(side[name].numpy(), expected.numpy()) for side in (ours, theirs)]
        for measure, our, their in zip(MEASURES, *measured):
            is_luck = name == "hidden_states" and (dtype.itemsize == 2 or spec_tiling.SOC_ARCHS[soc] == "arch22")
            if our > their * (RESULT_SLACK[measure] if is_luck else SLACK):
                worse.append(f"{name} {measure} {our:.4g}, PyTorch {their:.4g}")
    assert not worse, "; ".join(worse)
