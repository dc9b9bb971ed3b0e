"""Interleaved timing against a clock that only the contenders advance."""

import pytest
from attnres._bench import interleaved


class Machine:
    """A clock, contenders that take as long as they are told, and a log of who ran."""

    def __init__(self):
        self.now = 0.0
        self.log = []

    def contender(self, who, seconds):
        """`seconds` is a number, or a function of how often the contender has run."""
        runs = []

        def call():
            runs.append(who)
            self.log.append(who)
            self.now += seconds(len(runs)) if callable(seconds) else seconds
            return who

        return call

    def measure(self, contenders, rounds):
        calls = {who: self.contender(who, seconds) for who, seconds in contenders.items()}
        return interleaved.measure(calls, rounds, clock=lambda: self.now, pause=lambda _: self.log.append("pause"))


def test_each_contender_runs_once_a_round_in_changing_order():
    machine = Machine()
    machine.measure({"a": 1.0, "b": 2.0, "c": 3.0}, 12)
    start = machine.log.index("pause")
    runs = [who for who in machine.log[start:] if who != "pause"]
    rounds = [tuple(runs[i : i + 3]) for i in range(0, len(runs), 3)]
    assert len(rounds) == 12 and all(sorted(order) == ["a", "b", "c"] for order in rounds)
    assert len(set(rounds)) > 3
    assert machine.log.count("pause") == 36
    again = Machine()
    again.measure({"a": 1.0, "b": 2.0, "c": 3.0}, 12)
    assert again.log == machine.log


def test_seconds_are_of_each_round_without_warm_up():
    warm_up = {1: 0.25, 2: 0.125}
    found = Machine().measure({"a": lambda run: warm_up.get(run, float(run)), "b": 9.0}, 3)
    assert found["a"].seconds == (3.0, 4.0, 5.0) and found["a"].calls == 1
    assert found["a"].median == 4.0
    assert found["b"].seconds == (9.0, 9.0, 9.0)


def test_slow_contenders_warm_up_once():
    machine = Machine()
    machine.measure({"slow": 2.0}, 1)
    assert machine.log == ["slow", "pause", "slow"]


def test_short_calls_are_repeated_and_woken():
    machine = Machine()
    found = machine.measure({"short": 1e-4}, 1)
    assert found["short"].calls == 20
    assert found["short"].seconds == pytest.approx((1e-4,))
    assert machine.log == ["short"] * 2 + ["pause"] + ["short"] * 21


def timing(*seconds):
    return interleaved.Timing(seconds, 1)


def test_ratio_is_taken_round_by_round():
    """The medians' own ratio would be 3/2: a machine that is slow for a round slows both."""
    found = interleaved.ratio(timing(2.0, 20.0, 3.0, 3.0, 9.0), timing(1.0, 10.0, 2.0, 2.0, 3.0))
    assert (found.low, found.median, found.high) == (1.5, 2.0, 2.0)


def test_ratio_of_one_round():
    assert interleaved.ratio(timing(3.0), timing(2.0)) == interleaved.Ratio(1.5, 1.5, 1.5)


def test_ratio_needs_the_same_rounds():
    with pytest.raises(ValueError):
        interleaved.ratio(timing(3.0, 1.0), timing(2.0))
