"""For gradients_test: one of several processes leaves the gradients of the first step in a file."""

import dataclasses
import datetime
import warnings

import torch
from torch import distributed

from examples.train_lm.text import Text
from examples.train_lm.training import Recipe, Training


def work(rank: int, recipe: Recipe, content: str, processes: int, folder: str) -> None:
    """Writes folder/gradients_<rank>.pt: gradients by name, recomputed ones, strides, and every warning."""
    torch.set_num_threads(1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        distributed.init_process_group(
            "gloo",
            init_method=f"file://{folder}/meeting",
            rank=rank,
            world_size=processes,
            timeout=datetime.timedelta(seconds=60),
        )
        text = Text("given", content)
        training = Training(recipe, text, rank, processes)
        training.backward()
        recomputing = Training(dataclasses.replace(recipe, recompute=True), text, rank, processes)
        recomputing.backward()
    named = dict(training.model.named_parameters())
    torch.save(
        {
            "gradients": {name: value.grad.clone() for name, value in named.items()},
            "recomputed": {name: value.grad for name, value in recomputing.model.named_parameters()},
            "strides": {name: (value.stride(), value.grad.stride()) for name, value in named.items()},
            "warnings": [str(warning.message) for warning in caught],
        },
        f"{folder}/gradients_{rank}.pt",
    )
    distributed.barrier()
    distributed.destroy_process_group()
