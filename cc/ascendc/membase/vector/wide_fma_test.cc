// The fused multiply-add of 16-bit floats: hand-made cases in which rounding twice would show, and
// random ones whose sum is exact in double.
#include "cc/ascendc/membase/vector/wide_fma.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "cc/ascendc/membase/float16.h"

namespace attnres::testing {
namespace {

using AscendC::bfloat16_t;
using AscendC::half;
using AscendC::twin::WideFma;

TEST(WideFmaTest, BfloatTieIsDecidedByAFarAddend) {
  // The product lies half way between two bfloat16 numbers; what decides is 100 binary digits
  // below.
  const float x = 1.0f + 0x1p-4f;  // 1.0001
  const float y = 1.0f + 0x1p-4f;  // squared: 1.00100001, a tie at 8 bits
  const float up = WideFma(x, y, 0x1p-100f);
  const float down = WideFma(x, y, -0x1p-100f);
  EXPECT_EQ(static_cast<float>(bfloat16_t(WideFma(x, y, 0.0f))), 0x1.2p0f);  // to even
  EXPECT_EQ(static_cast<float>(bfloat16_t(up)), 0x1.22p0f);
  EXPECT_EQ(static_cast<float>(bfloat16_t(down)), 0x1.2p0f);
  EXPECT_EQ(static_cast<float>(bfloat16_t(WideFma(-x, y, -0x1p-100f))), -0x1.22p0f);
}

TEST(WideFmaTest, SpecialValues) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(WideFma(3.0f, 5.0f, -15.0f), 0.0f);
  // What overflows float becomes infinite by the rounding to 16 bits.
  EXPECT_EQ(static_cast<float>(bfloat16_t(WideFma(0x1p120f, 0x1p120f, -0x1p127f))), infinity);
  EXPECT_EQ(static_cast<float>(bfloat16_t(WideFma(0x1p120f, -0x1p120f, 0x1p127f))), -infinity);
  EXPECT_EQ(WideFma(0x1p100f, 0x1p100f, -infinity), -infinity);
  EXPECT_TRUE(std::isnan(WideFma(0.0f, infinity, 1.0f)));
}

// For half every sum of a product and an addend whose exponents are near fits in a double.
TEST(WideFmaTest, HalfIsTheExactSumRoundedOnce) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 2000000; ++i) {
    half v[3];
    for (half& value : v) {
      // Exponents within 2^-6 .. 2^5, so that the sum needs at most 45 bits.
      const uint64_t bits = random();
      value =
          half::FromBits(static_cast<uint16_t>((bits & 0x83FF) | ((9 + bits / 65536 % 12) << 10)));
    }
    const float x = v[0], y = v[1], z = v[2];
    const double exact = double{x} * double{y} + double{z};
    ASSERT_EQ(half(WideFma(x, y, z)).bits, half(exact).bits) << x << " * " << y << " + " << z;
  }
}

}  // namespace
}  // namespace attnres::testing
