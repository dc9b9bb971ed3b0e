"""The SoCs that the operator knows, as Python values. The numbers come from cc/host/platform."""

import dataclasses
import functools

from attnres import _twin
from attnres._errors import InvalidArgumentError

# The first SoC of which this package has kernels.
DEFAULT_SOC = "ascend950"

# __NPU_ARCH__ -> the folder that holds kernels and UB model of that arch.
_ARCH_NAMES = {2201: "arch22", 3510: "arch35"}


@dataclasses.dataclass(frozen=True)
class Soc:
    """One SoC profile.

    Attributes:
        name: as operator definitions, and every `soc` argument here, spell it.
        model: as aclrtGetSocName gives it.
        arch: "arch22" (memory-based vector instructions) or "arch35" (register-based).
        npu_arch: the value of __NPU_ARCH__.
        aiv_cores: vector cores; ub_bytes: Unified Buffer of each; l2_bytes: shared L2.
        clock_mhz: clock of the cores.
    """

    name: str
    model: str
    arch: str
    npu_arch: int
    aiv_cores: int
    ub_bytes: int
    l2_bytes: int
    clock_mhz: int


@functools.lru_cache(maxsize=1)
def socs() -> tuple[Soc, ...]:
    """The SoC profiles, in the order of the runtime's devices."""
    return tuple(
        Soc(
            name=profile["short_name"],
            model=profile["name"],
            arch=_ARCH_NAMES[profile["npu_arch"]],
            npu_arch=profile["npu_arch"],
            aiv_cores=profile["aiv_cores"],
            ub_bytes=profile["ub_bytes"],
            l2_bytes=profile["l2_bytes"],
            clock_mhz=profile["clock_mhz"],
        )
        for profile in _twin.soc_profiles()
    )


def find_soc(name) -> Soc:
    """The profile of that name; InvalidArgumentError lists the names when there is none."""
    for soc in socs():
        if isinstance(name, str) and soc.name == name:
            return soc
    names = [soc.name for soc in socs()]
    raise InvalidArgumentError(f"soc is {name!r}; expected {', '.join(names[:-1])} or {names[-1]}")
