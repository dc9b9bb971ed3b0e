"""The NumPy contenders of `bench`: the formulas in float32, and the plain copy and sum that bound every contender."""

import concurrent.futures
import time

import numpy as np
from attnres import _checks
from attnres._sample_inputs import NORM_EPS

# Elements of V that are held in float32 at a time, so that temporaries stay in the cache.
_CHUNK_ELEMENTS = 1 << 18
_TRIALS = 5


def backward(inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The gradients by the formulas, float32 inside, in the inputs' main dtype."""
    proj = inputs["proj_weight"][0].astype(np.float32)
    norm = inputs["norm_weight"].astype(np.float32)
    outputs = {
        name: np.empty_like(inputs[source]) for name, source in zip(_checks.OUTPUT_NAMES, _checks.INPUT_DIMENSIONS)
    }
    score_weight = np.zeros(proj.size, np.float32)
    for tokens, values in _chunks(inputs, np.float32):
        score_weight += _backward_of(inputs, tokens, values, proj * norm, outputs)
    outputs["grad_proj_weight"][0] = score_weight * norm
    outputs["grad_norm_weight"][:] = score_weight * proj
    return outputs


def _backward_of(inputs, tokens, values, weight, outputs):
    """Writes the rows of some tokens, over their rows of V; returns their part of the score weight's gradient."""
    blocks = inputs["block_res"].shape[1]
    upstream = inputs["grad_hidden_states"][tokens].astype(np.float32)
    inv_norm, probs = inputs["inv_norm"][tokens], inputs["probs"][tokens]
    dots = np.einsum("tih,th->ti", values, upstream)
    scores = np.einsum("tih,h->ti", values, weight)
    grad_score = probs * (dots - np.einsum("ti,ti->t", probs, dots)[:, np.newaxis])
    scaled = grad_score * inv_norm
    variance = scaled * (scores * inv_norm) * inv_norm / weight.size
    part = np.einsum("ti,tih->h", scaled, values)
    values *= -variance[..., np.newaxis]
    values += probs[..., np.newaxis] * upstream[:, np.newaxis]
    values += scaled[..., np.newaxis] * weight
    outputs["grad_block_res"][tokens] = values[:, :blocks]
    outputs["grad_partial_block"][tokens] = values[:, blocks]
    return part


def forward(inputs: dict[str, np.ndarray]) -> np.ndarray:
    """The forward's result by the formulas, float32 inside, in the inputs' main dtype."""
    proj = inputs["proj_weight"][0].astype(np.float32)
    weight = proj * inputs["norm_weight"].astype(np.float32)
    result = np.empty_like(inputs["partial_block"])
    for tokens, values in _chunks(inputs, np.float32):
        inv_norm = 1 / np.sqrt(np.einsum("tih,tih->ti", values, values) / weight.size + NORM_EPS)
        scores = np.einsum("tih,h->ti", values, weight) * inv_norm
        terms = np.exp(scores - scores.max(1, keepdims=True))
        result[tokens] = np.einsum("ti,tih->th", terms / terms.sum(1, keepdims=True), values)
    return result


def mixed(inputs: dict[str, np.ndarray]) -> np.ndarray:
    """The rows of V in float64, weighted by the inputs' own probs."""
    result = np.empty(inputs["partial_block"].shape)
    for tokens, values in _chunks(inputs, np.float64):
        result[tokens] = np.einsum("ti,tih->th", inputs["probs"][tokens], values)
    return result


def _chunks(inputs, dtype):
    """Pairs of some tokens, as a slice, and their rows of V."""
    tokens, blocks, hidden = inputs["block_res"].shape
    step = max(1, _CHUNK_ELEMENTS // ((blocks + 1) * hidden))
    for start in range(0, tokens, step):
        part = slice(start, start + step)
        partial = inputs["partial_block"][part]
        values = np.empty((len(partial), blocks + 1, hidden), dtype)
        values[:, :blocks] = inputs["block_res"][part]
        values[:, blocks] = partial
        yield part, values


def ways_to_read(inputs: dict[str, np.ndarray], threads: int):
    """The ways that NumPy has to read all bytes of V, as (what it is, call): sums of them as 64-bit integers."""
    sources = [inputs[name].reshape(-1).view(np.uint8) for name in ("block_res", "partial_block")]
    words = [source[: source.size // 8 * 8].view(np.int64) for source in sources]
    ways = [("np.sum", lambda: _sums(words))]
    if threads > 1:
        shares = [[w[w.size * t // threads : w.size * (t + 1) // threads] for w in words] for t in range(threads)]
        ways.append((f"np.sum in {threads} threads", _in_threads(_sums, shares)))
    return ways


def _sums(words):
    return [word.sum() for word in words]


def pairs_to_copy(inputs: dict[str, np.ndarray]) -> list[tuple[np.ndarray, np.ndarray]]:
    """The rows of V as bytes, each with warm memory of the same size in front of it."""
    sources = [inputs[name].reshape(-1).view(np.uint8) for name in ("block_res", "partial_block")]
    return [(np.full_like(source, 1), source) for source in sources]


def ways_to_copy(pairs, threads: int):
    """The ways that NumPy has to copy all pairs, as (what it is, call)."""
    ways = [("np.copyto", lambda: _copy(pairs))]
    if threads > 1:
        ways.append((f"np.copyto in {threads} threads", _threaded_copy(pairs, threads)))
    return ways


def fastest(ways):
    """The way whose best of some calls is the shortest."""
    return min(ways, key=lambda way: _best_seconds(way[1]))


def _copy(pairs):
    for destination, source in pairs:
        np.copyto(destination, source)


def _threaded_copy(pairs, threads):
    """A call that gives each thread an equal share of every pair."""
    shares = []
    for index in range(threads):
        share = []
        for destination, source in pairs:
            # Whole pages, so that no two threads write the same one.
            bounds = [source.size * edge // threads // 4096 * 4096 for edge in range(threads)] + [source.size]
            part = slice(bounds[index], bounds[index + 1])
            share.append((destination[part], source[part]))
        shares.append(share)
    return _in_threads(_copy, shares)


def _in_threads(work, shares):
    """A call that does the work on each share in a thread of its own; the caller's takes the first."""
    pool = concurrent.futures.ThreadPoolExecutor(len(shares) - 1)

    def call():
        pending = [pool.submit(work, share) for share in shares[1:]]
        return [work(shares[0]), *(future.result() for future in pending)]

    return call


def _best_seconds(call):
    best = float("inf")
    for _ in range(_TRIALS):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best
