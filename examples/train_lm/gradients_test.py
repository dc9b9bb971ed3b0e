"""Several processes get the gradients that one gets of the whole batch, exactly but for the rounding of float32.

Let g be the gradient of the whole batch in exact arithmetic, g_r that of rank r's rows, and a hat what float32 gives.
As the rows are shared out evenly, g is the mean of the g_r, and so

    |hat g - mean hat g_r|  <=  |hat g - g| + mean |hat g_r - g_r|          (triangle inequality)

whose right side is measured against float64. What the processes return is mean hat g_r after `processes` roundings:
a division of each and the sum.
"""

import dataclasses

import attnres.torch
import pytest
import torch
import torch.multiprocessing
from torch.nn import functional

from examples.train_lm import gradient_worker
from examples.train_lm.text import Text
from examples.train_lm.training import Recipe, Training, make_model

CONTENT = "A row of few tokens is cut into segments, a core each; every core sums its own. " * 8
RECIPE = Recipe(batch=6, context=12, layers=2, hidden=32, learning_rate=1e-2)
UNIT_ROUNDOFF = 2.0**-24


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module", params=[2, 3], ids="{}_processes".format)
def found(request, tmp_path_factory):
    """Number of processes, and what each of them wrote."""
    folder = str(tmp_path_factory.mktemp("gradients"))
    arguments = (RECIPE, CONTENT, request.param, folder)
    torch.multiprocessing.start_processes(gradient_worker.work, arguments, request.param, start_method="spawn")
    return request.param, [torch.load(f"{folder}/gradients_{rank}.pt") for rank in range(request.param)]


def gradients_of(rows, dtype):
    """Gradients by name of one process with these rows of the first batch; float64 by PyTorch's operations."""
    text = Text("given", CONTENT)
    recipe = dataclasses.replace(RECIPE, baseline=dtype is torch.float64)
    model = make_model(recipe, len(text.vocabulary)).to(dtype)
    tokens, following = text.batch(recipe.seed, 0, recipe.batch, recipe.context)
    functional.cross_entropy(model(tokens[rows]).flatten(0, 1), following[rows].flatten()).backward()
    return {name: value.grad.double() for name, value in model.named_parameters()}


def test_every_process_has_the_gradients_of_the_whole_batch(found):
    processes, results = found
    training = Training(RECIPE, Text("given", CONTENT))
    training.backward()
    whole = {name: value.grad.double() for name, value in training.model.named_parameters()}
    exact = gradients_of(slice(None), torch.float64)
    share = RECIPE.batch // processes
    parts = [slice(rank * share, (rank + 1) * share) for rank in range(processes)]
    own = [gradients_of(rows, torch.float32) for rows in parts]
    own_exact = [gradients_of(rows, torch.float64) for rows in parts]
    for name, gradient in whole.items():
        roundings = processes * UNIT_ROUNDOFF * sum(part[name].abs() for part in own) / processes
        mean = sum(part[name] for part in own) / processes
        errors = [(part[name] - right[name]).norm() for part, right in zip(own, own_exact)]
        tolerance = (gradient - exact[name]).norm() + sum(errors) / processes + roundings.norm()
        assert tolerance <= 2e-5 * exact[name].norm(), name  # a tolerance that is worth something
        for result in results:
            returned = result["gradients"][name].double()
            assert ((returned - mean).abs() <= roundings).all(), name
            assert (returned - gradient).norm() <= tolerance, name


def test_all_processes_have_the_same_bits(found):
    _, (first, *others) = found
    for other in others:
        assert all(torch.equal(first["gradients"][name], other["gradients"][name]) for name in first["gradients"])


def test_recomputing_changes_no_bit(found):
    for result in found[1]:
        assert all(torch.equal(result["recomputed"][name], value) for name, value in result["gradients"].items())


def test_strides_are_those_of_the_parameters(found):
    for result in found[1]:
        assert all(of_value == of_gradient for of_value, of_gradient in result["strides"].values())


def test_nothing_is_warned_of(found):
    assert [result["warnings"] for result in found[1]] == [[]] * found[0]


def test_the_weights_of_the_operator_are_among_them():
    model = make_model(RECIPE, 5)
    assert all(isinstance(mix, attnres.torch.BlockAttentionResiduals) for mix in model.mixes())
    names = [name for name, _ in model.named_parameters() if "mix" in name]
    assert len(names) == 2 * (2 * RECIPE.layers + 1)
