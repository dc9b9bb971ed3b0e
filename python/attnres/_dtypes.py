"""The one table of main dtypes: their names, NumPy types and rounding facts.

Everything that depends on a dtype (checks, tiling, tolerances, test grids) reads this table.
"""

import dataclasses

import ml_dtypes
import numpy as np

from attnres._errors import InvalidArgumentError


@dataclasses.dataclass(frozen=True)
class MainDtype:
    """A dtype that the operator's main tensors may have.

    Attributes:
        name: as NumPy and the command line spell it.
        short_name: as test ids and tables spell it.
        numpy: the NumPy dtype; bfloat16 is that of ml_dtypes.
        mantissa_bits: stored fraction bits; one ulp of x is 2**(exponent(x) - mantissa_bits).
        min_exponent: exponent of the smallest normal number; max_exponent: of the largest.
    """

    name: str
    short_name: str
    numpy: np.dtype
    mantissa_bits: int
    min_exponent: int
    max_exponent: int

    @property
    def itemsize(self) -> int:
        return self.numpy.itemsize


MAIN_DTYPES = (
    MainDtype("float16", "fp16", np.dtype(np.float16), 10, -14, 15),
    MainDtype("bfloat16", "bf16", np.dtype(ml_dtypes.bfloat16), 7, -126, 127),
    MainDtype("float32", "fp32", np.dtype(np.float32), 23, -126, 127),
)

_FLOAT64_MANTISSA_BITS = 52
_FLOAT64_BIAS = 1023

MAIN_DTYPE_NAMES = "float16, bfloat16 or float32"


def find_main_dtype(dtype) -> MainDtype | None:
    """The row of a NumPy dtype (native byte order), or None when it is no main dtype."""
    for row in MAIN_DTYPES:
        if row.numpy == dtype:
            return row
    return None


def main_dtype(dtype) -> MainDtype:
    """The row for a name or anything that NumPy takes as a dtype; InvalidArgumentError if none."""
    if isinstance(dtype, MainDtype):
        return dtype
    for row in MAIN_DTYPES:
        if isinstance(dtype, str) and dtype == row.name:
            return row
    try:
        found = find_main_dtype(np.dtype(dtype))
    except (TypeError, ValueError, SyntaxError):
        # What NumPy raises for a string depends on its commas, brackets and digits.
        found = None
    if found is None:
        raise InvalidArgumentError(f"dtype is {dtype!s}; expected {MAIN_DTYPE_NAMES}")
    return found


def round_to(values: np.ndarray, dtype: MainDtype) -> np.ndarray:
    """float64 values rounded once, to nearest even, to the dtype; overflow gives infinity.

    The result is float64. ml_dtypes' own cast to bfloat16 goes through float32, so it rounds twice.
    """
    step = ulp(values, dtype)
    with np.errstate(invalid="ignore"):
        rounded = np.rint(values / step) * step
        overflow = np.abs(rounded) >= 2.0 ** (dtype.max_exponent + 1)
    if not overflow.any():
        return rounded
    return np.where(overflow, np.copysign(np.inf, rounded), rounded)


def ulp(values: np.ndarray, dtype: MainDtype) -> np.ndarray:
    """Distance between neighbours of the dtype at each |value| (float64), subnormals included."""
    # The exponent fields of float64, in place: frexp and ldexp take five times as long.
    exponent = np.abs(np.asarray(values, np.float64)).view(np.int64) >> _FLOAT64_MANTISSA_BITS
    exponent = np.maximum(exponent, dtype.min_exponent + _FLOAT64_BIAS)
    return ((exponent - dtype.mantissa_bits) << _FLOAT64_MANTISSA_BITS).view(np.float64)
