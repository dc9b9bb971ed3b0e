// Compare, Compares and Select, for every element type and tail length.
#include "cc/ascendc/reg/compare.h"

#include <gtest/gtest.h>

#include "cc/ascendc/reg/test_support.h"

namespace attnres::testing {
namespace {

using AscendC::CMPMODE;

template <typename T>
class RegCompareTest : public ::testing::Test {};

using CompareTypes = ::testing::Types<int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t,
                                      uint32_t, float, int64_t, uint64_t>;
TYPED_TEST_SUITE(RegCompareTest, CompareTypes);

template <CMPMODE kMode, typename C>
bool Holds(C a, C b) {
  switch (kMode) {
    case CMPMODE::LT:
      return a < b;
    case CMPMODE::GT:
      return a > b;
    case CMPMODE::EQ:
      return a == b;
    case CMPMODE::LE:
      return a <= b;
    case CMPMODE::GE:
      return a >= b;
    default:
      return a != b;
  }
}

template <typename T>
auto Number(T value) {
  if constexpr (std::is_integral_v<T>) {
    return value;
  } else {
    return ValueOf(value);
  }
}

template <CMPMODE kMode, typename T>
void CheckMode() {
  Random random{21};
  const T scalar = T(1);
  for (const MaskBits& bits : InterestingMasks<T>(random)) {
    const Elements<T> a = AnyElements<T>(random);
    Elements<T> b = AnyElements<T>(random);
    for (uint32_t i = 0; i < kLanes<T>; i += 3) b[i] = a[i];  // equal ones, NaNs among them
    b[1] = T(0.0f);
    Reg::RegTensor<T> src0 = ToRegister(a);
    Reg::RegTensor<T> src1 = ToRegister(b);
    Reg::MaskReg mask = bits.Register();
    Reg::MaskReg between;
    Reg::MaskReg with_scalar;
    Reg::MaskReg old_name;
    Reg::Compare<T, kMode>(between, src0, src1, mask);
    Reg::Compares<T, kMode>(with_scalar, src0, scalar, mask);
    Reg::CompareScalar<T, kMode>(old_name, src0, scalar, mask);
    MaskBits expected;
    MaskBits expected_scalar;
    for (uint32_t i = 0; i < kLanes<T>; ++i) {
      const uint32_t bit = i * static_cast<uint32_t>(sizeof(T));
      if (!bits.Active<T>(i)) continue;
      if (Holds<kMode>(Number(a[i]), Number(b[i]))) expected.Set(bit);
      if (Holds<kMode>(Number(a[i]), Number(scalar))) expected_scalar.Set(bit);
    }
    ASSERT_EQ(FromMask(between).bytes, expected.bytes) << bits.name;
    ASSERT_EQ(FromMask(with_scalar).bytes, expected_scalar.bytes) << bits.name;
    ASSERT_EQ(FromMask(old_name).bytes, expected_scalar.bytes) << bits.name;
  }
}

TYPED_TEST(RegCompareTest, SetsTheBitOfElementsForWhichItHolds) {
  CheckMode<CMPMODE::LT, TypeParam>();
  CheckMode<CMPMODE::GT, TypeParam>();
  CheckMode<CMPMODE::EQ, TypeParam>();
  CheckMode<CMPMODE::LE, TypeParam>();
  CheckMode<CMPMODE::GE, TypeParam>();
  CheckMode<CMPMODE::NE, TypeParam>();
}

TYPED_TEST(RegCompareTest, SelectTakesTheFirstWhereTheMaskIsSet) {
  using T = TypeParam;
  Random random{22};
  for (const MaskBits& bits : InterestingMasks<T>(random)) {
    const Elements<T> a = AnyElements<T>(random);
    const Elements<T> b = AnyElements<T>(random);
    Reg::RegTensor<T> src0 = ToRegister(a);
    Reg::RegTensor<T> src1 = ToRegister(b);
    Reg::MaskReg mask = bits.Register();
    Reg::Select(src0, src0, src1, mask);
    Elements<T> expected;
    for (uint32_t i = 0; i < kLanes<T>; ++i) expected[i] = bits.Active<T>(i) ? a[i] : b[i];
    ASSERT_TRUE(SameElements(FromRegister(src0), expected)) << bits.name;
  }
}

}  // namespace
}  // namespace attnres::testing
