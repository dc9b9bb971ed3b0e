// Elementwise instructions with a register and a scalar, for every element type and tail length.
#include "cc/ascendc/reg/scalar.h"

#include <gtest/gtest.h>

#include "cc/ascendc/reg/test_support.h"

namespace attnres::testing {
namespace {

template <typename T>
class RegScalarTest : public ::testing::Test {};

using ScalarTypes = ::testing::Types<int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t,
                                     uint32_t, float, int64_t, uint64_t>;
TYPED_TEST_SUITE(RegScalarTest, ScalarTypes);

template <typename T, typename Op>
T Exactly(T a, T b, Op op) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(op(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
  } else {
    return RoundedTo<T>(op(ValueOf(a), ValueOf(b)));
  }
}

// Not representable in 16 bits, so that the conversion to the element type shows.
template <typename T>
constexpr float kFloatScalar = -1.23456f;

template <typename T>
T ScalarOf() {
  if constexpr (std::is_integral_v<T>) {
    return T(3);
  } else {
    return T(kFloatScalar<T>);
  }
}

TYPED_TEST(RegScalarTest, Adds) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T> check;
  check.run = [](auto& dst, auto& a, auto& mask) { Reg::Adds(dst, a, ScalarOf<T>(), mask); };
  check.reference = [](T, T a) {
    return Exactly(a, ScalarOf<T>(), [](auto x, auto y) { return x + y; });
  };
  check.Check();
}

TYPED_TEST(RegScalarTest, Muls) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T> check;
  check.run = [](auto& dst, auto& a, auto& mask) {
    Reg::Muls<T, T, Reg::MaskMergeMode::ZEROING>(dst, a, ScalarOf<T>(), mask);
  };
  check.reference = [](T, T a) {
    return Exactly(a, ScalarOf<T>(), [](auto x, auto y) { return x * y; });
  };
  check.Check();
}

template <bool kMax, typename T>
T ExtremeOf(T a, T b) {
  if constexpr (!std::is_integral_v<T>) {
    if (ValueOf(a) != ValueOf(a)) return RoundedTo<T>(std::nan(""));
    if (ValueOf(a) == ValueOf(b)) return std::signbit(ValueOf(a)) == kMax ? b : a;
  }
  return (ValueOf(a) > ValueOf(b)) == kMax ? a : b;
}

TYPED_TEST(RegScalarTest, Maxs) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T> check;
  check.run = [](auto& dst, auto& a, auto& mask) { Reg::Maxs(dst, a, T(0), mask); };
  check.reference = [](T, T a) {
    if constexpr (std::is_integral_v<T>) return std::max(a, T(0));
    return ExtremeOf<true>(a, T(0));
  };
  check.Check();
}

TYPED_TEST(RegScalarTest, Mins) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T> check;
  check.run = [](auto& dst, auto& a, auto& mask) { Reg::Mins(dst, a, T(5), mask); };
  check.reference = [](T, T a) {
    if constexpr (std::is_integral_v<T>) return std::min(a, T(5));
    return ExtremeOf<false>(a, T(5));
  };
  check.Check();
}

TEST(RegScalarConversionTest, TakesAnotherTypeOfNumber) {
  ElementwiseRegCheck<half, half> check;
  check.run = [](auto& dst, auto& a, auto& mask) { Reg::Adds(dst, a, kFloatScalar<half>, mask); };
  check.reference = [](half, half a) {
    return RoundedTo<half>(ValueOf(a) + ValueOf(half(kFloatScalar<half>)));
  };
  check.Check();
}

template <typename T>
class RegLeakyReluTest : public ::testing::Test {};

using LeakyReluTypes = ::testing::Types<half, float>;
TYPED_TEST_SUITE(RegLeakyReluTest, LeakyReluTypes);

TYPED_TEST(RegLeakyReluTest, MultipliesWhatIsNotPositive) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T> check;
  check.run = [](auto& dst, auto& a, auto& mask) { Reg::LeakyRelu(dst, a, T(0.01f), mask); };
  check.reference = [](T, T a) {
    return RoundedTo<T>(ValueOf(a) > 0 ? ValueOf(a) : ValueOf(a) * ValueOf(T(0.01f)));
  };
  check.Check();
}

}  // namespace
}  // namespace attnres::testing
