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
# Elements of V that are held in float64 at a time.
_CHUNK_ELEMENTS = 1 << 22


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
            rows[start : start + step] = chunk.gradient()
            weight += chunk.products.sum((0, 1))
            if with_variance:
                rows_variance[start : start + step] = chunk.gradient_variance()
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
        self.g = (self.upstream * self.v).sum(-1)
        self.d = (w * self.v).sum(-1)
        self.weighted = self.p * self.g
        self.dot = self.weighted.sum(1, keepdims=True)
        self.gs = self.p * (self.g - self.dot)
        self.a = self.gs * self.r
        self.c = self.a * (self.d * self.r) * self.r / w.size
        self.products = self.a[..., np.newaxis] * self.v

    def gradient(self):
        first, second, third = self._terms()
        return first + second - third

    def _terms(self):
        return (
            self.upstream * self.p[..., np.newaxis],
            self.a[..., np.newaxis] * self.w,
            self.c[..., np.newaxis] * self.v,
        )

    def gradient_variance(self):
        square = UNIT_ROUNDOFF**2
        dot_rows = self.upstream * self.v
        score_rows = self.w * self.v
        var_g = square * ((dot_rows**2).sum(-1) + _partial_sums_squared(dot_rows))
        var_d = square * (2 * (score_rows**2).sum(-1) + _partial_sums_squared(score_rows))
        self.var_a = self._score_variance(var_g)
        scale = self.r**2 / self.w.size
        var_c = (self.d * scale) ** 2 * self.var_a + (self.a * scale) ** 2 * var_d
        var_c += 6 * square * self.c**2
        first, second, third = self._terms()
        rounding = first**2 + 2 * second**2 + third**2
        rounding += (first + second) ** 2 + (first + second - third) ** 2
        var_a, var_c = self.var_a[..., np.newaxis], var_c[..., np.newaxis]
        return self.w**2 * var_a + self.v**2 * var_c + square * rounding

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
        variance = (self.v**2 * self.var_a[..., np.newaxis]).sum((0, 1))
        variance += square * (self.products**2).sum((0, 1))
        return variance + square * (np.cumsum(self.products, 1) ** 2).sum((0, 1))


def _partial_sums_squared(terms):
    """Sum of the squares of all partial results when the last axis is added up lane by lane."""
    steps = max(1, -(-terms.shape[-1] // _LANES))
    padded = np.zeros((*terms.shape[:-1], steps * _LANES))
    padded[..., : terms.shape[-1]] = terms
    sums = np.cumsum(padded.reshape(*terms.shape[:-1], steps, _LANES), axis=-2)
    total = (sums**2).sum((-1, -2))
    lanes = sums[..., -1, :]
    while lanes.shape[-1] > 1:
        half = lanes.shape[-1] // 2
        lanes = lanes[..., :half] + lanes[..., half:]
        total += (lanes**2).sum(-1)
    return total
