"""The runtime of the CPU twin: libraries, SoC profiles, aclnn calls on NumPy memory."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

# A PyCapsule for jax._ffi_native.handler.
native_call: object

def call(
    api_name: str,
    inputs: list[Any],
    outputs: list[Any],
    soc: str,
    threads: int = 0,
    workspace: npt.NDArray[np.uint8] | None = None,
    mode: str = "",
    mode_options: str = "",
) -> tuple[int, str, dict[str, Any] | None]: ...
def empty_result(dtype: np.dtype[Any], shape: Sequence[int]) -> npt.NDArray[Any]: ...
def kernels(operator_name: str) -> list[dict[str, Any]]: ...
def load_libraries(runtime_path: str, operator_paths: Sequence[str]) -> str: ...
def prepare(api_name: str, inputs: tuple[Any, ...], results: tuple[Any, ...], soc: str) -> None: ...
def prepared_count(soc: str) -> int: ...
def repeat(
    api_name: str, inputs: tuple[Any, ...], soc: str, threads: int | None
) -> tuple[npt.NDArray[Any], ...] | None: ...
def set_log_level(level: int) -> None: ...
def soc_profiles() -> list[dict[str, Any]]: ...
