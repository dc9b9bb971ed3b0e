"""The forward for tests: its float64 golden with tolerances, its table of SoCs and paths, and runs in guarded memory.

Derivation of the tolerances, u = 2**-24. What a float32 evaluation does to each output:

    inv_norm   one rounding and the last bits of a correction; for 2-byte dtypes half of what the sum of squares is off
               by, whose groups of 8 terms are plain sums: 3 u relative
    score      d is a sum in two floats of groups of 8 products per lane, arch35's float32: of products. What a group
               loses is one rounding of each partial sum S, independent of the others: variance u**2 times the sum of
               all S**2, and |S| at most the sum of the sizes. arch22 has a group per lane and as many lanes as that
               takes, which are added up in pairs until they are 64, and rounds the products and, float32, the weight
               too. Six deviations are taken, as in _compare.py
    probs      Exp is within 0.75 ulp = 1.5 u, of a term and, at most, of the sum; one rounding: 4 u relative. The
               scores' errors count as often
    hidden     that of probs, and at most a rounding of each partial sum, of which there are N1, in u sum(probs |V|),
               and arch22: of the products; float32 carries the sum in two floats: one rounding more, arch22: another of
               the low parts

and then the rounding to the output's dtype: right is what rounding makes of some number in that interval.
"""

import numpy as np

from attnres import _checks, _compare, _dtypes, _forward, _observed
from attnres.testing import cases, runs, spec_tiling

# SoCs that have kernels of the forward, and one of each architecture.
SOCS = cases.SOCS
ARCH_SOCS = cases.ARCH_SOCS

UNIT_ROUNDOFF = 2.0**-24
INV_NORM_ROUNDINGS = 3
PROBS_ROUNDINGS = 4
NORM_EPS = _forward.DEFAULT_NORM_EPS
# Lanes that are added up exactly, and of each lane how many elements are one plain sum.
_LANES = 64
_GROUP_STEPS = 8
# The step of float32 below its normal range.
_SMALLEST = 2.0**-149

INPUTS = tuple(_checks.FORWARD_INPUT_DIMENSIONS)


