"""Trains two modules for capture_test: in each step two backward calls, of 0 blocks and of 2."""

import sys

import torch

import attnres.torch


def train(steps: int, dtype: torch.dtype):
    """Returns the modules and the rows of each step."""
    torch.manual_seed(0)
    mixes = torch.nn.ModuleList(attnres.torch.BlockAttentionResiduals(24, dtype=dtype) for _ in range(2))
    optimizer = torch.optim.SGD(mixes.parameters(), lr=0.5)
    without_calls = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.5)
    given = []
    for _ in range(steps):
        given.append(torch.randn(2, 3, 24, dtype=dtype))
        first = mixes[0](given[-1], [given[-1] * 2, given[-1] + 1])
        mixes[1](first, first.new_zeros(2, 3, 0, 24)).square().sum().backward()
        optimizer.step()
        without_calls.step()
    return mixes, given


if __name__ == "__main__":
    train(int(sys.argv[1]), torch.float32)
