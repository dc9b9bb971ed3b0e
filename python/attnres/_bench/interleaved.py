"""Interleaved timing: in every round each contender runs once, in an order that is shuffled with a fixed seed.

Whatever slows the machine for a while meets all contenders of a round alike, so that the ratio of two of them is taken
round by round, and its median is what `bench` reports. Each measurement is preceded by a pause: the thread pools of
most contenders spin for some milliseconds after a call and would take the CPU from the next one.
"""

import dataclasses
import gc
import math
import random
import statistics
import time
from collections.abc import Callable

SEED = 20260101
# One measurement of a short call lasts at least this long, in as many calls as it takes.
SHORTEST_SECONDS = 2e-3
_PAUSE_SECONDS = 0.02
_WARM_UP_CALLS = 2
_WARM_UP_SECONDS = 0.5  # after which one call is enough


@dataclasses.dataclass(frozen=True)
class Timing:
    """Seconds of one call of a contender, one value per round.

    Attributes:
        seconds: of each round, in order.
        calls: how many calls each value is the mean of.
    """

    seconds: tuple[float, ...]
    calls: int

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


@dataclasses.dataclass(frozen=True)
class Ratio:
    """A ratio over all rounds: its median, and the quartiles around it."""

    median: float
    low: float
    high: float


def ratio(numerator: Timing, denominator: Timing) -> Ratio:
    """How many times as long the numerator takes, round by round."""
    ratios = sorted(n / d for n, d in zip(numerator.seconds, denominator.seconds, strict=True))
    if len(ratios) == 1:
        return Ratio(ratios[0], ratios[0], ratios[0])
    low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
    return Ratio(middle, low, high)


def measure(
    calls: dict[str, Callable[[], object]],
    rounds: int,
    clock: Callable[[], float] = time.perf_counter,
    pause: Callable[[float], None] = time.sleep,
) -> dict[str, Timing]:
    """Times every contender in each of the rounds; results are dropped after the clock has stopped."""
    repeats = {who: _repeats(_warm_up(call, clock)) for who, call in calls.items()}
    seconds = {who: [] for who in calls}
    order = list(calls)
    generator = random.Random(SEED)
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(rounds):
            generator.shuffle(order)
            for who in order:
                gc.collect()
                pause(_PAUSE_SECONDS)
                seconds[who].append(_time(calls[who], repeats[who], clock))
    finally:
        if collecting:
            gc.enable()
    return {who: Timing(tuple(values), repeats[who]) for who, values in seconds.items()}


def _warm_up(call, clock):
    """Seconds of the last of the calls that warm caches, pools and code up."""
    spent = 0.0
    for _ in range(_WARM_UP_CALLS):
        last = _time(call, 1, clock)
        spent += last
        if spent > _WARM_UP_SECONDS:
            break
    return last


def _repeats(seconds):
    return max(1, math.ceil(SHORTEST_SECONDS / max(seconds, 1e-9))) if seconds < SHORTEST_SECONDS else 1


def _time(call, repeats, clock):
    if repeats > 1:
        call()  # threads that the pause sent to sleep wake up before the clock starts
    start = clock()
    for _ in range(repeats):
        result = call()
    seconds = (clock() - start) / repeats
    del result
    return seconds
