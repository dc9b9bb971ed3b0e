"""How much time goes into the modules that mix blocks, forward and backward, whatever they are made of."""

import time

import torch


class OperatorClock:
    """Adds up the seconds between a module's begin and end.

    The backward's are measured from when the gradient of the module's output is there until those of its inputs are.
    On a CPU autograd runs one node at a time and the latest forward first, so that nothing else comes between; one of
    the inputs must require a gradient.
    """

    def __init__(self, modules):
        self.seconds = 0.0
        self._begun = None
        for module in modules:
            module.register_forward_pre_hook(self._begin)
            module.register_forward_hook(self._end)
            module.register_full_backward_pre_hook(self._begin)
            module.register_full_backward_hook(self._end)

    def _begin(self, module: torch.nn.Module, *_):
        self._begun = time.perf_counter()

    def _end(self, module: torch.nn.Module, *_):
        # Recomputing ends as soon as all is there, which may be between two modules: a begin may have no end.
        if self._begun is not None:
            self.seconds += time.perf_counter() - self._begun
            self._begun = None
