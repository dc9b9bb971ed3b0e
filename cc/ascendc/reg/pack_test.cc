// Pack and UnPack of registers, for every pair of types.
#include "cc/ascendc/reg/pack.h"

#include <gtest/gtest.h>

#include "cc/ascendc/reg/test_support.h"

namespace attnres::testing {
namespace {

template <typename T, typename U>
struct Pair {
  using To = T;
  using From = U;
};

template <typename P>
class RegPackTest : public ::testing::Test {};

using PackPairs =
    ::testing::Types<Pair<uint8_t, int16_t>, Pair<uint8_t, uint16_t>, Pair<uint16_t, int32_t>,
                     Pair<uint16_t, uint32_t>, Pair<uint32_t, int64_t>, Pair<uint32_t, uint64_t>>;
TYPED_TEST_SUITE(RegPackTest, PackPairs);

TYPED_TEST(RegPackTest, TakesTheLowBitsIntoAHalf) {
  using T = typename TypeParam::To;
  using U = typename TypeParam::From;
  Random random{71};
  const Elements<U> a = AnyElements<U>(random);
  Elements<T> low = {};
  Elements<T> high = {};
  for (uint32_t i = 0; i < kLanes<U>; ++i) {
    low[i] = static_cast<T>(a[i]);
    high[kLanes<U> + i] = static_cast<T>(a[i]);
  }
  Reg::RegTensor<U> src = ToRegister(a);
  Reg::RegTensor<T> dst;
  Reg::Pack(dst, src);
  EXPECT_TRUE(SameElements(FromRegister(dst), low));
  Reg::Pack<T, U, Reg::HighLowPart::HIGHEST>(dst, src);
  EXPECT_TRUE(SameElements(FromRegister(dst), high));
}

template <typename P>
class RegUnPackTest : public ::testing::Test {};

using UnPackPairs =
    ::testing::Types<Pair<int16_t, int8_t>, Pair<uint16_t, uint8_t>, Pair<int32_t, int16_t>,
                     Pair<uint32_t, uint16_t>, Pair<int64_t, int32_t>, Pair<uint64_t, uint32_t>>;
TYPED_TEST_SUITE(RegUnPackTest, UnPackPairs);

TYPED_TEST(RegUnPackTest, WidensAHalfWithItsSign) {
  using T = typename TypeParam::To;
  using U = typename TypeParam::From;
  Random random{72};
  const Elements<U> a = AnyElements<U>(random);
  Elements<T> low;
  Elements<T> high;
  for (uint32_t i = 0; i < kLanes<T>; ++i) {
    low[i] = a[i];
    high[i] = a[kLanes<T> + i];
  }
  Reg::RegTensor<U> src = ToRegister(a);
  Reg::RegTensor<T> dst;
  Reg::UnPack(dst, src);
  EXPECT_TRUE(SameElements(FromRegister(dst), low));
  Reg::UnPack<T, U, Reg::HighLowPart::HIGHEST>(dst, src);
  EXPECT_TRUE(SameElements(FromRegister(dst), high));
}

}  // namespace
}  // namespace attnres::testing
