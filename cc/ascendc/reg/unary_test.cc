// Elementwise instructions with one register, for every element type and tail length. Exp and Ln
// are compared with the functions behind the memory-based instructions, which have tests of their
// accuracy.
#include "cc/ascendc/reg/unary.h"

#include <gtest/gtest.h>

#include "cc/ascendc/membase/vector/math.h"
#include "cc/ascendc/reg/test_support.h"

namespace attnres::testing {
namespace {

template <typename T>
class RegSignTest : public ::testing::Test {};

using SignTypes = ::testing::Types<int8_t, int16_t, half, int32_t, float, int64_t>;
TYPED_TEST_SUITE(RegSignTest, SignTypes);

TYPED_TEST(RegSignTest, Abs) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T> check;
  check.run = [](auto& dst, auto& a, auto& mask) { Reg::Abs(dst, a, mask); };
  check.reference = [](T, T a) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(a < 0 ? uint64_t{0} - static_cast<uint64_t>(a)
                                  : static_cast<uint64_t>(a));
    } else {
      return RoundedTo<T>(std::fabs(ValueOf(a)));
    }
  };
  check.Check();
}

TYPED_TEST(RegSignTest, Neg) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T> check;
  check.run = [](auto& dst, auto& a, auto& mask) { Reg::Neg(dst, a, mask); };
  check.reference = [](T, T a) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(uint64_t{0} - static_cast<uint64_t>(a));
    } else {
      return RoundedTo<T>(-ValueOf(a));
    }
  };
  check.Check();
}

template <typename T>
class RegReluTest : public ::testing::Test {};

using ReluTypes = ::testing::Types<half, int32_t, float, int64_t>;
TYPED_TEST_SUITE(RegReluTest, ReluTypes);

TYPED_TEST(RegReluTest, IsZeroForWhatIsNotPositive) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T> check;
  check.run = [](auto& dst, auto& a, auto& mask) { Reg::Relu(dst, a, mask); };
  check.reference = [](T, T a) {
    if constexpr (std::is_integral_v<T>) return std::max(a, T(0));
    const double value = ValueOf(a);
    return RoundedTo<T>(value != value || value > 0 ? value : 0.0);
  };
  check.Check();
}

template <typename T>
class RegFunctionTest : public ::testing::Test {};

using FunctionTypes = ::testing::Types<half, float>;
TYPED_TEST_SUITE(RegFunctionTest, FunctionTypes);

TYPED_TEST(RegFunctionTest, Sqrt) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T> check;
  check.run = [](auto& dst, auto& a, auto& mask) { Reg::Sqrt(dst, a, mask); };
  check.reference = [](T, T a) { return RoundedTo<T>(std::sqrt(ValueOf(a))); };
  check.Check();
}

TYPED_TEST(RegFunctionTest, ExpAsTheMemoryBasedOne) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T> check;
  check.run = [](auto& dst, auto& a, auto& mask) { Reg::Exp(dst, a, mask); };
  check.reference = [](T, T a) {
    return RoundedTo<T>(AscendC::twin::Exponential(static_cast<float>(a)));
  };
  check.Check();
}

TYPED_TEST(RegFunctionTest, LnAsTheMemoryBasedOne) {
  using T = TypeParam;
  ElementwiseRegCheck<T, T> check;
  check.run = [](auto& dst, auto& a, auto& mask) { Reg::Ln(dst, a, mask); };
  check.reference = [](T, T a) {
    return RoundedTo<T>(AscendC::twin::Logarithm(static_cast<float>(a)));
  };
  check.Check();
}

TYPED_TEST(RegFunctionTest, TakesAPointerToItsMode) {
  using T = TypeParam;
  static constexpr Reg::ExpSpecificMode kMode = {Reg::MaskMergeMode::ZEROING,
                                                 AscendC::ExpAlgo::PRECISION_1ULP_FTZ_FALSE};
  static constexpr Reg::LogSpecificMode kLogMode = {Reg::MaskMergeMode::ZEROING,
                                                    AscendC::LogAlgo::PRECISION_1ULP_FTZ_FALSE};
  ElementwiseRegCheck<T, T> check;
  check.run = [](auto& dst, auto& a, auto& mask) {
    Reg::Exp<T, &kMode>(dst, a, mask);
    Reg::Log<T, &kLogMode>(dst, dst, mask);
  };
  check.reference = [](T, T a) {
    const T exp = RoundedTo<T>(AscendC::twin::Exponential(static_cast<float>(a)));
    return RoundedTo<T>(AscendC::twin::Logarithm(static_cast<float>(exp)));
  };
  check.Check();
}

// Units in the last place of the exact result that a float is off.
double UlpsOff(float actual, double exact) {
  if (actual == exact || (std::isnan(actual) && std::isnan(exact))) return 0;
  int exponent;
  std::frexp(exact, &exponent);
  const double ulp = std::ldexp(1.0, std::max(exponent - 24, -149));
  return std::fabs(actual - exact) / ulp;
}

using FloatFunction = void (*)(Reg::RegTensor<float>&, Reg::RegTensor<float>&, Reg::MaskReg&);

double WorstUlps(FloatFunction function, double (*exact)(double)) {
  Random random{3};
  double worst = 0;
  for (int round = 0; round < 2000; ++round) {
    Elements<float> values;
    for (float& value : values) {
      const uint32_t bits = static_cast<uint32_t>(random()) & 0x7F7FFFFFu;  // positive, finite
      std::memcpy(&value, &bits, sizeof(value));
      if (round % 2 == 0)
        value = static_cast<float>(
            std::ldexp(1.0 + (bits & 0xFFFF) / 65536.0, static_cast<int>(bits % 3) - 1));
    }
    Reg::RegTensor<float> src = ToRegister(values);
    Reg::RegTensor<float> dst;
    Reg::MaskReg all = Reg::CreateMask<float>();
    function(dst, src, all);
    const Elements<float> actual = FromRegister(dst);
    for (uint32_t i = 0; i < kLanes<float>; ++i) {
      worst = std::max(worst, UlpsOff(actual[i], exact(values[i])));
    }
  }
  return worst;
}

TEST(RegLogTest, Log2AndLog10AreWithinTwoUlps) {
  // Logarithm is within 0.84 ulp; the product with the constant rounds once more, and one ulp of
  // the result can be half as large as one of the logarithm: 2 * 0.84 + 0.5 at most, found less.
  EXPECT_LT(WorstUlps([](auto& d, auto& s, auto& m) { Reg::Log2(d, s, m); }, std::log2), 2.0);
  EXPECT_LT(WorstUlps([](auto& d, auto& s, auto& m) { Reg::Log10(d, s, m); }, std::log10), 2.0);
}

TEST(RegLogTest, SpecialValues) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float cases[][2] = {{0.0f, -infinity}, {-0.0f, -infinity}, {infinity, infinity},
                            {1.0f, 0.0f},      {-1.0f, NAN},       {-infinity, NAN},
                            {NAN, NAN}};
  for (const auto& [input, expected] : cases) {
    Elements<float> values;
    values.fill(input);
    Reg::RegTensor<float> src = ToRegister(values);
    Reg::RegTensor<float> dst;
    Reg::MaskReg all = Reg::CreateMask<float>();
    Reg::Log2(dst, src, all);
    EXPECT_EQ(BitsAsInteger(FromRegister(dst)[5]), BitsAsInteger(expected)) << input;
    Reg::Log10(dst, src, all);
    EXPECT_EQ(BitsAsInteger(FromRegister(dst)[5]), BitsAsInteger(expected)) << input;
  }
}

}  // namespace
}  // namespace attnres::testing
