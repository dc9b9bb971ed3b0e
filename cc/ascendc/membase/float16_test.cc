// Conversions of half and bfloat16_t: every 16-bit pattern, every float near a rounding boundary,
// and a million random floats, against references written in double from the formats' definitions.
#include "cc/ascendc/membase/float16.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using AscendC::float_bits::FromFloat;
using AscendC::float_bits::ToFloat;

struct Format {
  int exponent_bits;
  int fraction_bits;
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  uint16_t infinity() const {
    return static_cast<uint16_t>(((1 << exponent_bits) - 1) << fraction_bits);
  }
};

constexpr Format kHalf{5, 10};
constexpr Format kBfloat16{8, 7};

double Value(Format format, uint16_t bits) {
  const int exponent = (bits >> format.fraction_bits) & ((1 << format.exponent_bits) - 1);
  const int fraction = bits & ((1 << format.fraction_bits) - 1);
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 0) {
    return sign * std::ldexp(fraction, 1 - format.bias() - format.fraction_bits);
  }
  return sign * std::ldexp(fraction + (1 << format.fraction_bits),
                           exponent - format.bias() - format.fraction_bits);
}

// Nearest pattern of a finite value, ties to even, by bisection over the magnitudes. Exact: every
// comparison is of doubles that hold their values and midpoints exactly.
uint16_t Nearest(Format format, double value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  uint16_t low = 0;
  uint16_t high = format.infinity();  // stands for the power of two after the largest finite value
  while (high - low > 1) {
    const auto middle = static_cast<uint16_t>((low + high) / 2);
    (Value(format, middle) <= magnitude ? low : high) = middle;
  }
  const double midpoint = (Value(format, low) + Value(format, high)) / 2;
  const bool up = magnitude > midpoint || (magnitude == midpoint && (low & 1) != 0);
  return static_cast<uint16_t>(sign | (up ? high : low));
}

uint16_t Reference(Format format, float value) {
  if (std::isnan(value)) {
    const uint32_t bits = FromFloat(value);
    const int dropped = 23 - format.fraction_bits;
    const uint32_t payload = ((bits & 0x7FFFFF) >> dropped) | (1u << (format.fraction_bits - 1));
    return static_cast<uint16_t>(((bits >> 16) & 0x8000) | format.infinity() | payload);
  }
  if (std::isinf(value)) {
    return static_cast<uint16_t>((std::signbit(value) ? 0x8000 : 0) | format.infinity());
  }
  return Nearest(format, value);
}

template <typename T>
constexpr Format kFormat = std::is_same<T, half>::value ? kHalf : kBfloat16;

template <typename T>
class Float16 : public ::testing::Test {};
using Types = ::testing::Types<half, bfloat16_t>;
TYPED_TEST_SUITE(Float16, Types);

TYPED_TEST(Float16, ToFloatIsExactForEveryPattern) {
  const Format format = kFormat<TypeParam>;
  for (uint32_t pattern = 0; pattern < 0x10000; ++pattern) {
    const auto bits = static_cast<uint16_t>(pattern);
    const float value = TypeParam::FromBits(bits);
    const uint16_t magnitude = bits & 0x7FFF;
    if (magnitude > format.infinity()) {
      const uint32_t quiet = 0x7FC00000u | (static_cast<uint32_t>(bits & 0x8000) << 16) |
                             (static_cast<uint32_t>(magnitude & ((1 << format.fraction_bits) - 1))
                              << (23 - format.fraction_bits));
      ASSERT_EQ(FromFloat(value), quiet) << std::hex << pattern;
    } else if (magnitude == format.infinity()) {
      ASSERT_TRUE(std::isinf(value)) << std::hex << pattern;
      ASSERT_EQ(std::signbit(value), (bits & 0x8000) != 0);
    } else {
      ASSERT_EQ(static_cast<double>(value), Value(format, bits)) << std::hex << pattern;
      ASSERT_EQ(std::signbit(value), (bits & 0x8000) != 0);
    }
  }
}

// A signalling NaN may stay one: a compiler may drop a conversion and its inverse.
TYPED_TEST(Float16, EveryPatternSurvivesTheRoundTrip) {
  for (uint32_t pattern = 0; pattern < 0x10000; ++pattern) {
    const TypeParam value = TypeParam::FromBits(static_cast<uint16_t>(pattern));
    const TypeParam back(static_cast<float>(value));
    const bool nan = (pattern & 0x7FFF) > kFormat<TypeParam>.infinity();
    const uint32_t quiet = nan ? 1u << (kFormat<TypeParam>.fraction_bits - 1) : 0u;
    ASSERT_EQ(back.bits | quiet, pattern | quiet) << std::hex << pattern;
  }
}

// Around each midpoint between neighbours: the float just below, the midpoint itself, the one just
// above.
TYPED_TEST(Float16, RoundsToNearestEvenAtEveryBoundary) {
  const Format format = kFormat<TypeParam>;
  for (uint32_t pattern = 0; pattern <= format.infinity(); ++pattern) {
    const double midpoint = (Value(format, static_cast<uint16_t>(pattern)) +
                             Value(format, static_cast<uint16_t>(pattern + 1))) /
                            2;
    const float near = static_cast<float>(midpoint);
    for (const float value : {std::nextafter(near, 0.0f), near, std::nextafter(near, INFINITY)}) {
      for (const float signed_value : {value, -value}) {
        ASSERT_EQ(TypeParam(signed_value).bits, Reference(format, signed_value))
            << std::hexfloat << signed_value;
      }
    }
  }
}

