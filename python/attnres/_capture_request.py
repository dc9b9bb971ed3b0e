"""What `attnres capture` asks of the program that it runs, and what it gets back; attnres.torch answers.

The request is in an environment variable, the answer in two files of a folder.
"""

import dataclasses
import json
import os
import pathlib

_VARIABLE = "ATTNRES_CAPTURE"


@dataclasses.dataclass(frozen=True)
class Request:
    """The call wanted: a step and a call in it, counted from 0; None stands for the last."""

    folder: str
    step: int | None = None
    call: int | None = None

    def environment(self) -> dict[str, str]:
        """The variables that the program needs."""
        return {_VARIABLE: json.dumps(dataclasses.asdict(self))}

    @property
    def tensors(self) -> str:
        """File with the seven tensors of the call."""
        return str(pathlib.Path(self.folder) / "tensors.safetensors")

    @property
    def report(self) -> pathlib.Path:
        """File with a Report."""
        return pathlib.Path(self.folder) / "report.json"


@dataclasses.dataclass(frozen=True)
class Report:
    """What the program did.

    Attributes:
        calls: of the backward in each step; what follows the last step of an optimizer is a step if there is a call.
        step, call: of the tensors that were written; None if there are none.
    """

    calls: list[int]
    step: int | None = None
    call: int | None = None

    def write(self, path: pathlib.Path) -> None:
        part = path.with_suffix(".part")
        part.write_text(json.dumps(dataclasses.asdict(self)), encoding="utf-8")
        part.replace(path)


def read_report(path: pathlib.Path) -> Report:
    """The report that a program wrote; one without steps if it wrote none."""
    if not path.is_file():
        return Report([])
    return Report(**json.loads(path.read_text(encoding="utf-8")))


def of_environment() -> Request | None:
    """The request to this program, if there is one."""
    text = os.environ.get(_VARIABLE)
    return Request(**json.loads(text)) if text else None
