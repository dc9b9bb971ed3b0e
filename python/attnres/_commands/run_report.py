"""One run of the operator as the commands demo and backward report it: timing, path and error measures."""

import dataclasses
import statistics
import time

from attnres import _backward, _compare, _reference, _socs, _tiling


@dataclasses.dataclass(frozen=True)
class RunReport:
    """A run, and its comparison with a golden if there was one.

    Attributes:
        gradients: the result.
        path, tile: "FULL_H" or "SPLIT_H" with tile size x number; "none" and "" without a launch.
        seconds: median wall-clock time of the timed repeats.
        comparisons: one per output; empty without a golden.
    """

    gradients: _backward.Gradients
    soc: str
    dtype: str
    shape: dict
    path: str
    tile: str
    isa: str | None
    seconds: float
    comparisons: tuple[_compare.Comparison, ...]

    @property
    def right(self) -> bool | None:
        """None when there was nothing to compare with."""
        return all(c.right for c in self.comparisons) if self.comparisons else None

    def to_json(self) -> dict:
        return {
            "soc": self.soc,
            "dtype": self.dtype,
            **self.shape,
            "path": self.path,
            "tile": self.tile,
            "isa": self.isa,
            "seconds": self.seconds,
            "right": self.right,
            "outputs": [{**dataclasses.asdict(c), "right": c.right} for c in self.comparisons],
        }


class Golden:
    """float64 goldens of one set of inputs, with the deviations that a float32 evaluation may have."""

    def __init__(self, inputs, expected):
        self.values = expected
        self.deviations = _reference.evaluate_with_deviation(inputs)[1]


def run(inputs, *, soc, threads=None, valid_block_num=-1, golden=None, repeats=1) -> RunReport:
    """Runs `repeats` times and compares the last result with the golden."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        gradients, stats = _backward.run(inputs, valid_block_num=valid_block_num, soc=soc, threads=threads)
        seconds.append(time.perf_counter() - start)
    tokens, blocks, hidden = inputs["block_res"].shape
    dtype = gradients.grad_partial_block.dtype
    comparisons = ()
    if golden is not None:
        comparisons = tuple(
            _compare.compare(name, actual, golden.values[name], golden.deviations[name])
            for name, actual in gradients._asdict().items()
        )
    return RunReport(
        gradients=gradients,
        soc=_socs.find_soc(soc).name,
        dtype=dtype.name,
        shape={"tokens": tokens, "blocks": blocks, "hidden": hidden},
        path=stats.path or "none",
        tile=_tile(tokens, blocks, hidden, dtype, soc) if stats.path else "",
        isa=stats.isa,
        seconds=statistics.median(seconds),
        comparisons=comparisons,
    )


def _tile(tokens, blocks, hidden, dtype, soc):
    plan = _tiling.tiling(tokens, blocks, hidden, dtype, soc=soc)
    return f"{plan.hidden_tile_size} x {plan.hidden_tile_num}"


def expected_key(output: str) -> str:
    """The key of an output's golden in a file."""
    return f"expected.{output}"