TYPED_TEST(Float16, RandomFloatsOfEveryMagnitude) {
  std::mt19937 random(20240607);
  for (int i = 0; i < 1000000; ++i) {
    const float value = ToFloat(static_cast<uint32_t>(random()));
    ASSERT_EQ(TypeParam(value).bits, Reference(kFormat<TypeParam>, value))
        << std::hexfloat << value;
  }
}

TYPED_TEST(Float16, BulkEqualsSingleForEveryTailLength) {
  std::mt19937 random(7);
  for (size_t count = 0; count < 70; ++count) {
    std::vector<float> floats(count);
    for (float& value : floats) {
      value = ToFloat(static_cast<uint32_t>(random()));
    }
    std::vector<TypeParam> narrow(count);
    std::vector<float> wide(count);
    AscendC::ConvertFromFloat(narrow.data(), floats.data(), count);
    AscendC::ConvertToFloat(wide.data(), narrow.data(), count);
    for (size_t i = 0; i < count; ++i) {
      ASSERT_EQ(narrow[i].bits, TypeParam(floats[i]).bits);
      ASSERT_EQ(FromFloat(wide[i]), FromFloat(static_cast<float>(narrow[i])));
    }
  }
}

// A double just above a midpoint rounds to the midpoint as float: going through float alone would
// then round to even.
TYPED_TEST(Float16, DoublesRoundOnce) {
  const Format format = kFormat<TypeParam>;
  std::mt19937_64 random(11);
  for (uint32_t pattern = 1; pattern < format.infinity(); pattern += 3) {
    const double midpoint = (Value(format, static_cast<uint16_t>(pattern)) +
                             Value(format, static_cast<uint16_t>(pattern + 1))) /
                            2;
    for (const double value :
         {std::nextafter(midpoint, 0.0), midpoint, std::nextafter(midpoint, INFINITY)}) {
      ASSERT_EQ(TypeParam(value).bits, Nearest(format, value)) << std::hexfloat << value;
      ASSERT_EQ(TypeParam(-value).bits, Nearest(format, -value)) << std::hexfloat << value;
    }
  }
  EXPECT_EQ(TypeParam(1e300).bits, format.infinity());
  EXPECT_EQ(TypeParam(-1e-300).bits, 0x8000);
}

TYPED_TEST(Float16, IntegersRoundOnce) {
  const Format format = kFormat<TypeParam>;
  EXPECT_EQ(static_cast<float>(TypeParam(3)), 3.0f);
  EXPECT_EQ(static_cast<float>(TypeParam(uint8_t{200})), 200.0f);
  EXPECT_EQ(static_cast<float>(TypeParam(true)), 1.0f);
  for (const int64_t value :
       {int64_t{0}, int64_t{2049}, int64_t{65519}, int64_t{65520}, int64_t{-65520}}) {
    EXPECT_EQ(TypeParam(value).bits, Nearest(format, static_cast<double>(value))) << value;
  }
  // 2^62 + 2^54 is a midpoint of bfloat16; one more decides, although double cannot hold it.
  const int64_t midpoint = (int64_t{1} << 62) + (int64_t{1} << 54);
  if (format.exponent_bits == 8) {
    EXPECT_EQ(TypeParam(midpoint).bits, Nearest(format, std::ldexp(1.0, 62)));
    EXPECT_EQ(TypeParam(midpoint + 1).bits, Nearest(format, std::ldexp(1.0, 62)) + 1);
    EXPECT_EQ(TypeParam(-midpoint - 1).bits, Nearest(format, -std::ldexp(1.0, 62)) + 1);
    EXPECT_EQ(TypeParam(static_cast<uint64_t>(midpoint) + 1).bits,
              Nearest(format, std::ldexp(1.0, 62)) + 1);
  } else {
    EXPECT_EQ(TypeParam(midpoint).bits, format.infinity());
  }
}

TYPED_TEST(Float16, ArithmeticRoundsEachOperation) {
  std::mt19937 random(5);
  const Format format = kFormat<TypeParam>;
  for (int i = 0; i < 200000; ++i) {
    const TypeParam a = TypeParam::FromBits(static_cast<uint16_t>(random()));
    const TypeParam b = TypeParam::FromBits(static_cast<uint16_t>(random()));
    const double x = static_cast<float>(a);
    const double y = static_cast<float>(b);
    if (!std::isfinite(x) || !std::isfinite(y)) {
      continue;
    }
    ASSERT_EQ((a * b).bits, Nearest(format, x * y)) << x << " * " << y;
    ASSERT_EQ((-a).bits, a.bits ^ 0x8000);
    ASSERT_EQ(a < b, x < y);
    if (format.exponent_bits == 5) {  // sums of half are exact in double
      const double sum = x + y;
      ASSERT_EQ((a + b).bits,
                sum == 0 ? TypeParam(static_cast<float>(sum)).bits : Nearest(format, sum));
    }
  }
  TypeParam total = 1;
  total += 2.0f;
  EXPECT_EQ(static_cast<float>(total), 3.0f);
  EXPECT_EQ(total * 0.5f, 1.5f) << "a mixed operation is in float";
}

TEST(HalfPortable, EqualsTheInstructionSetsConversion) {
  for (uint32_t pattern = 0; pattern < 0x10000; ++pattern) {
    const auto bits = static_cast<uint16_t>(pattern);
    ASSERT_EQ(FromFloat(AscendC::float_bits::HalfToFloatPortable(bits)),
              FromFloat(AscendC::float_bits::HalfToFloat(bits)));
  }
  std::mt19937 random(3);
  for (uint32_t i = 0; i < 2000000; ++i) {
    const float value = ToFloat(static_cast<uint32_t>(random()));
    ASSERT_EQ(AscendC::float_bits::HalfFromFloatPortable(value),
              AscendC::float_bits::HalfFromFloat(value))
        << std::hexfloat << value;
  }
}

}  // namespace
