// Elementwise instructions with two registers, for every element type and tail length.
#include "cc/ascendc/reg/binary.h"

#include <gtest/gtest.h>

#include "cc/ascendc/reg/test_support.h"

namespace attnres::testing {
namespace {

template <typename T>
class RegBinaryTest : public ::testing::Test {};

using ArithmeticTypes = ::testing::Types<int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t,
                                         int32_t, uint32_t, float, int64_t, uint64_t>;
TYPED_TEST_SUITE(RegBinaryTest, ArithmeticTypes);

// An operation on integers modulo 2^n, or on exact numbers rounded once.
template <typename T, typename Op>
T Exactly(T a, T b, Op op) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(op(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
  } else {
    return RoundedTo<T>(op(ValueOf(a), ValueOf(b)));
  }
}

TYPED_TEST(RegBinaryTest, Add) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T, T> check;
  check.run = [](auto& dst, auto& a, auto& b, auto& mask) { Reg::Add(dst, a, b, mask); };
  check.reference = [](T, T a, T b) { return Exactly(a, b, [](auto x, auto y) { return x + y; }); };
  check.Check();
}

TYPED_TEST(RegBinaryTest, AddKeepsElementsWhenMerging) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T, T> check;
  check.run = [](auto& dst, auto& a, auto& b, auto& mask) {
    Reg::Add<T, Reg::MaskMergeMode::MERGING>(dst, a, b, mask);
  };
  check.reference = [](T, T a, T b) { return Exactly(a, b, [](auto x, auto y) { return x + y; }); };
  check.merge = Merge::kKeep;
  check.Check();
}

TYPED_TEST(RegBinaryTest, Sub) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T, T> check;
  check.run = [](auto& dst, auto& a, auto& b, auto& mask) { Reg::Sub<T>(dst, a, b, mask); };
  check.reference = [](T, T a, T b) { return Exactly(a, b, [](auto x, auto y) { return x - y; }); };
  check.Check();
}

TYPED_TEST(RegBinaryTest, Mul) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T, T> check;
  check.run = [](auto& dst, auto& a, auto& b, auto& mask) { Reg::Mul(dst, a, b, mask); };
  check.reference = [](T, T a, T b) { return Exactly(a, b, [](auto x, auto y) { return x * y; }); };
  check.Check();
}

// The larger or smaller number; -0 is below +0, a NaN wins.
template <bool kMax, typename T>
T ExtremeOf(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return kMax ? std::max(a, b) : std::min(a, b);
  } else {
    const double x = ValueOf(a);
    const double y = ValueOf(b);
    if (x != x || y != y) return RoundedTo<T>(std::nan(""));
    if (x == y) return std::signbit(x) == kMax ? b : a;
    return (x > y) == kMax ? a : b;
  }
}

TYPED_TEST(RegBinaryTest, Max) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T, T> check;
  check.run = [](auto& dst, auto& a, auto& b, auto& mask) { Reg::Max(dst, a, b, mask); };
  check.reference = [](T, T a, T b) { return ExtremeOf<true>(a, b); };
  check.Check();
}

TYPED_TEST(RegBinaryTest, MinKeepsElementsWhenMerging) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T, T> check;
  check.run = [](auto& dst, auto& a, auto& b, auto& mask) {
    Reg::Min<T, Reg::MaskMergeMode::MERGING>(dst, a, b, mask);
  };
  check.reference = [](T, T a, T b) { return ExtremeOf<false>(a, b); };
  check.merge = Merge::kKeep;
  check.Check();
}

template <typename T>
class RegDivTest : public ::testing::Test {};

using DivTypes =
    ::testing::Types<int16_t, uint16_t, half, int32_t, uint32_t, float, int64_t, uint64_t>;
TYPED_TEST_SUITE(RegDivTest, DivTypes);

template <typename T>
T QuotientOf(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) return static_cast<T>(~T(0));
    if (std::is_signed_v<T> && b == T(-1)) {
      return static_cast<T>(uint64_t{0} - static_cast<uint64_t>(a));
    }
    return static_cast<T>(a / b);
  } else {
    return RoundedTo<T>(ValueOf(a) / ValueOf(b));
  }
}

TYPED_TEST(RegDivTest, Div) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T, T> check;
  check.run = [](auto& dst, auto& a, auto& b, auto& mask) { Reg::Div(dst, a, b, mask); };
  check.reference = [](T, T a, T b) { return QuotientOf(a, b); };
  check.Check();
}

TEST(RegDivModeTest, TakesAPointerToItsMode) {
  static constexpr Reg::DivSpecificMode kPrecise = {Reg::MaskMergeMode::ZEROING, true,
                                                    AscendC::DivAlgo::PRECISION_0ULP_FTZ_FALSE};
  ElementwiseRegCheck<float, float, float> check;
  check.run = [](auto& dst, auto& a, auto& b, auto& mask) {
    Reg::Div<float, &kPrecise>(dst, a, b, mask);
  };
  check.reference = [](float, float a, float b) { return QuotientOf(a, b); };
  check.Check();
}

template <typename T>
class RegPreluTest : public ::testing::Test {};

using PreluTypes = ::testing::Types<half, float>;
TYPED_TEST_SUITE(RegPreluTest, PreluTypes);

TYPED_TEST(RegPreluTest, MultipliesWhatIsNotPositive) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T, T> check;
  check.run = [](auto& dst, auto& a, auto& b, auto& mask) { Reg::Prelu(dst, a, b, mask); };
  check.reference = [](T, T a, T b) {
    return RoundedTo<T>(ValueOf(a) > 0 ? ValueOf(a) : ValueOf(a) * ValueOf(b));
  };
  check.Check();
}

}  // namespace
}  // namespace attnres::testing
