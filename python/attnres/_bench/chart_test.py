"""The chart of `bench --plot`: a PNG with all panels, whatever the rows hold."""

import struct

import pytest
from attnres._bench import chart


def row(shape, who, seconds, ratio):
    return {
        "shape": shape,
        "dtype": "float32",
        "who": who,
        "seconds_median": seconds,
        "seconds_min": seconds * 0.9,
        "seconds_max": seconds * 1.3,
        "ours_is_faster_by": ratio,
    }


@pytest.mark.parametrize("panels", [1, 3])
def test_writes_a_png(tmp_path, panels):
    rows = []
    for panel in range(panels):
        shape = f"{2**panel}x4x64"
        rows += [
            row(shape, "ours_ascend910b", 1e-5, 1.0),
            row(shape, "copy", 1e-7, 0.01),
            row(shape, "numpy", 2.0, None),
        ]
    path = tmp_path / "x.png"
    chart.write(str(path), rows)
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])
    assert width == 1350 and height == int(150 * (1 + panels * (3 * 0.35 + 0.9)))
