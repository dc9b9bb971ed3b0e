"""The operator's formulas in float64, and how far a float32 evaluation may stray from them.

`evaluate` is the golden: SPEC section 1 from the stored inputs. `deviation` is the standard deviation of
the rounding errors that an evaluation in float32 collects on the way to each output, before the output is
rounded to its dtype. _compare.py makes a verdict from both.

Derivation of `deviation`. Let u = 2**-24. An operation returns x (1 + e) with |e| <= u; the e behave as
independent, mean-free numbers (Higham and Mary, "A New Approach to Probabilistic Rounding Error Analysis",
SIAM J. Sci. Comput. 41, 2019). So each operation adds at most u**2 x**2 to a variance, and a variance passes
through a product with the square of the other factor:

    sum of x_k        u**2 (sum x_k**2 for the products  +  sum s_k**2 for all partial results s_k)
    g, d              such sums over H. The order taken is 64 sequential lanes, then a tree: more sequential,
                      so with a larger variance, than the reductions of the kernels
    gs = p (g - dot)  p**2 (var g + var dot + u**2 (g - dot)**2) + u**2 gs**2
    a = gs r          r**2 var gs + u**2 a**2
    c = a (d r) r/H   (d r**2/H)**2 var a + (a r**2/H)**2 var d + 6 u**2 c**2      six operations
    gradV             w**2 var a + V**2 var c + u**2 (each product**2 + each partial sum**2)
    gsw               sum_t,i V**2 var a + u**2 (products**2 + partial sums over i, **2) + 4 u**2 gsw**2,
                      as the sum over tokens is compensated: 2 u |gsw| (Kahan)

w = proj * norm is exact for 16-bit dtypes; for float32 its rounding is the 2 in front of (w V)**2.
"""

import numpy as np

UNIT_ROUNDOFF = 2.0**-24
_LANES = 64
# Elements of V that are held in float64 at a time: few enough that the dozen temporaries stay in the cache.
_CHUNK_ELEMENTS = 1 << 16


