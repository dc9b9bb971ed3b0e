// Duplicate, Arange, Move, Interleave and DeInterleave, for every element type.
#include "cc/ascendc/reg/rearrange.h"

#include <gtest/gtest.h>

#include "cc/ascendc/reg/test_support.h"

namespace attnres::testing {
namespace {

template <typename T>
class RegRearrangeTest : public ::testing::Test {};

using AllTypes = ::testing::Types<int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t,
                                  uint32_t, float, int64_t, uint64_t>;
TYPED_TEST_SUITE(RegRearrangeTest, AllTypes);

TYPED_TEST(RegRearrangeTest, DuplicateOfAScalar) {
  using T = TypeParam;
  Reg::RegTensor<T> dst;
  Reg::Duplicate(dst, T(7));
  Elements<T> expected;
  expected.fill(T(7));
  EXPECT_TRUE(SameElements(FromRegister(dst), expected));

  ElementwiseRegCheck<T, T> check;
  check.run = [](auto& d, auto&, auto& mask) { Reg::Duplicate(d, T(7), mask); };
  check.reference = [](T, T) { return T(7); };
  check.Check();
  check.run = [](auto& d, auto&, auto& mask) {
    Reg::Duplicate<T, Reg::MaskMergeMode::MERGING>(d, T(7), mask);
  };
  check.merge = Merge::kKeep;
  check.Check();
}

TYPED_TEST(RegRearrangeTest, DuplicateOfTheLowestElement) {
  using T = TypeParam;
  Random random{31};
  for (const MaskBits& bits : InterestingMasks<T>(random)) {
    const Elements<T> a = AnyElements<T>(random);
    Reg::RegTensor<T> src = ToRegister(a);
    Reg::MaskReg mask = bits.Register();
    Reg::Duplicate(src, src, mask);
    Elements<T> expected;
    for (uint32_t i = 0; i < kLanes<T>; ++i) expected[i] = bits.Active<T>(i) ? a[0] : T(0);
    ASSERT_TRUE(SameElements(FromRegister(src), expected)) << bits.name;
  }
}

TYPED_TEST(RegRearrangeTest, MoveKeepsWhatTheMaskLeavesOut) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T> check;
  check.reference = [](T, T a) { return a; };
  check.merge = Merge::kKeep;
  check.run = [](auto& dst, auto& a, auto& mask) { Reg::Move(dst, a, mask); };
  check.Check();
  check.run = [](auto& dst, auto& a, auto& mask) { Reg::Copy(dst, a, mask); };
  check.Check();
}

TYPED_TEST(RegRearrangeTest, MoveWithoutMaskTakesAll) {
  using T = TypeParam;
  Random random{32};
  const Elements<T> a = AnyElements<T>(random);
  Reg::RegTensor<T> src = ToRegister(a);
  Reg::RegTensor<T> dst;
  Reg::Move(dst, src);
  EXPECT_TRUE(SameElements(FromRegister(dst), a));
  Reg::RegTensor<T> copy;
  Reg::Copy(copy, src);
  EXPECT_TRUE(SameElements(FromRegister(copy), a));
}

TYPED_TEST(RegRearrangeTest, InterleaveAndBack) {
  using T = TypeParam;
  Random random{33};
  const Elements<T> a = AnyElements<T>(random);
  const Elements<T> b = AnyElements<T>(random);
  Reg::RegTensor<T> first = ToRegister(a);
  Reg::RegTensor<T> second = ToRegister(b);
  Reg::Interleave(first, second, first, second);
  Elements<T> low;
  Elements<T> high;
  for (uint32_t i = 0; i < kLanes<T>; ++i) {
    const uint32_t from = i / 2;
    low[i] = i % 2 == 0 ? a[from] : b[from];
    high[i] = i % 2 == 0 ? a[kLanes<T> / 2 + from] : b[kLanes<T> / 2 + from];
  }
  EXPECT_TRUE(SameElements(FromRegister(first), low));
  EXPECT_TRUE(SameElements(FromRegister(second), high));
  Reg::DeInterleave(first, second, first, second);
  EXPECT_TRUE(SameElements(FromRegister(first), a));
  EXPECT_TRUE(SameElements(FromRegister(second), b));
}

template <typename T>
class RegArangeTest : public ::testing::Test {};

using ArangeTypes = ::testing::Types<int8_t, int16_t, half, int32_t, float, int64_t>;
TYPED_TEST_SUITE(RegArangeTest, ArangeTypes);

TYPED_TEST(RegArangeTest, CountsUpFromTheScalarOrDownToIt) {
  using T = TypeParam;
  Reg::RegTensor<T> up;
  Reg::RegTensor<T> down;
  Reg::Arange(up, T(5));
  Reg::Arange<T, Reg::IndexOrder::DECREASE_ORDER>(down, T(5));
  Elements<T> expected_up;
  Elements<T> expected_down;
  for (uint32_t i = 0; i < kLanes<T>; ++i) {
    expected_up[i] = static_cast<T>(static_cast<int>(5 + i));  // wraps for int8_t
    expected_down[i] = static_cast<T>(static_cast<int>(5 + kLanes<T> - 1 - i));
  }
  EXPECT_TRUE(SameElements(FromRegister(up), expected_up));
  EXPECT_TRUE(SameElements(FromRegister(down), expected_down));
}

}  // namespace
}  // namespace attnres::testing
