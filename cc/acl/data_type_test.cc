// Element sizes, and float16 conversions over all 65536 values and their midpoints.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "acl/acl_base.h"

namespace {

TEST(DataType, Sizes) {
  EXPECT_EQ(aclDataTypeSize(ACL_FLOAT16), 2u);
  EXPECT_EQ(aclDataTypeSize(ACL_BF16), 2u);
  EXPECT_EQ(aclDataTypeSize(ACL_FLOAT), 4u);
  EXPECT_EQ(aclDataTypeSize(ACL_DOUBLE), 8u);
  EXPECT_EQ(aclDataTypeSize(ACL_BOOL), 1u);
  EXPECT_EQ(aclDataTypeSize(ACL_COMPLEX128), 16u);
  EXPECT_EQ(aclDataTypeSize(ACL_STRING), 0u);
  EXPECT_EQ(aclDataTypeSize(ACL_INT4), 0u);
  EXPECT_EQ(aclDataTypeSize(ACL_DT_UNDEFINED), 0u);
}

// The definition: sign, exponent and fraction of IEEE 754 binary16.
double Exact(uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f;
  const int fraction = bits & 0x3ff;
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

TEST(Float16, EveryValueToFloatAndBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<aclFloat16>(bits);
    const float value = aclFloat16ToFloat(half);
    if ((bits & 0x7fff) > 0x7c00) {
      EXPECT_TRUE(std::isnan(value)) << bits;
      EXPECT_TRUE(std::isnan(aclFloat16ToFloat(aclFloatToFloat16(value)))) << bits;
      continue;
    }
    if ((bits & 0x7fff) == 0x7c00) {
      EXPECT_TRUE(std::isinf(value)) << bits;
    } else {
      EXPECT_EQ(value, Exact(half)) << bits;
    }
    EXPECT_EQ(aclFloatToFloat16(value), half) << bits;
  }
}

TEST(Float16, RoundsToNearestEven) {
  for (uint32_t bits = 0; bits < 0x7bff; ++bits) {
    const double low = Exact(static_cast<uint16_t>(bits));
    const double high = Exact(static_cast<uint16_t>(bits + 1));
    const auto middle = static_cast<float>((low + high) / 2);  // exact: one bit more
    const uint32_t even = (bits & 1) == 0 ? bits : bits + 1;
    EXPECT_EQ(aclFloatToFloat16(middle), even) << bits;
    EXPECT_EQ(aclFloatToFloat16(std::nextafter(middle, 0.0f)), bits) << bits;
    EXPECT_EQ(aclFloatToFloat16(std::nextafter(middle, 1e9f)), bits + 1) << bits;
    EXPECT_EQ(aclFloatToFloat16(-middle), even | 0x8000) << bits;
  }
}

TEST(Float16, OverflowsToInfinityFromTheMidpointOn) {
  EXPECT_EQ(aclFloatToFloat16(65504.0f), 0x7bff);
  EXPECT_EQ(aclFloatToFloat16(std::nextafter(65520.0f, 0.0f)), 0x7bff);
  EXPECT_EQ(aclFloatToFloat16(65520.0f), 0x7c00);
  EXPECT_EQ(aclFloatToFloat16(std::numeric_limits<float>::max()), 0x7c00);
  EXPECT_EQ(aclFloatToFloat16(-65520.0f), 0xfc00);
  EXPECT_EQ(aclFloatToFloat16(std::numeric_limits<float>::denorm_min()), 0);
}

}  // namespace
