"""What `bench` measures: shapes, dtypes and passes as the flags give them, and the bytes that each must move."""

import dataclasses
import re

from attnres import _checks, _dtypes
from attnres._errors import InvalidArgumentError

# What --pass has: the gradients from what the forward saved, the forward, or the forward and its gradients.
PASSES = ("backward", "forward", "both")

_SHAPE = re.compile(r"(\d+)x(\d+)x(\d+)(?::(\w+))?")


@dataclasses.dataclass(frozen=True)
class Case:
    """One shape and dtype, and the pass that is timed."""

    tokens: int
    blocks: int
    hidden: int
    dtype: _dtypes.MainDtype
    timed: str = "backward"

    @property
    def shape(self) -> str:
        return f"{self.tokens}x{self.blocks}x{self.hidden}"

    @property
    def minimal_bytes(self) -> int:
        """Global memory that the pass cannot avoid: each tensor once, and for both passes what each of them needs.

        The backward: per token grad_hidden, N + 1 rows of V and of gradV, inv_norm and probs; two weights and their
        gradients. The forward: per token N + 1 rows of V and the result, inv_norm and probs; two weights.
        """
        rows = self.blocks + 1
        backward = self._bytes(2 * rows + 1, 4)
        forward = self._bytes(rows + 1, 2)
        return {"backward": backward, "forward": forward, "both": forward + backward}[self.timed]

    def _bytes(self, rows, weights):
        row = self.hidden * self.dtype.itemsize
        return self.tokens * (rows * row + 8 * (self.blocks + 1)) + weights * row

    @property
    def copied_bytes(self) -> int:
        """What a copy of V to gradV moves: each of its rows read and written."""
        return 2 * self.read_bytes

    @property
    def read_bytes(self) -> int:
        """The rows of V once."""
        return self.tokens * (self.blocks + 1) * self.hidden * self.dtype.itemsize


def parse(shapes: list[str], dtypes: list[str], timed: str = "backward") -> list[Case]:
    """The cases that --shapes, --dtype and --pass mean, each once; a shape with its own dtype takes no other.

    InvalidArgumentError names the flag, what it has and what was expected.
    """
    mains = [_dtype("--dtype", name) for name in dtypes]
    if not shapes or not mains:
        raise InvalidArgumentError(f"--{'dtype' if shapes else 'shapes'} is empty; expected at least one value")
    cases = [
        Case(*sizes, dtype, timed)
        for text in shapes
        for sizes, own in [_parse_shape(text)]
        for dtype in ([own] if own else mains)
    ]
    return list(dict.fromkeys(cases))


def _parse_shape(text):
    match = _SHAPE.fullmatch(text.strip())
    expected = "expected TxNxH or TxNxH:dtype, such as 2048x8x4096"
    if not match:
        raise InvalidArgumentError(f"--shapes has {text!r}; {expected}")
    tokens, blocks, hidden = (int(size) for size in match.groups()[:3])
    if tokens < 1 or hidden < 1 or blocks > _checks.MAX_BLOCKS:
        raise InvalidArgumentError(
            f"--shapes has {text!r}; {expected}, with T and H of at least 1 and N from 0 to {_checks.MAX_BLOCKS}"
        )
    return (tokens, blocks, hidden), _dtype("--shapes", match[4]) if match[4] else None


def _dtype(flag, name):
    for row in _dtypes.MAIN_DTYPES:
        if name.strip() == row.name:
            return row
    raise InvalidArgumentError(f"{flag} has {name!r}; expected {_dtypes.MAIN_DTYPE_NAMES}")
