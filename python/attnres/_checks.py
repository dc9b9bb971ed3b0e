"""What a caller's arrays must be, checked in the order: dimensions, dtypes, shapes, valid_block_num.

The C interface checks the same again with its own argument names. These checks exist so that a
message has Python's names, and so that no array is ever cast on the way.
"""

import dataclasses
import math
import operator

import numpy as np

from attnres import _dtypes
from attnres._errors import PARAM_NULLPTR, InvalidArgumentError

MAX_BLOCKS = 128

# Argument -> names of its dimensions; "1" is the literal one, with "1?" the array may lack that dimension, and "..."
# stands for the leading dimensions of partial_block, of any number. The order is that of the C interface.
INPUT_DIMENSIONS = {
    "partial_block": ("tokens", "hidden"),
    "block_res": ("tokens", "blocks", "hidden"),
    "proj_weight": ("1", "hidden"),
    "norm_weight": ("hidden",),
    "grad_hidden_states": ("tokens", "hidden"),
    "inv_norm": ("tokens", "blocks + 1"),
    "probs": ("tokens", "blocks + 1"),
}
FORWARD_INPUT_DIMENSIONS = {
    "partial_block": ("tokens", "hidden"),
    "block_res": ("tokens", "blocks", "hidden"),
    "proj_weight": ("1?", "hidden"),
    "norm_weight": ("hidden",),
}
LEADING_FORWARD_INPUT_DIMENSIONS = FORWARD_INPUT_DIMENSIONS | {
    "partial_block": ("...", "hidden"),
    "block_res": ("...", "blocks", "hidden"),
}
FLOAT32_INPUTS = ("inv_norm", "probs")

OUTPUT_NAMES = ("grad_partial_block", "grad_block_res", "grad_proj_weight", "grad_norm_weight")
FORWARD_OUTPUT_NAMES = ("hidden_states", "inv_norm", "probs")


@dataclasses.dataclass(frozen=True)
class Problem:
    """The sizes of one call, and its main dtype."""

    tokens: int
    blocks: int
    hidden: int
    dtype: _dtypes.MainDtype


def as_arrays(arguments: dict) -> dict[str, np.ndarray]:
    """The arguments as NumPy arrays, without a copy where they are arrays already."""
    arrays = {}
    for name, value in arguments.items():
        if value is None:
            raise InvalidArgumentError(f"{name} is None; expected an array", PARAM_NULLPTR)
        try:
            arrays[name] = np.asarray(value)
        except (TypeError, ValueError) as error:
            raise InvalidArgumentError(
                f"{name} is a {type(value).__name__} that is no array; expected an array"
            ) from error
    return arrays


def check(arrays: dict[str, np.ndarray], valid_block_num, table=None) -> Problem:
    """Returns the sizes of a right call; raises InvalidArgumentError for the first fault.

    `table`: a call's arguments and dimensions, INPUT_DIMENSIONS where it is None.
    """
    table = INPUT_DIMENSIONS if table is None else table
    _check_dimensions(arrays, table)
    dtype = _check_dtypes(arrays, table)
    problem = _check_shapes(arrays, dtype, table)
    _check_valid_block_num(valid_block_num, problem.blocks)
    return problem


def _check_dimensions(arrays, table):
    for name, dimensions in table.items():
        layouts = [dimensions]
        if dimensions[0] == "1?":
            layouts = [dimensions[1:], ("1", *dimensions[1:])]
        actual = arrays[name].ndim
        if dimensions[0] == "...":
            _check_leading_dimensions(name, actual, dimensions, arrays["partial_block"].ndim)
        elif actual not in map(len, layouts):
            expected = " or ".join(f"{len(layout)}: [{', '.join(layout)}]" for layout in layouts)
            raise InvalidArgumentError(f"{name} has {actual} dimensions; expected {expected}")


