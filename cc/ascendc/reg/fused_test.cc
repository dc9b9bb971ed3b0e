// Instructions that do two operations in one: the multiply-adds round once.
#include "cc/ascendc/reg/fused.h"

#include <gtest/gtest.h>

#include "cc/ascendc/membase/vector/math.h"
#include "cc/ascendc/reg/test_support.h"

namespace attnres::testing {
namespace {

// Exact product and sum, rounded once.
template <typename T>
T MultiplyAdd(T a, T b, T c) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b) +
                          static_cast<uint64_t>(c));
  } else if constexpr (std::is_same_v<T, float>) {
    return RoundedTo<T>(std::fma(a, b, c));
  } else {
    return RoundedTo<T>(AscendC::twin::WideFma(a, b, c));  // wide_fma_test.cc
  }
}

template <typename T>
class RegMultiplyAddTest : public ::testing::Test {};

using MultiplyAddTypes = ::testing::Types<int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t,
                                          float, int64_t, uint64_t>;
TYPED_TEST_SUITE(RegMultiplyAddTest, MultiplyAddTypes);

TYPED_TEST(RegMultiplyAddTest, MulAddDst) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T, T> check;
  check.run = [](auto& dst, auto& a, auto& b, auto& mask) { Reg::MulAddDst(dst, a, b, mask); };
  check.reference = [](T old, T a, T b) { return MultiplyAdd(a, b, old); };
  check.Check();
}

TYPED_TEST(RegMultiplyAddTest, MulaIsItsOldName) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T, T> check;
  check.run = [](auto& dst, auto& a, auto& b, auto& mask) { Reg::Mula<T>(dst, a, b, mask); };
  check.reference = [](T old, T a, T b) { return MultiplyAdd(a, b, old); };
  check.Check();
}

TEST(RegMultiplyAddTest, KeepsWhatTheProductRoundsAway) {
  Elements<float> a;
  a.fill(1.0f + 0x1p-12f);
  Elements<float> c;
  c.fill(-(1.0f + 0x1p-11f));  // the product, rounded
  Reg::RegTensor<float> src = ToRegister(a);
  Reg::RegTensor<float> dst = ToRegister(c);
  Reg::MaskReg all = Reg::CreateMask<float>();
  Reg::MulAddDst(dst, src, src, all);
  EXPECT_EQ(FromRegister(dst)[0], 0x1p-24f);
}

template <typename T>
class RegFloatMultiplyAddTest : public ::testing::Test {};

using FloatTypes = ::testing::Types<half, bfloat16_t, float>;
TYPED_TEST_SUITE(RegFloatMultiplyAddTest, FloatTypes);

TYPED_TEST(RegFloatMultiplyAddTest, MulDstAdd) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T, T> check;
  check.run = [](auto& dst, auto& a, auto& b, auto& mask) { Reg::MulDstAdd(dst, a, b, mask); };
  check.reference = [](T old, T a, T b) { return MultiplyAdd(old, a, b); };
  check.Check();
  check.run = [](auto& dst, auto& a, auto& b, auto& mask) { Reg::FusedMulDstAdd(dst, a, b, mask); };
  check.Check();
}

template <typename T>
class RegAxpyTest : public ::testing::Test {};

using AxpyTypes = ::testing::Types<half, float, int64_t, uint64_t>;
TYPED_TEST_SUITE(RegAxpyTest, AxpyTypes);

TYPED_TEST(RegAxpyTest, Axpy) {
  using T = TypeParam;
  static const T scalar = T(3.14159f);
  ElementwiseRegCheck<T, T> check;
  check.run = [](auto& dst, auto& a, auto& mask) { Reg::Axpy(dst, a, scalar, mask); };
  check.reference = [](T old, T a) { return MultiplyAdd(scalar, a, old); };
  check.Check();
}

template <typename T>
class RegAbsSubTest : public ::testing::Test {};

using AbsSubTypes = ::testing::Types<half, float, int64_t>;
TYPED_TEST_SUITE(RegAbsSubTest, AbsSubTypes);

