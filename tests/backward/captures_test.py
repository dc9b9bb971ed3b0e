"""Six captured training steps against their float64 results, through the command line as a user runs it."""

import json

import numpy as np
import pytest
from attnres import _checks, _dtypes, _tensor_files, cli
from attnres.testing import cases

from tests.backward import capture_files

CAPTURES = [(shape, dtype) for shape in ("T128_N4_H192", "T48_N6_H1168") for dtype in _dtypes.MAIN_DTYPES]


def run(capsys, *arguments):
    code = cli.main(["attnres", "backward", "--json", *arguments])
    return code, json.loads(capsys.readouterr().out)


def case_id(value):
    return value if isinstance(value, str) else value.short_name


@pytest.mark.parametrize("soc", cases.SOCS)
@pytest.mark.parametrize("shape, dtype", CAPTURES, ids=case_id)
def test_right(capsys, shape, dtype, soc):
    files = capture_files.find(shape, dtype.name)
    code, found = run(capsys, f"--input={files.inputs}", f"--expected={files.expected}", f"--soc={soc}")
    assert code == 0, found
    assert (found["path"], found["soc"], found["dtype"]) == ("FULL_H", soc, dtype.name)


@pytest.mark.parametrize("shape, dtype", CAPTURES, ids=case_id)
def test_one_value_off_by_one_percent_is_found_in_each_output(capsys, tmp_path, shape, dtype):
    files = capture_files.find(shape, dtype.name)
    altered = {name: value.copy() for name, value in _tensor_files.read(files.expected).items()}
    rng = np.random.default_rng(20260101)
    for name in _checks.OUTPUT_NAMES:
        value = altered[f"expected.{name}"]
        # Any value that is not among the smallest of its tensor: those may be what cancellation left.
        large = np.flatnonzero(np.abs(value) > 0.1 * np.abs(value).mean())
        value.reshape(-1)[rng.choice(large)] *= 1.01
    path = str(tmp_path / "altered.safetensors")
    _tensor_files.write(path, altered)
    code, found = run(capsys, f"--input={files.inputs}", f"--expected={path}")
    assert code == 1
    assert {o["output"]: o["wrong"] for o in found["outputs"]} == dict.fromkeys(_checks.OUTPUT_NAMES, 1)
