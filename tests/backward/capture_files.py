"""Where the captures are: three ship with the package, three are for tests only."""

import dataclasses
import pathlib

from attnres import _libraries


@dataclasses.dataclass(frozen=True)
class CaptureFiles:
    """Paths of one capture's inputs and float64 results."""

    inputs: str
    expected: str


def find(shape: str, dtype: str) -> CaptureFiles:
    """The files of a capture such as ("T48_N6_H1168", "bfloat16")."""
    stem = f"capture_{shape}_{dtype}"
    own = pathlib.Path(__file__).parent.parent / "data"
    if (own / f"{stem}.safetensors").exists():
        return CaptureFiles(str(own / f"{stem}.safetensors"), str(own / f"{stem}.expected.safetensors"))
    return CaptureFiles(
        _libraries.locate(f"data/{stem}.safetensors"), _libraries.locate(f"data/{stem}.expected.safetensors")
    )
