"""The dtype table, and that rounding through it rounds once, to nearest even."""

import ml_dtypes
import numpy as np
import pytest

from attnres import _dtypes
from attnres._errors import InvalidArgumentError


@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=lambda d: d.short_name)
def test_found_by_name_type_and_numpy_dtype(dtype):
    for key in (dtype, dtype.name, dtype.numpy, dtype.numpy.type):
        assert _dtypes.main_dtype(key) is dtype


@pytest.mark.parametrize(
    "wrong",
    ["float64", "uint16", "bf16", "half", ">f4", None, 3, "V2", "f,,", "(2,", "9999999999f4", "\udcff"],
    ids=ascii,
)
def test_anything_else_is_refused(wrong):
    if wrong == "half":  # NumPy's own name of float16
        assert _dtypes.main_dtype(wrong).name == "float16"
        return
    with pytest.raises(InvalidArgumentError, match="expected float16, bfloat16 or float32"):
        _dtypes.main_dtype(wrong)


@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=lambda d: d.short_name)
def test_ulp_is_the_distance_to_the_next_number(dtype):
    for value in (1.0, 1.5, 2.0, 3.99, 1e-3, 2.0**dtype.min_exponent, 2.0 ** (dtype.min_exponent - 2)):
        here = dtype.numpy.type(value)
        following = float(np.nextafter(here, dtype.numpy.type(np.inf)))
        assert _dtypes.ulp(float(here), dtype) == following - float(here)


# Each value lies beside a tie, off by less than float32 can hold: rounding twice would hit the tie.
@pytest.mark.parametrize(
    "value, expected",
    [(1 + 2**-8 + 2**-40, 1 + 2**-7), (1 + 2**-8, 1.0), (1 + 3 * 2**-8 - 2**-40, 1 + 2**-7)],
    ids=["above_tie", "tie_to_even", "below_tie"],
)
def test_bfloat16_is_rounded_once(value, expected):
    assert _dtypes.round_to(np.array([value]), _dtypes.main_dtype(ml_dtypes.bfloat16))[0] == expected


@pytest.mark.parametrize(
    "value, expected",
    [(1 + 2**-11 + 2**-40, 1 + 2**-10), (1 + 2**-11, 1.0), (65520.0, np.inf), (65519.9, 65504.0)],
    ids=["above_tie", "tie_to_even", "overflow", "largest"],
)
def test_float16_is_rounded_once_and_overflows_to_infinity(value, expected):
    assert _dtypes.round_to(np.array([value]), _dtypes.main_dtype("float16"))[0] == expected


@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES[::2], ids=lambda d: d.short_name)
def test_rounding_equals_the_hardware_cast(dtype):
    rng = np.random.default_rng(3)
    values = rng.standard_normal(20000) * 2.0 ** rng.integers(dtype.min_exponent - 30, 20, 20000)
    values[:4] = (np.inf, -np.inf, np.nan, -0.0)
    with np.errstate(over="ignore"):
        wanted = values.astype(dtype.numpy).astype(np.float64)
    np.testing.assert_array_equal(_dtypes.round_to(values, dtype), wanted)