def pick(inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The forward's of a backward's inputs."""
    return {name: inputs[name] for name in INPUTS}


def path_of(tokens: int, blocks: int, hidden: int, dtype: _dtypes.MainDtype, soc: str) -> str | None:
    """The kernel path that must run: FULL_H where UB holds the value rows of a token."""
    if tokens == 0 or hidden == 0:
        return None
    arch = spec_tiling.SOC_ARCHS[soc]
    return "FULL_H" if _full_bytes(arch, blocks + 1, hidden, dtype.itemsize) <= _AVAILABLE[arch] else "SPLIT_H"


def ub_bytes(tokens: int, blocks: int, hidden: int, dtype: _dtypes.MainDtype, soc: str) -> int:
    """What the kernels take of UB: FULL_H two sets of rows where they fit, of as many tokens as make a batch."""
    arch, rows, size = spec_tiling.SOC_ARCHS[soc], blocks + 1, dtype.itemsize
    available = _AVAILABLE[arch]
    if path_of(tokens, blocks, hidden, dtype, soc) == "SPLIT_H":
        return _split_bytes(arch, rows, _tile(arch, rows, hidden, size), size)
    sets = 2 if _full_bytes(arch, rows, hidden, size, 1, 2) <= available else 1
    batch = 1
    if sets == 2 and arch == "arch35":
        share = -(-tokens // min(tokens, spec_tiling.CORES[arch]))
        batch = max(1, min(64, 32768 // (rows * size * _up(hidden, 16)), -(-share // 2)))
    return _full_bytes(arch, rows, hidden, size, batch, sets)


def _tile(arch, rows, hidden, size):
    """Elements of H that lie in UB at once: SPLIT_H has even tiles, as few as the largest one allows."""
    available = _AVAILABLE[arch]
    if _full_bytes(arch, rows, hidden, size) <= available:
        return hidden
    step = (32 if arch == "arch22" else 256) // size
    largest = next(t for t in range(_up(hidden, step), 0, -step) if _split_bytes(arch, rows, t, size) <= available)
    return min(largest, _up(-(-hidden // -(-hidden // largest)), step))


_AVAILABLE = {"arch22": 196608 - 8192, "arch35": 253952 - 8192}


def _full_bytes(arch, rows, hidden, size, batch=1, sets=1):
    if arch == "arch22":
        return _up(4 * hidden, 32) + sets * batch * rows * _up(size * hidden, 32) + _arch22_rest(rows, hidden)
    weights = (2 if size == 4 else 1) * _up(4 * hidden, 256)
    return weights + sets * batch * rows * size * _up(hidden, 16) + _arch35_scores(rows, batch)


def _split_bytes(arch, rows, tile, size):
    if arch == "arch22":
        return (3 if size == 4 else 2) * _up(4 * tile, 32) + 6 * _up(size * tile, 32) + _arch22_rest(rows, tile)
    return (4 if size == 4 else 2) * _up(4 * tile, 256) + 6 * _up(size * tile, 256) + _arch35_scores(rows, 1)


def _arch22_rest(rows, width):
    return 2 * _up(4 * rows, 32) + 5 * _up(4 * rows, 256) + 512 + 16 * _arch22_lanes(width) + 4096


def _arch22_lanes(width):
    return max(512, _up(-(-width // _GROUP_STEPS), _LANES))


def _arch35_scores(rows, batch):
    pitch = 1 if batch == 1 else _up(batch, 8)
    return 2 * _up(4 * batch * rows, 256) + 4 * (_up(4 * pitch * (rows - 1), 256) + 256)


def _up(value, step):
    return -(-value // step) * step


def case_id(case: cases.Case) -> str:
    """The id of a case of the forward; the backward's has that operator's path."""
    path = path_of(case.tokens, case.blocks, case.hidden, case.dtype, case.soc)
    return f"{case.dtype.short_name}-T{case.tokens}-N{case.blocks}-H{case.hidden}-{case.soc}-{path or 'no_kernel'}"


def run_guarded(inputs: dict[str, np.ndarray], soc: str, *, norm_eps: float = NORM_EPS, **options) -> runs.GuardedRun:
    """Runs the forward as runs.run_api says."""
    tokens, blocks, hidden = inputs["block_res"].shape
    outputs = {
        "hidden_states": ((tokens, hidden), inputs["block_res"].dtype),
        "inv_norm": ((tokens, blocks + 1), np.float32),
        "probs": ((tokens, blocks + 1), np.float32),
    }
    return runs.run_api(_forward.API_NAME, pick(inputs), (-1, norm_eps, 1), outputs, soc, **options)


def observe(inputs: dict[str, np.ndarray], soc: str, mode: str, options: tuple[tuple[str, str], ...] = ()) -> tuple:
    """Runs the forward in a mode of the runtime: its results, then what _observed.run_api returns."""
    mixture = _forward.new_mixture(_checks.check(inputs, -1, _checks.FORWARD_INPUT_DIMENSIONS))
    arguments = _forward.arguments(inputs, -1, NORM_EPS)
    return mixture, *_observed.run_api(_forward.API_NAME, arguments, mixture, mode, options, soc, 2)


def evaluate(inputs: dict[str, np.ndarray], norm_eps: float = NORM_EPS) -> dict[str, np.ndarray]:
    """The three results in float64."""
    values, weight = _values_and_weight(inputs)
    with np.errstate(all="ignore"):
        squares = np.einsum("tih,tih->ti", values, values)
        inv_norm = 1 / np.sqrt(squares / max(weight.size, 1) + float(np.float32(norm_eps)))
        score = inv_norm * (values @ weight)
        terms = np.exp(score - score.max(axis=1, keepdims=True, initial=-np.inf))
        probs = terms / terms.sum(axis=1, keepdims=True)
        hidden = np.einsum("ti,tih->th", probs, values)
    return {"hidden_states": hidden, "inv_norm": inv_norm, "probs": probs}


def _values_and_weight(inputs):
    values = np.concatenate([inputs["block_res"], inputs["partial_block"][:, np.newaxis]], axis=1)
    return values.astype(np.float64), inputs["norm_weight"].astype(np.float64) * inputs["proj_weight"][0]


def _dot_variance(terms, arch, itemsize):
    """That of the sums over rows of terms of these sizes, in UNIT_ROUNDOFF**2."""
    if arch == "arch35":
        return _partial_sums_squared(terms, _LANES, 1 if itemsize == 4 else _GROUP_STEPS)
    products = (1 if itemsize == 2 else 2) * (terms**2).sum(axis=-1)
    lanes = _arch22_lanes(_tile(arch, *terms.shape[1:], itemsize))
    return products + _partial_sums_squared(terms, lanes, _GROUP_STEPS)


def _partial_sums_squared(terms, lanes, steps):
    """Sum of the squares of all partial sums: of groups of `steps` terms of a lane, and of lanes until they are 64."""
    width = max(terms.shape[-1], 1)
    lanes = min(lanes, _up(width, _LANES))
    steps = min(steps, -(-width // lanes))
    size = lanes * steps
    count = -(-width // size)
    padded = np.zeros((*terms.shape[:-1], count * size))
    padded[..., : terms.shape[-1]] = terms
    sums = np.cumsum(padded.reshape(*terms.shape[:-1], count, steps, lanes), axis=-2)
    total = (sums**2).sum(axis=(-3, -2, -1))
    sums = sums[..., -1, :]
    while sums.shape[-1] > _LANES:
        half = _up(-(-sums.shape[-1] // 2), _LANES)
        rest = sums[..., half:]
        sums = sums[..., :half].copy()
        sums[..., : rest.shape[-1]] += rest
        total += (sums**2).sum(axis=(-2, -1))
    return total


def assert_right(
    inputs: dict[str, np.ndarray], outputs: dict[str, np.ndarray], soc: str, norm_eps: float = NORM_EPS
) -> None:
    """Asserts that every value is one that rounding makes of a number within the derived tolerance of the golden."""
    golden = evaluate(inputs, norm_eps)
    values, weight = _values_and_weight(inputs)
    arch, dtype = spec_tiling.SOC_ARCHS[soc], _dtypes.main_dtype(outputs["hidden_states"].dtype)
    with np.errstate(all="ignore"):
        sizes = np.einsum("ti,tih->th", golden["probs"], np.abs(values))
        variance = _dot_variance(np.abs(values * weight), arch, dtype.itemsize)
        score_deviation = UNIT_ROUNDOFF * golden["inv_norm"] * np.sqrt(variance)
    scores = 2 * _compare.DEVIATIONS * score_deviation.max(axis=1, keepdims=True)
    sums = (1 if dtype.itemsize == 4 else golden["probs"].shape[1]) + (arch == "arch22")
    tolerances = {
        "hidden_states": ((PROBS_ROUNDINGS + sums) * UNIT_ROUNDOFF + scores) * sizes,
        "inv_norm": INV_NORM_ROUNDINGS * UNIT_ROUNDOFF * golden["inv_norm"],
        "probs": (PROBS_ROUNDINGS * UNIT_ROUNDOFF + scores) * golden["probs"],
    }
    for name, actual in outputs.items():
        stored = dtype if name == "hidden_states" else _dtypes.main_dtype("float32")
        slack = np.nan_to_num(tolerances[name]) + _SMALLEST
        low, high = (_dtypes.round_to(golden[name] + sign * slack, stored) for sign in (-1, 1))
        values = actual.astype(np.float64)
        with np.errstate(invalid="ignore"):
            right = (low <= values) & (values <= high) | (np.isnan(golden[name]) & np.isnan(values))
        wrong = np.argwhere(~right)
        if len(wrong):
            at = tuple(wrong[0])
            raise AssertionError(
                f"{len(wrong)} of {values.size} of {name} are wrong; {name}{list(map(int, at))} is {values[at]!r}, "
                f"expected {golden[name][at]!r}, so a value from {low[at]!r} to {high[at]!r}"
            )
