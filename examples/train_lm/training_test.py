"""A run: the operator's losses are those of PyTorch's operations, and resuming and recomputing change no bit.

How near two curves must be. Both runs round every operation of float32, differently where blocks are mixed, and each
step builds on the one before, so that differences grow, and no constant fits all steps. What rounding alone does is
measured: the weights of the plain run are moved by one unit in the last place, each up or down, and the run is
repeated. The operator's curve must be as near to the plain one as those are, times 4 since they are but a few draws,
plus two units in the last place of a loss, for the steps in which no draw has moved it.
"""

import dataclasses
import math
import time

import numpy as np
import pytest
import torch

from examples.train_lm import checkpoint
from examples.train_lm.errors import InputError
from examples.train_lm.operator_clock import OperatorClock
from examples.train_lm.text import Text
from examples.train_lm.training import Recipe, Training, make_model

TEXT = Text(
    "given", "Every virtual core has a Unified Buffer of its SoC's size; what overflows a device fails here.\n" * 9
)
RECIPE = Recipe(batch=4, context=16, layers=2, hidden=32, learning_rate=1e-2)
STEPS = 12
DRAWS = 4


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def train(steps, change=None, **altered):
    training = Training(dataclasses.replace(RECIPE, **altered), TEXT)
    if change:
        change(training.model)
    for _ in range(steps):
        training.step()
    return training


def moved_by_one_unit(seed):
    """Moves each weight to a neighbouring float32."""

    def change(model):
        generator = torch.Generator().manual_seed(seed)
        with torch.no_grad():
            for value in model.parameters():
                towards = (torch.rand(value.shape, generator=generator) - 0.5) * math.inf
                value.copy_(torch.where(value == 0, value, torch.nextafter(value, towards)))

    return change


def assert_near(losses, plain, moved):
    """The rule above."""
    for step, (loss, right) in enumerate(zip(losses, plain, strict=True)):
        spread = max(abs(draw[at] - plain[at]) for draw in moved for at in range(step + 1))
        tolerance = 4 * spread + 2 * float(np.spacing(np.float32(right)))
        assert abs(loss - right) <= tolerance, f"step {step}: {loss} and {right} differ by more than {tolerance:.1e}"


@pytest.fixture(scope="module")
def plain():
    """Losses of the plain run, and of those from moved weights."""
    torch.set_num_threads(1)
    moved = [train(STEPS, moved_by_one_unit(seed), baseline=True).losses for seed in range(DRAWS)]
    return train(STEPS, baseline=True).losses, moved


def test_the_curves_agree(plain):
    assert_near(train(STEPS).losses, *plain)


def test_curves_that_do_not_agree_are_told_apart(plain):
    def change(model):
        for mix in model.mixes():
            mix.eps *= 100

    with pytest.raises(AssertionError, match="differ by more than"):
        assert_near(train(STEPS, change).losses, *plain)


def test_the_loss_falls():
    losses = train(40).losses
    assert abs(losses[0] - math.log(len(TEXT.vocabulary))) < 0.5
    assert losses[-1] < losses[0] - 0.7


def test_both_start_from_the_same_weights():
    ours, plain = (make_model(dataclasses.replace(RECIPE, baseline=b), 7).state_dict() for b in (False, True))
    assert ours.keys() == plain.keys() and all(torch.equal(ours[name], plain[name]) for name in ours)


@pytest.mark.parametrize("baseline", [False, True])
def test_resuming_is_exact(tmp_path, baseline):
    path = str(tmp_path / "run.pt")
    whole = train(7, baseline=baseline)
    checkpoint.write(path, train(3, baseline=baseline).state())
    resumed = Training(whole.recipe, TEXT)
    resumed.load(checkpoint.read(path))
    for _ in range(4):
        resumed.step()
    assert resumed.losses == whole.losses
    assert resumed.parameters_digest() == whole.parameters_digest()


def test_recomputing_changes_no_bit():
    plain, recomputed = train(4), train(4, recompute=True)
    assert recomputed.losses == plain.losses
    assert recomputed.parameters_digest() == plain.parameters_digest()
    assert train(4, seed=1).parameters_digest() != plain.parameters_digest()


def test_a_checkpoint_of_another_run_is_refused(tmp_path):
    state = train(1).state()
    for altered, sentence in (
        ({"seed": 3}, "--seed is 3; expected 0, that of the checkpoint"),
        ({"baseline": True}, "--baseline is True; expected False"),
        ({"hidden": 64}, "--hidden is 64; expected 32"),
    ):
        with pytest.raises(InputError, match=sentence):
            Training(dataclasses.replace(RECIPE, **altered), TEXT).load(state)
    with pytest.raises(InputError, match="--text is .*; expected .*, that of the checkpoint"):
        Training(RECIPE, Text("other", "ab" * 50)).load(state)
    with pytest.raises(InputError, match="does not exist"):
        checkpoint.read(str(tmp_path / "none.pt"))
    for content in (b"", b"no checkpoint"):
        (tmp_path / "bad.pt").write_bytes(content)
        with pytest.raises(InputError, match="is no checkpoint"):
            checkpoint.read(str(tmp_path / "bad.pt"))
    torch.save({"weights": torch.ones(2)}, tmp_path / "bad.pt")
    with pytest.raises(InputError, match="is no checkpoint of this program"):
        checkpoint.read(str(tmp_path / "bad.pt"))


@pytest.mark.parametrize(
    "altered, processes, sentence",
    [
        ({"batch": 0}, 1, "--batch is 0; expected 1 or more"),
        ({"hidden": 40}, 1, "--hidden is 40; expected a multiple of 32"),
        ({"batch": 4}, 3, "--batch is 4; expected a multiple of 3, the number of processes"),
        ({"learning_rate": math.nan}, 1, "--learning_rate is nan"),
    ],
)
def test_recipes_that_cannot_be(altered, processes, sentence):
    with pytest.raises(InputError, match=sentence):
        dataclasses.replace(RECIPE, **altered).check(processes)


def test_batches_depend_on_seed_and_step_alone():
    tokens, following = TEXT.batch(5, 3, 4, 16)
    assert tokens.shape == following.shape == (4, 16)
    assert torch.equal(tokens[:, 1:], following[:, :-1])
    assert torch.equal(TEXT.batch(5, 3, 4, 16)[0], tokens)
    for seed, step in ((6, 3), (5, 4)):
        assert not torch.equal(TEXT.batch(seed, step, 4, 16)[0], tokens)


class _Slow(torch.autograd.Function):
    @staticmethod
    def forward(ctx, value):
        time.sleep(0.03)
        return value * 2

    @staticmethod
    def backward(ctx, gradient):
        time.sleep(0.05)
        return gradient * 2


class _SlowModule(torch.nn.Module):
    def forward(self, value):
        return _Slow.apply(value)


def test_the_clock_counts_the_forward_and_the_backward_of_its_modules():
    timed, other = _SlowModule(), _SlowModule()
    clock = OperatorClock([timed])
    other(timed(other(torch.ones(3, requires_grad=True)))).sum().backward()
    assert 0.08 <= clock.seconds < 0.16  # `other` would add 0.16


@pytest.mark.parametrize("recompute", [False, True])
def test_times_are_those_of_the_steps_after_the_first(recompute):
    training = train(3, recompute=recompute)
    assert training.timed_steps == 2
    assert 0 < training.operator_seconds < training.seconds