TYPED_TEST(RegAbsSubTest, AbsSub) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T, T> check;
  check.reference = [](T, T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      const auto difference = static_cast<T>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
      return static_cast<T>(difference < 0 ? uint64_t{0} - static_cast<uint64_t>(difference)
                                           : static_cast<uint64_t>(difference));
    } else {
      return RoundedTo<T>(std::fabs(ValueOf(a) - ValueOf(b)));
    }
  };
  check.run = [](auto& dst, auto& a, auto& b, auto& mask) { Reg::AbsSub(dst, a, b, mask); };
  check.Check();
  check.run = [](auto& dst, auto& a, auto& b, auto& mask) { Reg::FusedAbsSub(dst, a, b, mask); };
  check.Check();
}

float ExpOfDifference(float a, float b) {
  return RoundedTo<float>(AscendC::twin::Exponential(RoundedTo<float>(double{a} - double{b})));
}

TEST(RegExpSubTest, OfFloat) {
  ElementwiseRegCheck<float, float, float> check;
  check.reference = [](float, float a, float b) { return ExpOfDifference(a, b); };
  check.run = [](auto& dst, auto& a, auto& b, auto& mask) { Reg::ExpSub(dst, a, b, mask); };
  check.Check();
  check.run = [](auto& dst, auto& a, auto& b, auto& mask) {
    Reg::FusedExpSub<float, float>(dst, a, b, mask);
  };
  check.Check();
}

// Half sources: the mask is theirs, element 2 * i + layout belongs to float i.
template <Reg::RegLayout kLayout>
void CheckExpSubOfHalf() {
  constexpr uint32_t kPart = kLayout == Reg::RegLayout::ONE ? 1 : 0;
  Random random{5};
  for (const MaskBits& bits : InterestingMasks<half>(random)) {
    const Elements<half> a = AnyElements<half>(random);
    const Elements<half> b = AnyElements<half>(random);
    Reg::RegTensor<half> src0 = ToRegister(a);
    Reg::RegTensor<half> src1 = ToRegister(b);
    Reg::RegTensor<float> dst;
    Reg::MaskReg mask = bits.Register();
    Reg::ExpSub<float, half, kLayout>(dst, src0, src1, mask);
    Elements<float> expected;
    for (uint32_t i = 0; i < kLanes<float>; ++i) {
      const uint32_t from = 2 * i + kPart;
      expected[i] = bits.Active<half>(from) ? ExpOfDifference(a[from], b[from]) : 0.0f;
    }
    ASSERT_TRUE(SameElements(FromRegister(dst), expected)) << bits.name;
  }
}

TEST(RegExpSubTest, OfHalf) {
  CheckExpSubOfHalf<Reg::RegLayout::ZERO>();
  CheckExpSubOfHalf<Reg::RegLayout::ONE>();
}

template <Reg::RegLayout kLayout>
void CheckMulsCast() {
  constexpr uint32_t kPart = kLayout == Reg::RegLayout::ONE ? 1 : 0;
  Random random{6};
  for (const MaskBits& bits : InterestingMasks<float>(random)) {
    Elements<float> a = AnyElements<float>(random);
    a[3] = (1.0f + 0x1p-11f) / 1.5f;  // the product is half way between two halves, about
    a[4] = 0x1.002p0f;
    Reg::RegTensor<float> src = ToRegister(a);
    Reg::RegTensor<half> dst;
    Reg::MaskReg mask = bits.Register();
    Reg::MulsCast<half, float, float, kLayout>(dst, src, 1.5f, mask);
    Elements<half> expected;
    expected.fill(half(0.0f));
    for (uint32_t i = 0; i < kLanes<float>; ++i) {
      if (!bits.Active<float>(i)) continue;
      const float product = RoundedTo<float>(double{a[i]} * 1.5);
      expected[2 * i + kPart] =
          half::FromBits(AscendC::twin::HalfRounded<AscendC::RoundMode::CAST_ROUND>(product));
    }
    ASSERT_TRUE(SameElements(FromRegister(dst), expected)) << bits.name;
  }
}

TEST(RegMulsCastTest, RoundsTiesAwayFromZero) {
  CheckMulsCast<Reg::RegLayout::ZERO>();
  CheckMulsCast<Reg::RegLayout::ONE>();
}

}  // namespace
}  // namespace attnres::testing