def _check_leading_dimensions(name, actual, dimensions, partial_block_dimensions):
    layout = f"[{', '.join(dimensions)}]"
    if name == "partial_block":
        if actual < 1:
            raise InvalidArgumentError(f"{name} has {actual} dimensions; expected at least 1: {layout}")
        return
    expected = partial_block_dimensions + len(dimensions) - 2
    if actual != expected:
        raise InvalidArgumentError(
            f"{name} has {actual} dimensions; expected {expected}: {layout}, one more than partial_block"
        )


def _check_dtypes(arrays, table):
    main = _dtypes.find_main_dtype(arrays["partial_block"].dtype)
    if main is None:
        raise InvalidArgumentError(
            f"partial_block has dtype {arrays['partial_block'].dtype}; expected {_dtypes.MAIN_DTYPE_NAMES}"
        )
    for name in table:
        actual = arrays[name].dtype
        if name in FLOAT32_INPUTS:
            if actual != np.float32:
                raise InvalidArgumentError(f"{name} has dtype {actual}; expected float32")
        elif actual != main.numpy:
            raise InvalidArgumentError(f"{name} has dtype {actual}; expected {main.name}, the dtype of partial_block")
    return main


def _check_shapes(arrays, dtype, table):
    *leading, hidden = arrays["partial_block"].shape
    tokens = math.prod(leading)
    blocks = arrays["block_res"].shape[-2]
    blocks_source = f"block_res.shape[{len(leading)}]"
    if blocks > MAX_BLOCKS:
        raise InvalidArgumentError(f"{blocks_source} ({blocks}) is out of range; expected 0 to {MAX_BLOCKS}")
    expected = {
        "tokens": (tokens, "partial_block.shape[0]"),
        "hidden": (hidden, f"partial_block.shape[{len(leading)}]"),
        "blocks": (blocks, blocks_source),
        "blocks + 1": (blocks + 1, f"{blocks_source} + 1"),
    }
    each_leading = {f"...[{axis}]": (size, f"partial_block.shape[{axis}]") for axis, size in enumerate(leading)}
    expected |= each_leading
    for name, dimensions in table.items():
        if dimensions[0] == "...":
            dimensions = (*each_leading, *dimensions[1:])
        for axis, dimension in enumerate(dimensions[-arrays[name].ndim :]):
            actual = arrays[name].shape[axis]
            if dimension in ("1", "1?"):
                if actual != 1:
                    raise InvalidArgumentError(f"{name}.shape[{axis}] is {actual}; expected 1")
            elif actual != expected[dimension][0]:
                size, source = expected[dimension]
                raise InvalidArgumentError(f"{name}.shape[{axis}] ({actual}) does not match {source} ({size})")
    return Problem(tokens, blocks, hidden, dtype)


def _check_valid_block_num(value, blocks):
    try:
        number = operator.index(value)
    except TypeError:
        raise InvalidArgumentError(f"valid_block_num is a {type(value).__name__}; expected an integer") from None
    if number not in (-1, blocks):
        raise InvalidArgumentError(f"valid_block_num is {number}; expected -1 or {blocks}, the number of blocks")


def check_norm_eps(value) -> float:
    """The float that the C interface gets: as float32 it is finite and above 0."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise InvalidArgumentError(f"norm_eps is a {type(value).__name__}; expected a number") from None
    with np.errstate(over="ignore"):
        stored = np.float32(number)
    if not (np.isfinite(stored) and stored > 0):
        raise InvalidArgumentError(f"norm_eps is {number}; expected a finite float32 above 0")
    return number


def check_threads(threads) -> int:
    """Host threads as the runtime takes them: 0 stands for its default."""
    if threads is None:
        return 0
    try:
        number = operator.index(threads)
    except TypeError:
        raise InvalidArgumentError(
            f"threads is a {type(threads).__name__}; expected a positive integer or None"
        ) from None
    if not 1 <= number <= 1024:
        raise InvalidArgumentError(f"threads is {number}; expected 1 to 1024, or None")
    return number
