"""Runs of an operator in guarded memory, and the checks that every such run must pass."""

import dataclasses

import numpy as np

from attnres import _backward, _call, _checks, _compare, _libraries, _reference, _tiling, _twin
from attnres.testing import bits, guarded


@dataclasses.dataclass(frozen=True)
class GuardedRun:
    """Outputs by name (contiguous copies), and what the runtime saw."""

    outputs: dict[str, np.ndarray]
    statistics: _call.CallStatistics


def run_guarded(inputs: dict[str, np.ndarray], soc: str, **options) -> GuardedRun:
    """Runs the backward as `run_api` says."""
    outputs = {
        name: (inputs[source].shape, inputs[source].dtype)
        for name, source in zip(_checks.OUTPUT_NAMES, _checks.INPUT_DIMENSIONS)
    }
    run = run_api(_backward.API_NAME, inputs, (-1,), outputs, soc, **options)
    tokens, blocks, hidden = inputs["block_res"].shape
    contiguous = {"input_layout", "output_layout"}.isdisjoint(options)
    if tokens and hidden and contiguous:
        expected = _tiling.tiling(tokens, blocks, hidden, inputs["block_res"].dtype, soc=soc).workspace_size
        assert run.statistics.workspace_bytes == expected
    return run


def run_api(
    api_name: str,
    inputs: dict[str, np.ndarray],
    attributes: tuple,
    outputs: dict[str, tuple],
    soc: str,
    *,
    threads: int = 0,
    input_layout: str = "contiguous",
    output_layout: str = "contiguous",
    workspace_fill=guarded.FILL,
) -> GuardedRun:
    """Runs on guarded copies of the inputs; asserts that only the outputs were written, and all of them.

    `outputs`: shape and dtype by name. `workspace_fill` is a byte for the whole workspace, or a random generator.
    """
    ins = {name: guarded.GuardedArray.of(value, input_layout) for name, value in inputs.items()}
    outs = {name: guarded.GuardedArray(shape, dtype, output_layout) for name, (shape, dtype) in outputs.items()}
    arguments = (*(value.array for value in ins.values()), *attributes)
    results = [out.array for out in outs.values()]
    workspace_bytes = _workspace_bytes(api_name, arguments, results, soc)
    workspace = _workspace(workspace_bytes, workspace_fill)
    statistics = _call.call(api_name, arguments, results, soc, threads, workspace[:workspace_bytes])
    assert statistics.workspace_bytes == workspace_bytes
    assert (workspace[workspace_bytes:] == guarded.FILL).all(), "bytes after the workspace were written"
    for name, value in ins.items():
        value.assert_guards_intact(name)
        assert bits.same_bits(value.array, inputs[name]), f"{name} was written"
    for name, out in outs.items():
        out.assert_guards_intact(name)
    return GuardedRun({name: np.ascontiguousarray(o.array) for name, o in outs.items()}, statistics)


def _workspace_bytes(api_name, arguments, results, soc):
    """What phase 1 asks for: tiling's bytes, and copies of what is not contiguous."""
    _libraries.ensure_loaded(soc)
    nothing = np.zeros(0, np.uint8)
    _, _, statistics = _twin.call(api_name, list(arguments), results, soc, 0, nothing)
    # Phase 2 has run if no workspace is needed; else it has refused the empty one.
    return statistics["workspace_bytes"]


def _workspace(size, fill):
    """A workspace with guard bytes after it."""
    workspace = np.full(size + 512, guarded.FILL, np.uint8)
    workspace[:size] = fill.integers(0, 256, size, np.uint8) if isinstance(fill, np.random.Generator) else fill
    return workspace


def assert_right(inputs: dict[str, np.ndarray], outputs: dict[str, np.ndarray]) -> None:
    """Asserts that each output is within the derived tolerance of the float64 golden."""
    golden, deviation = _reference.evaluate_with_deviation(inputs)
    for name, actual in outputs.items():
        comparison = _compare.compare(name, actual, golden[name], deviation[name])
        assert comparison.right, f"{comparison.wrong} of {comparison.total}: {comparison.first_wrong}"
