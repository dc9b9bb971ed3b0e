"""Bytes of tensors as text, for ascendc.py; nothing here needs gdb.

Numbers have as many digits as tell the values of their type apart, as in cc/ascendc/launch/dump_text.h.
"""

import struct

# Element type in kernels -> format of struct.unpack, significant digits of a float
_FORMATS = {
    "half": ("e", 5),
    "bfloat16_t": ("H", 4),
    "float": ("f", 9),
    "double": ("d", 17),
    "bool": ("B", None),
}
_INTEGERS = {1: "b", 2: "h", 4: "i", 8: "q"}


def integer_format(size, is_signed):
    """The struct format of an integer of `size` bytes; None if there is none."""
    letter = _INTEGERS.get(size)
    return letter if is_signed or letter is None else letter.upper()


def unpack(data, type_name, fallback=None):
    """The elements in `data` as texts; `fallback`: struct format of types that have no name here."""
    letter, digits = _FORMATS.get(type_name, (fallback, None))
    if letter is None:
        return []
    values = struct.unpack("<%d%s" % (len(data) // struct.calcsize("<" + letter), letter), data)
    if type_name == "bfloat16_t":
        values = [struct.unpack("<f", struct.pack("<I", bits << 16))[0] for bits in values]
    return [str(value) if digits is None else float_text(value, digits) for value in values]


def float_text(value, digits):
    """The fewest digits, from 6 on, that give a float32 back; `digits` of any other float."""
    if value != value:
        return "nan"
    if digits == _FORMATS["float"][1]:
        for fewer in range(6, digits):
            text = "%.*g" % (fewer, value)
            if _is_float32(text, value):
                return text
    return "%.*g" % (digits, value)


def _is_float32(text, value):
    try:
        return struct.pack("<f", float(text)) == struct.pack("<f", value)
    except OverflowError:  # rounded above the largest
        return False


def mask_text(flags):
    """What a mask register has set; `flags`: a 0 or 1 for each of its bits, one for each byte of a register."""
    active = [index for index, flag in enumerate(flags) if flag]
    size = next(size for size in (4, 2, 1) if all(index % size == 0 for index in active))
    if not active:
        return "none of %d bytes" % len(flags)
    lanes = [index // size for index in active]
    return "%d of %d elements of %d bytes: %s" % (len(lanes), len(flags) // size, size, _ranges(lanes))


def _ranges(numbers):
    ranges = []
    for number in numbers:
        if ranges and ranges[-1][1] + 1 == number:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ", ".join(str(first) if first == last else "%d-%d" % (first, last) for first, last in ranges)