def evaluate(inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The four gradients in float64, keyed by output name; `inputs` is keyed by input name."""
    return _evaluate(inputs, with_variance=False)[0]


def evaluate_with_deviation(inputs):
    """`evaluate`, and the standard deviations of a float32 evaluation with the same keys."""
    return _evaluate(inputs, with_variance=True)


def _evaluate(inputs, with_variance):
    tokens, blocks, hidden = inputs["block_res"].shape
    proj = inputs["proj_weight"][0].astype(np.float64)
    norm = inputs["norm_weight"].astype(np.float64)
    rows = np.empty((tokens, blocks + 1, hidden))
    rows_variance = np.empty(rows.shape) if with_variance else None
    weight = np.zeros(hidden)
    weight_variance = np.zeros(hidden)
    step = max(1, _CHUNK_ELEMENTS // max(1, (blocks + 1) * hidden))
    with np.errstate(all="ignore"):
        for start in range(0, tokens, step):
            chunk = _Chunk(inputs, slice(start, start + step), proj * norm)
            gradient = chunk.gradient()
            rows[start : start + step] = gradient
            weight += chunk.products.sum((0, 1))
            if with_variance:
                rows_variance[start : start + step] = chunk.gradient_variance(gradient)
                weight_variance += chunk.weight_variance()
        golden = _split(rows, weight * norm, weight * proj)
        if not with_variance:
            return golden, None
        weight_variance += 4 * (UNIT_ROUNDOFF * weight) ** 2
        rounding = (UNIT_ROUNDOFF * weight) ** 2
        variance = _split(
            rows_variance,
            (weight_variance + rounding) * norm**2,
            (weight_variance + rounding) * proj**2,
        )
        return golden, {name: np.sqrt(value) for name, value in variance.items()}


def _split(rows, grad_proj, grad_norm):
    return {
        "grad_partial_block": rows[:, -1],
        "grad_block_res": rows[:, :-1],
        "grad_proj_weight": grad_proj[np.newaxis],
        "grad_norm_weight": grad_norm,
    }


class _Chunk:
    """The formulas for some tokens. Letters are those of the derivation above."""

    def __init__(self, inputs, tokens, w):
        self.w = w
        self.v = np.concatenate(
            [inputs["block_res"][tokens], inputs["partial_block"][tokens][:, np.newaxis]], axis=1
        ).astype(np.float64)
        self.upstream = inputs["grad_hidden_states"][tokens].astype(np.float64)[:, np.newaxis]
        self.r = inputs["inv_norm"][tokens].astype(np.float64)
        self.p = inputs["probs"][tokens].astype(np.float64)
        self.dot_rows = self.upstream * self.v
        self.score_rows = w * self.v
        self.g = self.dot_rows.sum(-1)
        self.d = self.score_rows.sum(-1)
        self.weighted = self.p * self.g
        self.dot = self.weighted.sum(1, keepdims=True)
        self.gs = self.p * (self.g - self.dot)
        self.a = self.gs * self.r
        self.c = self.a * (self.d * self.r) * self.r / w.size
        self.products = self.a[..., np.newaxis] * self.v
        self.first = self.upstream * self.p[..., np.newaxis]
        self.second = self.a[..., np.newaxis] * self.w
        self.third = self.c[..., np.newaxis] * self.v
        self.first_two = self.first + self.second

    def gradient(self):
        return self.first_two - self.third

    def gradient_variance(self, gradient):
        square = UNIT_ROUNDOFF**2
        var_g = square * (_squares(self.dot_rows) + _partial_sums_squared(self.dot_rows))
        var_d = square * (2 * _squares(self.score_rows) + _partial_sums_squared(self.score_rows))
        self.var_a = self._score_variance(var_g)
        scale = self.r**2 / self.w.size
        var_c = (self.d * scale) ** 2 * self.var_a + (self.a * scale) ** 2 * var_d
        var_c += 6 * square * self.c**2
        variance = self.second**2
        variance *= 2
        for term in (self.first, self.third, self.first_two, gradient):
            variance += term**2
        variance *= square
        variance += self.w**2 * self.var_a[..., np.newaxis]
        variance += self.v**2 * var_c[..., np.newaxis]
        return variance

    def _score_variance(self, var_g):
        square = UNIT_ROUNDOFF**2
        var_dot = (self.p**2 * var_g).sum(1, keepdims=True)
        var_dot += square * (self.weighted**2).sum(1, keepdims=True)
        var_dot += square * (np.cumsum(self.weighted, 1) ** 2).sum(1, keepdims=True)
        var_gs = self.p**2 * (var_g + var_dot + square * (self.g - self.dot) ** 2)
        return self.r**2 * (var_gs + square * self.gs**2) + square * self.a**2

    def weight_variance(self):
        """Of this chunk's part of gsw; gradient_variance must have run."""
        square = UNIT_ROUNDOFF**2
        variance = np.einsum("tih,tih,ti->h", self.v, self.v, self.var_a)
        variance += square * np.einsum("tih,tih->h", self.products, self.products)
        sums = np.cumsum(self.products, 1)
        return variance + square * np.einsum("tih,tih->h", sums, sums)


def _squares(terms):
    """Sum of the squares along the last axis."""
    return np.einsum("...h,...h->...", terms, terms)


def _partial_sums_squared(terms):
    """Sum of the squares of all partial results when the last axis is added up lane by lane."""
    hidden = terms.shape[-1]
    lanes = terms[..., :_LANES].copy()
    total = _squares(lanes)
    for start in range(_LANES, hidden, _LANES):
        step = terms[..., start : start + _LANES]
        # Lanes past the end of the last step add nothing: they keep their sums.
        lanes[..., : step.shape[-1]] += step
        total += _squares(lanes)
    width = _LANES
    while width > 1:
        width //= 2
        if lanes.shape[-1] > width:
            upper = lanes[..., width:]
            lanes = lanes[..., :width].copy()
            lanes[..., : upper.shape[-1]] += upper
        total += _squares(lanes)
    return total
