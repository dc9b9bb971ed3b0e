// Bit instructions on registers, for every integer type and tail length.
#include "cc/ascendc/reg/logic.h"

#include <gtest/gtest.h>

#include "cc/ascendc/reg/test_support.h"

namespace attnres::testing {
namespace {

template <typename T>
class RegLogicTest : public ::testing::Test {};

using LogicTypes = ::testing::Types<int8_t, uint8_t, int16_t, uint16_t, half, int32_t, uint32_t,
                                    float, int64_t, uint64_t>;
TYPED_TEST_SUITE(RegLogicTest, LogicTypes);

template <typename T, typename Op>
T OnBits(T a, T b, Op op) {
  const uint64_t bits = op(BitsAsInteger(a), BitsAsInteger(b));
  T result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

TYPED_TEST(RegLogicTest, AndOrXorNot) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T, T> check;
  check.run = [](auto& dst, auto& a, auto& b, auto& mask) { Reg::And(dst, a, b, mask); };
  check.reference = [](T, T a, T b) { return OnBits(a, b, [](auto x, auto y) { return x & y; }); };
  check.Check();
  check.run = [](auto& dst, auto& a, auto& b, auto& mask) { Reg::Or(dst, a, b, mask); };
  check.reference = [](T, T a, T b) { return OnBits(a, b, [](auto x, auto y) { return x | y; }); };
  check.Check();
  check.run = [](auto& dst, auto& a, auto& b, auto& mask) { Reg::Xor(dst, a, b, mask); };
  check.reference = [](T, T a, T b) { return OnBits(a, b, [](auto x, auto y) { return x ^ y; }); };
  check.Check();
  ElementwiseRegCheck<T, T> check_not;
  check_not.run = [](auto& dst, auto& a, auto& mask) { Reg::Not(dst, a, mask); };
  check_not.reference = [](T, T a) { return OnBits(a, a, [](auto x, auto) { return ~x; }); };
  check_not.Check();
}

template <typename T>
class RegShiftTest : public ::testing::Test {};

using ShiftTypes =
    ::testing::Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>;
TYPED_TEST_SUITE(RegShiftTest, ShiftTypes);

// A signed type keeps its sign.
template <typename T>
T ShiftedLeft(T a, uint64_t count) {
  if (count >= 8 * sizeof(T)) return 0;
  using Unsigned = std::make_unsigned_t<T>;
  const Unsigned sign = std::is_signed_v<T> ? Unsigned(Unsigned(1) << (8 * sizeof(T) - 1)) : 0;
  const Unsigned moved = static_cast<Unsigned>(static_cast<Unsigned>(a) << count);
  return static_cast<T>((moved & static_cast<Unsigned>(~sign)) | (static_cast<Unsigned>(a) & sign));
}

template <typename T>
T ShiftedRight(T a, uint64_t count) {
  if (count >= 8 * sizeof(T)) return a < 0 ? T(-1) : T(0);
  return static_cast<T>(a >> count);
}

TYPED_TEST(RegShiftTest, ByARegister) {
  using T = TypeParam;
  using Count = std::make_signed_t<T>;
  Random random{9};
  for (const MaskBits& bits : InterestingMasks<T>(random)) {
    const Elements<T> a = AnyElements<T>(random);
    Elements<Count> counts;
    for (Count& count : counts) count = static_cast<Count>(random() % (8 * sizeof(T) + 3));
    Reg::RegTensor<T> src = ToRegister(a);
    Reg::RegTensor<Count> by = ToRegister(counts);
    Reg::RegTensor<T> left;
    Reg::RegTensor<T> right;
    Reg::MaskReg mask = bits.Register();
    Reg::ShiftLeft(left, src, by, mask);
    Reg::ShiftRight<T, Count>(right, src, by, mask);
    Elements<T> expected_left = {};
    Elements<T> expected_right = {};
    for (uint32_t i = 0; i < kLanes<T>; ++i) {
      if (!bits.Active<T>(i)) continue;
      expected_left[i] = ShiftedLeft(a[i], static_cast<uint64_t>(counts[i]));
      expected_right[i] = ShiftedRight(a[i], static_cast<uint64_t>(counts[i]));
    }
    ASSERT_TRUE(SameElements(FromRegister(left), expected_left)) << bits.name;
    ASSERT_TRUE(SameElements(FromRegister(right), expected_right)) << bits.name;
  }
}

TYPED_TEST(RegShiftTest, ByAScalar) {
  using T = TypeParam;
  for (const int16_t count : {0, 1, 5, 7, 8, 15, 40, 63, 70}) {
    ElementwiseRegCheck<T, T> check;
    check.run = [count](auto& dst, auto& a, auto& mask) { Reg::ShiftLefts(dst, a, count, mask); };
    check.reference = [count](T, T a) { return ShiftedLeft(a, static_cast<uint64_t>(count)); };
    check.Check();
    check.run = [count](auto& dst, auto& a, auto& mask) { Reg::ShiftRights(dst, a, count, mask); };
    check.reference = [count](T, T a) { return ShiftedRight(a, static_cast<uint64_t>(count)); };
    check.Check();
  }
}

// The documented example.
TEST(RegShiftExampleTest, ArithmeticLeftShiftKeepsTheSign) {
  EXPECT_EQ(ShiftedLeft(static_cast<int16_t>(0xAAAA), 1), static_cast<int16_t>(0xD554));
  EXPECT_EQ(ShiftedLeft(static_cast<int16_t>(0xAAAA), 3), static_cast<int16_t>(0xD550));
}

}  // namespace
}  // namespace attnres::testing
