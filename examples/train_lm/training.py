"""One run: model, optimizer and data, step by step, in one process or as one of several.

Every process draws the whole batch and takes its rows; DistributedDataParallel averages the gradients.
"""

import dataclasses
import hashlib
import math
import time

import attnres.torch
import torch
from torch import distributed
from torch.nn import functional
from torch.nn.parallel import DistributedDataParallel

from examples.train_lm.errors import InputError
from examples.train_lm.model import HEAD_SIZE, LanguageModel, PlainResiduals, Sizes
from examples.train_lm.operator_clock import OperatorClock
from examples.train_lm.text import Text

_WARM_UP_STEPS = 20


@dataclasses.dataclass(frozen=True)
class Recipe:
    """What the numbers of a run depend on, besides the text and the number of processes."""

    batch: int = 8
    context: int = 64
    layers: int = 4
    layers_per_block: int = 1
    hidden: int = 128
    learning_rate: float = 2e-3
    seed: int = 0
    baseline: bool = False
    recompute: bool = False

    def check(self, processes: int) -> None:
        """InputError for the first value that no run can have."""
        for name in ("batch", "context", "layers", "layers_per_block", "hidden"):
            if getattr(self, name) < 1:
                raise InputError(f"--{name} is {getattr(self, name)}; expected 1 or more")
        if self.hidden % HEAD_SIZE:
            raise InputError(f"--hidden is {self.hidden}; expected a multiple of {HEAD_SIZE}, the size of a head")
        if not (math.isfinite(self.learning_rate) and self.learning_rate > 0):
            raise InputError(f"--learning_rate is {self.learning_rate}; expected a finite number above 0")
        if self.batch % processes:
            raise InputError(f"--batch is {self.batch}; expected a multiple of {processes}, the number of processes")


class Training:
    """A run between two steps.

    Attributes:
        model: the LanguageModel itself, without what several processes put around it.
        losses: of all steps done, those before a resume included; mean over the whole batch, before the step.
        seconds, operator_seconds: of this process's steps but the first, and of mixing blocks in them.
        timed_steps: how many those are.
    """

    def __init__(self, recipe: Recipe, text: Text, rank: int = 0, processes: int = 1):
        recipe.check(processes)
        self.recipe = recipe
        self.losses = []
        self.seconds = self.operator_seconds = 0.0
        self.timed_steps = 0
        self._text = text
        self._rows = slice(rank * recipe.batch // processes, (rank + 1) * recipe.batch // processes)
        self._processes = processes
        self._stepped = False
        self.model = make_model(recipe, len(text.vocabulary))
        self._clock = OperatorClock(self.model.mixes())
        self._network = DistributedDataParallel(self.model) if processes > 1 else self.model
        self._optimizer = torch.optim.AdamW(self.model.parameters(), lr=recipe.learning_rate)

    def backward(self) -> float:
        """Leaves the gradients of the next step's whole batch in the parameters; returns its loss."""
        recipe = self.recipe
        tokens, following = self._text.batch(recipe.seed, len(self.losses), recipe.batch, recipe.context)
        logits = self._network(tokens[self._rows])
        loss = functional.cross_entropy(logits.flatten(0, 1), following[self._rows].flatten())
        self._optimizer.zero_grad()
        loss.backward()
        loss = loss.detach()
        if self._processes > 1:
            distributed.all_reduce(loss)
            loss /= self._processes
        return loss.item()

    def step(self) -> float:
        """One step of the optimizer; returns the loss before it."""
        begin, operator_begin = time.perf_counter(), self._clock.seconds
        loss = self.backward()
        warm = min(1, (len(self.losses) + 1) / _WARM_UP_STEPS)
        for group in self._optimizer.param_groups:
            group["lr"] = self.recipe.learning_rate * warm
        self._optimizer.step()
        self.losses.append(loss)
        if self._stepped:  # the first step also makes buffers and plans
            self.seconds += time.perf_counter() - begin
            self.operator_seconds += self._clock.seconds - operator_begin
            self.timed_steps += 1
        self._stepped = True
        return loss

    def state(self) -> dict:
        """All that the next steps depend on, for `load`."""
        return {
            "recipe": dataclasses.asdict(self.recipe),
            "text": self._text.digest,
            "processes": self._processes,
            "losses": list(self.losses),
            "model": self.model.state_dict(),
            "optimizer": self._optimizer.state_dict(),
        }

    def load(self, state: dict) -> None:
        """Continues from a `state`; InputError if another recipe, text or number of processes made it."""
        own = {"text": self._text.digest, "processes": self._processes, **dataclasses.asdict(self.recipe)}
        saved = {"text": state["text"], "processes": state["processes"], **state["recipe"]}
        for name, value in own.items():
            if saved.get(name) != value:
                raise InputError(f"--{name} is {value}; expected {saved.get(name)}, that of the checkpoint")
        self.losses = list(state["losses"])
        self.model.load_state_dict(state["model"])
        self._optimizer.load_state_dict(state["optimizer"])

    def parameters_digest(self) -> str:
        """SHA-256 of the parameters' bytes."""
        digest = hashlib.sha256()
        for value in self.model.parameters():
            digest.update(value.detach().numpy().tobytes())
        return digest.hexdigest()


def make_model(recipe: Recipe, vocabulary: int) -> LanguageModel:
    """The model before its first step: the same weights with and without the operator."""
    torch.manual_seed(recipe.seed)
    sizes = Sizes(vocabulary, recipe.context, recipe.hidden, recipe.layers, recipe.layers_per_block)
    residuals = PlainResiduals if recipe.baseline else attnres.torch.BlockAttentionResiduals
    return LanguageModel(sizes, residuals, recompute=recipe.recompute)
