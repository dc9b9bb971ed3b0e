"""Texts of elements and masks, from their bytes."""

import struct

import pytest

from cc.ascendc.gdb import ascendc_values as values


@pytest.mark.parametrize(
    "type_name, fallback, pattern, numbers, texts",
    [
        (
            "half",
            None,
            "H",
            [0x3C00, 0xC100, 0x2E66, 0x7BFF, 0x0001, 0x7C00, 0x7E01],
            "1 -2.5 0.099976 65504 5.9605e-08 inf nan",
        ),
        ("bfloat16_t", None, "H", [0x3F80, 0xC020, 0x3DCD, 0xFF80, 0x7FC0], "1 -2.5 0.1001 -inf nan"),
        ("float", None, "f", [0.1, 1 / 3, 16777215.0, 3.4028234663852886e38], "0.1 0.33333334 16777215 3.4028235e+38"),
        ("int", "i", "i", [-1, 2147483647], "-1 2147483647"),
        ("unsigned char", "B", "B", [0, 255], "0 255"),
        ("bool", None, "B", [1, 0], "1 0"),
    ],
    ids=["half", "bfloat16", "float", "int32", "uint8", "bool"],
)
def test_elements(type_name, fallback, pattern, numbers, texts):
    data = struct.pack("<%d%s" % (len(numbers), pattern), *numbers)
    assert values.unpack(data, type_name, fallback) == texts.split()


def test_type_without_a_format_has_no_elements():
    assert values.unpack(b"1234", "Unknown") == []


@pytest.mark.parametrize(
    "size, is_signed, letter", [(1, True, "b"), (2, False, "H"), (4, True, "i"), (8, False, "Q"), (3, True, None)]
)
def test_integer_formats(size, is_signed, letter):
    assert values.integer_format(size, is_signed) == letter


def _flags(active):
    return [1 if index in active else 0 for index in range(256)]


def test_masks_name_their_elements():
    assert values.mask_text(_flags(())) == "none of 256 bytes"
    assert values.mask_text(_flags(range(0, 32, 4))) == "8 of 64 elements of 4 bytes: 0-7"
    assert values.mask_text(_flags(range(2, 256, 2))) == "127 of 128 elements of 2 bytes: 1-127"
    assert values.mask_text(_flags((0, 1, 2, 9))) == "4 of 256 elements of 1 bytes: 0-2, 9"
