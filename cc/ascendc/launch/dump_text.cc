// Elements of any type as text, flat or in a shape.
#include "cc/ascendc/launch/dump_text.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace attnres::launch {
namespace {

constexpr uint64_t kPerLine = 16;

template <typename T>
T Load(const void* data, uint64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(data) + index * sizeof(T), sizeof(T));
  return value;
}

template <typename... Args>
std::string Text(const char* format, Args... args) {
  char text[128];
  std::snprintf(text, sizeof(text), format, args...);
  return text;
}

// IEEE 754-2019 binary16.
double HalfValue(uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1F;
  const int fraction = bits & 0x3FF;
  double magnitude =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 0x400, exponent - 25);
  if (exponent == 0x1F) {
    magnitude = fraction == 0 ? INFINITY : NAN;
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

float Bfloat16Value(uint16_t bits) {
  const uint32_t wide = static_cast<uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof(value));
  return value;
}

std::string FloatText(double value, int digits) {
  return std::isnan(value) ? "nan" : Text("%.*g", digits, value);
}

// The fewest digits, from %g's 6 on, that give the value back.
std::string Float32Text(float value) {
  std::string text;
  for (int digits = 6; digits <= 9; ++digits) {
    text = FloatText(static_cast<double>(value), digits);
    if (std::strtof(text.c_str(), nullptr) == value) {
      break;
    }
  }
  return text;
}

int64_t SignedValue(const void* data, uint8_t bytes, uint64_t index) {
  switch (bytes) {
    case 1:
      return Load<int8_t>(data, index);
    case 2:
      return Load<int16_t>(data, index);
    case 4:
      return Load<int32_t>(data, index);
    default:
      return Load<int64_t>(data, index);
  }
}

uint64_t UnsignedValue(const void* data, uint8_t bytes, uint64_t index) {
  const uint64_t value = static_cast<uint64_t>(SignedValue(data, bytes, index));
  return bytes < 8 ? value & ((uint64_t{1} << (8 * bytes)) - 1) : value;
}

std::string ElementText(const AscendcTwinDump& dump, uint64_t index) {
  switch (dump.element_kind) {
    case kAscendcTwinBfloat16:  // 8 significant bits, a half's 11
      return FloatText(static_cast<double>(Bfloat16Value(Load<uint16_t>(dump.data, index))), 4);
    case kAscendcTwinFloat:
      return dump.element_bytes == 2   ? FloatText(HalfValue(Load<uint16_t>(dump.data, index)), 5)
             : dump.element_bytes == 4 ? Float32Text(Load<float>(dump.data, index))
                                       : FloatText(Load<double>(dump.data, index), 17);
    case kAscendcTwinSigned:
      return Text("%" PRId64, SignedValue(dump.data, dump.element_bytes, index));
    default:
      return Text("%" PRIu64, UnsignedValue(dump.data, dump.element_bytes, index));
  }
}

std::string TypeName(const AscendcTwinDump& dump) {
  static const char* const kNames[] = {"int", "uint", "float", "bfloat", "bool"};
  const std::string name = kNames[dump.element_kind];
  return dump.element_kind == kAscendcTwinBool ? name : name + Text("%d", 8 * dump.element_bytes);
}

std::string FlatText(const AscendcTwinDump& dump) {
  std::string text;
  for (uint64_t i = 0; i < dump.readable; ++i) {
    text += i % kPerLine == 0 ? Text("\n[%" PRIu64 "] ", i) : " ";
    text += ElementText(dump, i);
  }
  return text;
}

std::string ShapedText(const AscendcTwinDump& dump) {
  const uint32_t* shape = dump.shape;
  const uint32_t last = dump.dimensions - 1;
  uint64_t rows = 1;
  std::string extents;
  for (uint32_t i = 0; i <= last; ++i) {
    rows *= i < last ? shape[i] : 1;
    extents += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  }
  std::string text;
  if (rows * shape[last] != dump.count) {
    text = "\nshape is [" + extents + "], dumpSize is " + std::to_string(dump.count) +
           (rows * shape[last] < dump.count ? ", dumpSize is greater than shapeSize."
                                            : ", data is not enough.");
  }
  for (uint64_t row = 0; row < rows; ++row) {
    // The brackets that open and close with this row: its own, and those around it.
    std::string opening = "[";
    std::string closing = "]";
    uint64_t inside = 1;
    for (uint32_t i = last; i > 0; --i) {
      inside *= shape[i - 1];
      opening += row % inside == 0 ? "[" : "";
      closing += (row + 1) % inside == 0 ? "]" : "";
    }
    text += "\n" + opening;
    for (uint64_t column = 0; column < shape[last]; ++column) {
      const uint64_t i = row * shape[last] + column;
      text += column == 0 ? "" : ", ";
      text += i < dump.readable ? ElementText(dump, i) : "-";
    }
    text += closing + (row + 1 < rows ? "," : "");
  }
  return text;
}

}  // namespace

std::string DumpText(const AscendcTwinDump& dump) {
  std::string text = Text("DumpTensor: desc=%" PRIu32 ", addr=0x%" PRIx64 ", data_type=", dump.desc,
                          dump.address) +
                     TypeName(dump) + ", position=" + dump.position +
                     ", dump_size=" + std::to_string(dump.count);
  text += dump.dimensions == 0 ? FlatText(dump) : ShapedText(dump);
  if (dump.readable < dump.count) {
    text += "\nthe other " + std::to_string(dump.count - dump.readable) + " elements are not in " +
            dump.position;
  }
  return text;
}

}  // namespace attnres::launch
