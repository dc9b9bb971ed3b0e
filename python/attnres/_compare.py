"""Whether a result agrees with a float64 golden, and by how much it is off.

A value is right when it is what rounding to its dtype makes of some number within `golden +- 6 deviations`
(see _reference.py for the deviation of the float32 computation). Rounding is monotone, so these values are
the interval [round(golden - 6 s), round(golden + 6 s)]: where nothing cancels it holds the correctly
rounded golden and at most its neighbour, which is narrower than one part in a hundred for every dtype.
By Azuma's inequality an honest float32 result leaves it with probability below 2 exp(-18) = 3e-8.

The error measures are those of the CANN precision standard: relative errors are taken against
|golden| + 1e-7. MARE is the largest, MERE the mean relative error, RMSE the root of the mean squared error.
"""

import dataclasses

import numpy as np

from attnres import _dtypes

DEVIATIONS = 6.0
_RELATIVE_FLOOR = 1e-7
# Results of products below the float32 range are multiples of this; one such step may be lost in each of
# the three terms of a gradient.
_UNDERFLOW = 3 * 2.0**-149


@dataclasses.dataclass(frozen=True)
class Comparison:
    """One output against its golden.

    Attributes:
        output: its name, e.g. "grad_block_res".
        mare, mere, rmse: error measures over the values where both are finite; 0 if there are none.
        wrong: number of values outside their interval.
        total: number of values.
        first_wrong: one sentence on the first wrong value, with its arithmetic; "" if none is wrong.
    """

    output: str
    mare: float
    mere: float
    rmse: float
    wrong: int
    total: int
    first_wrong: str

    @property
    def right(self) -> bool:
        return self.wrong == 0


def compare(output: str, actual: np.ndarray, golden: np.ndarray, deviation: np.ndarray) -> Comparison:
    """Compares `actual`, of a main dtype, with a float64 golden of the same shape."""
    dtype = _dtypes.main_dtype(actual.dtype)
    low, high = accepted_interval(golden, deviation, dtype)
    values = actual.astype(np.float64)
    with np.errstate(invalid="ignore"):
        right = (low <= values) & (values <= high) | (np.isnan(golden) & np.isnan(values))
    wrong = np.argwhere(~right)
    mare, mere, rmse = error_measures(values, golden)
    return Comparison(
        output=output,
        mare=mare,
        mere=mere,
        rmse=rmse,
        wrong=len(wrong),
        total=values.size,
        first_wrong=_explain(output, tuple(wrong[0]), values, golden, low, high) if len(wrong) else "",
    )


def accepted_interval(golden, deviation, dtype):
    """The smallest and the largest right value of each element, in float64."""
    slack = np.where(np.isfinite(golden), DEVIATIONS * np.nan_to_num(deviation) + _UNDERFLOW, 0.0)
    return _dtypes.round_to(golden - slack, dtype), _dtypes.round_to(golden + slack, dtype)


def error_measures(actual: np.ndarray, golden: np.ndarray) -> tuple[float, float, float]:
    """MARE, MERE and RMSE over the values where both are finite."""
    finite = np.isfinite(actual) & np.isfinite(golden)
    if not finite.any():
        return 0.0, 0.0, 0.0
    error = np.abs(actual[finite] - golden[finite])
    relative = error / (np.abs(golden[finite]) + _RELATIVE_FLOOR)
    return float(relative.max()), float(relative.mean()), float(np.sqrt((error**2).mean()))


def _explain(output, index, values, golden, low, high):
    place = ", ".join(str(int(i)) for i in index)
    return (
        f"{output}[{place}] is {values[index]:.9g}; expected {golden[index]:.9g}, "
        f"so a value from {low[index]:.9g} to {high[index]:.9g}"
    )
