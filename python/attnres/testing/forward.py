"""The forward for tests: its float64 golden with tolerances, its table of SoCs and paths, and runs in guarded memory.

Derivation of the tolerances, u = 2**-24. What a float32 evaluation does to each output:

    inv_norm   one rounding and the last bits of a correction; for 2-byte dtypes half of what the sum of squares is off
               by, whose groups of 8 terms are plain sums: 3 u relative
    score      d is a sum in two floats of groups of 8 products per lane, float32: of products. What a group loses is
               one rounding of each partial sum S, independent of the others: variance u**2 times the sum of all S**2,
               and |S| at most the sum of the sizes. Six deviations are taken, as in _compare.py
    probs      Exp is within 0.75 ulp = 1.5 u, of a term and, at most, of the sum; one rounding: 4 u relative. The
               scores' errors count as often
    hidden     that of probs, and at most a rounding of each partial sum, of which there are N1, in u sum(probs |V|);
               float32 carries the sum in two floats: one rounding more

and then the rounding to the output's dtype: right is what rounding makes of some number in that interval.
"""

import numpy as np

from attnres import _checks, _compare, _dtypes, _forward
from attnres.testing import cases, runs, spec_tiling

# SoCs that have kernels of the forward, and one of each architecture.
SOCS = ("ascend950",)
ARCH_SOCS = SOCS

UNIT_ROUNDOFF = 2.0**-24
INV_NORM_ROUNDINGS = 3
PROBS_ROUNDINGS = 4
NORM_EPS = _forward.DEFAULT_NORM_EPS
# Elements that are added up side by side, and of each lane's how many as one plain sum.
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
        step = (32 if arch == "arch22" else 256) // size
        largest = next(t for t in range(_up(hidden, step), 0, -step) if _split_bytes(arch, rows, t, size) <= available)
        tile = _up(-(-hidden // -(-hidden // largest)), step)
        return _split_bytes(arch, rows, min(tile, largest), size)
    sets = 2 if _full_bytes(arch, rows, hidden, size, 1, 2) <= available else 1
    batch = 1
    if sets == 2 and arch == "arch35":
        share = -(-tokens // min(tokens, spec_tiling.CORES[arch]))
        batch = max(1, min(64, 32768 // (rows * size * _up(hidden, 16)), -(-share // 2)))
    return _full_bytes(arch, rows, hidden, size, batch, sets)


_AVAILABLE = {"arch22": 196608 - 8192, "arch35": 253952 - 8192}


def _full_bytes(arch, rows, hidden, size, batch=1, sets=1):
    weights = 2 if size == 4 else 1
    if arch == "arch22":
        width = max(hidden, 64)
        values = sets * batch * rows * _up(size * width, 32)
        return weights * _up(4 * width, 32) + values + _score_bytes(arch, rows, batch)
    values = sets * batch * rows * size * _up(hidden, 16)
    return weights * _up(4 * hidden, 256) + values + _score_bytes(arch, rows, batch)


def _split_bytes(arch, rows, tile, size):
    step = 32 if arch == "arch22" else 256
    return (4 if size == 4 else 2) * _up(4 * tile, step) + 6 * _up(size * tile, step) + _score_bytes(arch, rows, 1)


def _score_bytes(arch, rows, batch):
    if arch == "arch22":
        return 2 * _up(4 * rows, 32) + 4 * _up(4 * rows, 256) + 12 * 1024 + 32
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


def evaluate(inputs: dict[str, np.ndarray], norm_eps: float = NORM_EPS) -> dict[str, np.ndarray]:
    """The three results in float64."""
    return _evaluate(inputs, norm_eps)[0]


def _evaluate(inputs, norm_eps):
    values = np.concatenate([inputs["block_res"], inputs["partial_block"][:, np.newaxis]], axis=1).astype(np.float64)
    proj = inputs["proj_weight"].reshape(-1).astype(np.float64)
    weight = inputs["norm_weight"].astype(np.float64) * proj
    with np.errstate(all="ignore"):
        squares = np.einsum("tih,tih->ti", values, values)
        inv_norm = 1 / np.sqrt(squares / max(proj.size, 1) + float(np.float32(norm_eps)))
        score = inv_norm * (values @ weight)
        terms = np.exp(score - score.max(axis=1, keepdims=True, initial=-np.inf))
        probs = terms / terms.sum(axis=1, keepdims=True)
        hidden = np.einsum("ti,tih->th", probs, values)
        sizes = np.einsum("ti,tih->th", probs, np.abs(values))
        steps = 1 if inputs["block_res"].dtype.itemsize == 4 else _GROUP_STEPS
        score_deviation = UNIT_ROUNDOFF * inv_norm * np.sqrt(_partial_sums_squared(np.abs(values * weight), steps))
    return {"hidden_states": hidden, "inv_norm": inv_norm, "probs": probs}, sizes, score_deviation


def _partial_sums_squared(terms, steps):
    """Sum of the squares of all partial sums of groups of `steps` terms of a lane."""
    size = _LANES * steps
    count = -(-terms.shape[-1] // size)
    padded = np.zeros((*terms.shape[:-1], count * size))
    padded[..., : terms.shape[-1]] = terms
    groups = padded.reshape(*terms.shape[:-1], count, steps, _LANES)
    return (np.cumsum(groups, axis=-2) ** 2).sum(axis=(-3, -2, -1))


def assert_right(inputs: dict[str, np.ndarray], outputs: dict[str, np.ndarray], norm_eps: float = NORM_EPS) -> None:
    """Asserts that every value is one that rounding makes of a number within the derived tolerance of the golden."""
    golden, sizes, score_deviation = _evaluate(inputs, norm_eps)
    scores = 2 * _compare.DEVIATIONS * score_deviation.max(axis=1, keepdims=True)
    dtype = _dtypes.main_dtype(outputs["hidden_states"].dtype)
    sums = 1 if dtype.itemsize == 4 else golden["probs"].shape[1]
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
