"""The table of dtypes, shapes and SoCs that drives every grid, with ids made of the values."""

import dataclasses

from attnres import _dtypes
from attnres.testing import spec_tiling

# SoCs whose kernels this build has.
SOCS = ("ascend910b", "ascend910_93", "ascend950")
# One of each architecture.
ARCH_SOCS = ("ascend910b", "ascend950")

HIDDEN_SIZES = (
    *(1, 2, 3, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127),
    *(126, 513, 520, 1000, 1025, 1168, 4096, 7186, 8192, 16384),
)
BLOCKS = (0, 1, 3, 8, 128)


def token_counts(soc: str) -> tuple[int, ...]:
    """Token counts around the number of cores of a SoC."""
    cores = spec_tiling.CORES[spec_tiling.SOC_ARCHS[soc]]
    return (0, 1, cores - 1, cores, cores + 1, 2 * cores + 1)


@dataclasses.dataclass(frozen=True)
class Case:
    """One call of the operator."""

    dtype: _dtypes.MainDtype
    tokens: int
    blocks: int
    hidden: int
    soc: str

    @property
    def path(self) -> str | None:
        """The kernel path that must run; None where no kernel is to run."""
        if self.tokens == 0 or self.hidden == 0:
            return None
        arch = spec_tiling.SOC_ARCHS[self.soc]
        return spec_tiling.plan(arch, self.tokens, self.blocks, self.hidden, self.dtype.itemsize)["path"]

    def __str__(self) -> str:
        return (
            f"{self.dtype.short_name}-T{self.tokens}-N{self.blocks}-H{self.hidden}-{self.soc}-"
            f"{self.path or 'no_kernel'}"
        )


def dtype_id(dtype: _dtypes.MainDtype) -> str:
    """The id of a dtype in a test's name."""
    return dtype.short_name


# Elements of V that a case of the grid may have, so that the grid takes minutes, not hours.
_MOST_ELEMENTS = 250_000


def grid() -> list[Case]:
    """Every (H, N, dtype, SoC); the token count walks through its own list from case to case.

    Where V would get too large the largest token count that fits is taken.
    """
    result = []
    for soc_index, soc in enumerate(SOCS):
        counts = token_counts(soc)
        for hidden_index, hidden in enumerate(HIDDEN_SIZES):
            for blocks_index, blocks in enumerate(BLOCKS):
                for dtype_index, dtype in enumerate(_dtypes.MAIN_DTYPES):
                    turn = hidden_index + blocks_index + dtype_index + 3 * soc_index
                    wanted = counts[turn % len(counts)]
                    fitting = [t for t in counts if t * (blocks + 1) * hidden <= _MOST_ELEMENTS]
                    result.append(Case(dtype, min(wanted, max(fitting)), blocks, hidden, soc))
    return list(dict.fromkeys(result))


def token_grid() -> list[Case]:
    """Every (T, N) at one odd FULL_H width, and a few at a SPLIT_H width."""
    result = []
    for soc in SOCS:
        for tokens in token_counts(soc):
            for blocks in BLOCKS[:-1]:
                for dtype in _dtypes.MAIN_DTYPES:
                    result.append(Case(dtype, tokens, blocks, 33, soc))
            for dtype in _dtypes.MAIN_DTYPES:
                result.append(Case(dtype, tokens, 1, 7264, soc))
    return result
