"""The NumPy contenders of `bench`: the formulas in float32, and the plain copy that bounds every contender."""

import concurrent.futures
import time

import numpy as np
from attnres import _checks

# Elements of V that are held in float32 at a time, so that temporaries stay in the cache.
_CHUNK_ELEMENTS = 1 << 18
_TRIALS = 5


def backward(inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The gradients by the formulas, float32 inside, in the inputs' main dtype."""
    tokens, blocks, hidden = inputs["block_res"].shape
    proj = inputs["proj_weight"][0].astype(np.float32)
    norm = inputs["norm_weight"].astype(np.float32)
    outputs = {
        name: np.empty_like(inputs[source]) for name, source in zip(_checks.OUTPUT_NAMES, _checks.INPUT_DIMENSIONS)
    }
    score_weight = np.zeros(hidden, np.float32)
    step = max(1, _CHUNK_ELEMENTS // ((blocks + 1) * hidden))
    for start in range(0, tokens, step):
        score_weight += _backward_of(inputs, slice(start, start + step), proj * norm, outputs)
    outputs["grad_proj_weight"][0] = score_weight * norm
    outputs["grad_norm_weight"][:] = score_weight * proj
    return outputs


def _backward_of(inputs, tokens, weight, outputs):
    """Writes the rows of some tokens; returns their part of the score weight's gradient."""
    blocks = inputs["block_res"].shape[1]
    partial = inputs["partial_block"][tokens]
    values = np.empty((len(partial), blocks + 1, weight.size), np.float32)
    values[:, :blocks] = inputs["block_res"][tokens]
    values[:, blocks] = partial
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
    """A call that gives each thread an equal share of every pair; the caller's thread takes the first."""
    shares = []
    for index in range(threads):
        share = []
        for destination, source in pairs:
            # Whole pages, so that no two threads write the same one.
            bounds = [source.size * edge // threads // 4096 * 4096 for edge in range(threads)] + [source.size]
            part = slice(bounds[index], bounds[index + 1])
            share.append((destination[part], source[part]))
        shares.append(share)
    pool = concurrent.futures.ThreadPoolExecutor(threads - 1)

    def call():
        pending = [pool.submit(_copy, share) for share in shares[1:]]
        _copy(shares[0])
        for future in pending:
            future.result()

    return call


def _best_seconds(call):
    best = float("inf")
    for _ in range(_TRIALS):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best
