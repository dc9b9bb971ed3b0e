// The text of dumps: every type, flat and in shapes, whole however long.
#include "cc/ascendc/launch/dump_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "cc/ascendc/launch/kernel_abi.h"

namespace attnres::launch {
namespace {

template <typename T>
AscendcTwinDump DumpOf(const std::vector<T>& values, uint8_t kind) {
  AscendcTwinDump dump = {};
  dump.data = values.data();
  dump.address = 0x40;
  dump.position = "UB";
  dump.count = values.size();
  dump.readable = values.size();
  dump.desc = 5;
  dump.element_kind = kind;
  dump.element_bytes = sizeof(T);
  return dump;
}

// Behind the first line.
std::string Rows(const AscendcTwinDump& dump) {
  const std::string text = DumpText(dump);
  return text.substr(text.find('\n') + 1);
}

TEST(DumpText, SaysWhatItIsAndNumbersRowsOfSixteen) {
  std::vector<int32_t> values(18);
  for (int32_t i = 0; i < 18; ++i) {
    values[static_cast<size_t>(i)] = -i;
  }
  EXPECT_EQ(DumpText(DumpOf(values, kAscendcTwinSigned)),
            "DumpTensor: desc=5, addr=0x40, data_type=int32, position=UB, dump_size=18\n"
            "[0] 0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -10 -11 -12 -13 -14 -15\n"
            "[16] -16 -17");
}

TEST(DumpText, IntegersOfEverySize) {
  EXPECT_EQ(Rows(DumpOf(std::vector<int8_t>{-128, 127}, kAscendcTwinSigned)), "[0] -128 127");
  EXPECT_EQ(Rows(DumpOf(std::vector<uint8_t>{0, 255}, kAscendcTwinUnsigned)), "[0] 0 255");
  EXPECT_EQ(Rows(DumpOf(std::vector<int16_t>{-32768}, kAscendcTwinSigned)), "[0] -32768");
  EXPECT_EQ(Rows(DumpOf(std::vector<uint16_t>{65535}, kAscendcTwinUnsigned)), "[0] 65535");
  EXPECT_EQ(Rows(DumpOf(std::vector<uint32_t>{4294967295u}, kAscendcTwinUnsigned)),
            "[0] 4294967295");
  EXPECT_EQ(Rows(DumpOf(std::vector<int64_t>{INT64_MIN}, kAscendcTwinSigned)),
            "[0] -9223372036854775808");
  EXPECT_EQ(Rows(DumpOf(std::vector<uint64_t>{UINT64_MAX}, kAscendcTwinUnsigned)),
            "[0] 18446744073709551615");
  EXPECT_EQ(Rows(DumpOf(std::vector<uint8_t>{1, 0}, kAscendcTwinBool)), "[0] 1 0");
}

TEST(DumpText, FloatsHaveTheDigitsOfTheirType) {
  const std::vector<uint16_t> halves = {0x3C00, 0xC100, 0x2E66, 0x7BFF, 0x0001,
                                        0x8000, 0x7C00, 0xFC00, 0x7E01};
  EXPECT_EQ(Rows(DumpOf(halves, kAscendcTwinFloat)),
            "[0] 1 -2.5 0.099976 65504 5.9605e-08 -0 inf -inf nan");
  const std::vector<uint16_t> bfloats = {0x3F80, 0xC020, 0x3DCD, 0x7F80, 0x7FC0};
  EXPECT_EQ(Rows(DumpOf(bfloats, kAscendcTwinBfloat16)), "[0] 1 -2.5 0.1001 inf nan");
  const std::vector<float> floats = {0.1f, 1.0f / 3.0f, 16777215.0f, 1e-45f, -NAN};
  EXPECT_EQ(Rows(DumpOf(floats, kAscendcTwinFloat)), "[0] 0.1 0.33333334 16777215 1.4013e-45 nan");
}

TEST(DumpText, LargeOnesAreWhole) {
  const std::vector<int32_t> values(100000, 7);
  const std::string text = Rows(DumpOf(values, kAscendcTwinSigned));
  EXPECT_EQ(std::count(text.begin(), text.end(), ' '), 100000);  // one before each element
  EXPECT_EQ(text.substr(text.rfind('\n')), "\n[99984] 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7");
}

TEST(DumpText, ShapesAreNestedBrackets) {
  const std::vector<int16_t> values = {1, 2, 3, 4, 5, 6, 7, 8};
  AscendcTwinDump dump = DumpOf(values, kAscendcTwinSigned);
  const uint32_t cube[] = {2, 2, 2};
  dump.shape = cube;
  dump.dimensions = 3;
  EXPECT_EQ(Rows(dump), "[[[1, 2],\n[3, 4]],\n[[5, 6],\n[7, 8]]]");
  const uint32_t larger[] = {3, 3};
  dump.shape = larger;
  dump.dimensions = 2;
  EXPECT_EQ(Rows(dump),
            "shape is [3, 3], dumpSize is 8, data is not enough.\n"
            "[[1, 2, 3],\n[4, 5, 6],\n[7, 8, -]]");
  const uint32_t smaller[] = {5};
  dump.shape = smaller;
  dump.dimensions = 1;
  EXPECT_EQ(Rows(dump),
            "shape is [5], dumpSize is 8, dumpSize is greater than shapeSize.\n[1, 2, 3, 4, 5]");
}

TEST(DumpText, SaysWhatLiesOutside) {
  const std::vector<float> values = {1.5f, 2.0f};
  AscendcTwinDump dump = DumpOf(values, kAscendcTwinFloat);
  dump.count = 10;
  EXPECT_EQ(Rows(dump), "[0] 1.5 2\nthe other 8 elements are not in UB");
}

}  // namespace
}  // namespace attnres::launch
