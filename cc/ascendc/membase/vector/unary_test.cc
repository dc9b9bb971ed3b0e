// Instructions with one source: exact ones against double, Exp and Ln within the errors that math.h
// states.
#include "cc/ascendc/membase/vector/unary.h"

#include <cmath>
#include <limits>

#include "cc/ascendc/membase/vector/test_support.h"

namespace attnres::testing {
namespace {

using AscendC::UnaryRepeatParams;

template <typename T, typename Reference, typename Run>
void Check(Reference reference, Run run) {
  const auto params = [](const RepeatCall& call) {
    return UnaryRepeatParams(
        static_cast<uint16_t>(call.dst.block), static_cast<uint16_t>(call.src[0].block),
        static_cast<uint8_t>(call.dst.repeat), static_cast<uint8_t>(call.src[0].repeat));
  };
  ElementwiseCheck<T, T> check;
  check.reference = [=](T, T a) { return reference(a); };
  check.count_form = [=](LocalTensor<T> d, LocalTensor<T> a, int32_t n) { run(d, a, n); };
  check.mask_form = [=](LocalTensor<T> d, LocalTensor<T> a, uint64_t mask, const RepeatCall& call) {
    run(d, a, mask, static_cast<uint8_t>(call.repeats), params(call));
  };
  check.bits_form = [=](LocalTensor<T> d, LocalTensor<T> a, uint64_t* mask,
                        const RepeatCall& call) {
    run(d, a, mask, static_cast<uint8_t>(call.repeats), params(call));
  };
  check.RunAll();
}

class UnaryTest : public VectorTest {};

TEST_F(UnaryTest, AbsClearsTheSign) {
  const auto run = [](auto&&... args) { AscendC::Abs(args...); };
  Check<float>([](float a) { return RoundedTo<float>(std::fabs(ValueOf(a))); }, run);
  Check<half>([](half a) { return RoundedTo<half>(std::fabs(ValueOf(a))); }, run);
}

TEST_F(UnaryTest, ReluKeepsNanAndMakesZeroPositive) {
  const auto run = [](auto&&... args) { AscendC::Relu(args...); };
  const auto rectified = [](auto a) {
    using T = decltype(a);
    const double x = ValueOf(a);
    return x != x ? RoundedTo<T>(x) : x > 0 ? a : T(0);
  };
  Check<float>(rectified, run);
  Check<half>(rectified, run);
  Check<int32_t>([](int32_t a) { return a > 0 ? a : 0; }, run);
}

TEST_F(UnaryTest, SqrtAndReciprocalRoundOnce) {
  const auto sqrt = [](auto a) { return RoundedTo<decltype(a)>(std::sqrt(ValueOf(a))); };
  const auto reciprocal = [](auto a) { return RoundedTo<decltype(a)>(1.0 / ValueOf(a)); };
  Check<float>(sqrt, [](auto&&... args) { AscendC::Sqrt(args...); });
  Check<half>(sqrt, [](auto&&... args) { AscendC::Sqrt(args...); });
  Check<float>(reciprocal, [](auto&&... args) { AscendC::Reciprocal(args...); });
  Check<half>(reciprocal, [](auto&&... args) { AscendC::Reciprocal(args...); });
}

TEST_F(UnaryTest, RsqrtIsTheReciprocalOfTheRoundedRoot) {
  const auto rsqrt = [](auto a) {
    return RoundedTo<decltype(a)>(RoundedTo<float>(1.0 / RoundedTo<float>(std::sqrt(ValueOf(a)))));
  };
  Check<float>(rsqrt, [](auto&&... args) { AscendC::Rsqrt(args...); });
  Check<half>(rsqrt, [](auto&&... args) { AscendC::Rsqrt(args...); });
}

TEST_F(UnaryTest, NotInvertsBits) {
  Check<uint16_t>([](uint16_t a) { return static_cast<uint16_t>(~a); },
                  [](auto&&... args) { AscendC::Not(args...); });
  Check<int16_t>([](int16_t a) { return static_cast<int16_t>(~a); },
                 [](auto&&... args) { AscendC::Not(args...); });
}

// Distance of `actual` from `exact` in units of the float nearest to it.
double ErrorInUlp(float actual, double exact) {
  const float nearest = static_cast<float>(exact);
  int exponent = 0;
  std::frexp(nearest, &exponent);
  const double ulp = std::ldexp(1.0, std::max(exponent - 24, -149));
  return std::fabs(actual - exact) / ulp;
}

template <typename Instruction>
double LargestError(Instruction instruction, double (*exact)(double), float low, float high) {
  constexpr size_t kCount = 4096;
  GuardedBuffer<float> in(kCount);
  GuardedBuffer<float> out(kCount);
  Random random(7);
  double largest = 0.0;
  for (int round = 0; round < 256; ++round) {
    for (size_t i = 0; i < kCount; ++i) {
      in[i] = low + (high - low) * static_cast<float>(random() % (1u << 24)) / (1u << 24);
    }
    instruction(TensorOf(out), TensorOf(in), static_cast<int32_t>(kCount));
    for (size_t i = 0; i < kCount; ++i) {
      largest = std::max(largest, ErrorInUlp(out[i], exact(in[i])));
    }
  }
  return largest;
}

TEST_F(UnaryTest, ExpErrorIsAsStated) {
  const auto exp = [](auto... args) { AscendC::Exp(args...); };
  EXPECT_LT(LargestError(exp, std::exp, -1.0f, 1.0f), 0.76);
  EXPECT_LT(LargestError(exp, std::exp, -87.0f, 88.7f), 0.76);
  EXPECT_LT(LargestError(exp, std::exp, -103.9f, -87.0f), 0.85);  // subnormal results
}

TEST_F(UnaryTest, LnErrorIsAsStated) {
  const auto ln = [](auto... args) { AscendC::Ln(args...); };
  EXPECT_LT(LargestError(ln, std::log, 0.5f, 2.0f), 0.85);
  EXPECT_LT(LargestError(ln, std::log, 1e-38f, 1e-37f), 0.85);
  EXPECT_LT(LargestError(ln, std::log, 0.0f + 1e-45f, 1e-38f), 0.85);  // subnormal arguments
  EXPECT_LT(LargestError(ln, std::log, 1.0f, 3e38f), 0.85);
}

template <typename T, typename Instruction>
T Single(Instruction instruction, T value) {
  GuardedBuffer<T> in(1);
  GuardedBuffer<T> out(1);
  in[0] = value;
  instruction(TensorOf(out), TensorOf(in), 1);
  return out[0];
}

TEST_F(UnaryTest, ExpAndLnAtTheEnds) {
  const auto exp = [](auto... args) { AscendC::Exp(args...); };
  const auto ln = [](auto... args) { AscendC::Ln(args...); };
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(Single(exp, 0.0f), 1.0f);
  EXPECT_EQ(Single(exp, -0.0f), 1.0f);
  EXPECT_EQ(Single(exp, infinity), infinity);
  EXPECT_EQ(Single(exp, 88.8f), infinity);
  EXPECT_EQ(Single(exp, 3e38f), infinity);
  EXPECT_EQ(BitsAsInteger(Single(exp, -infinity)), 0u);
  EXPECT_EQ(BitsAsInteger(Single(exp, -1e30f)), 0u);
  EXPECT_EQ(Single(ln, 1.0f), 0.0f);
  EXPECT_EQ(Single(ln, 0.0f), -infinity);
  EXPECT_EQ(Single(ln, -0.0f), -infinity);
  EXPECT_EQ(Single(ln, infinity), infinity);
  for (const float bad : {-1.0f, -1e-45f, -infinity, -std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_EQ(BitsAsInteger(Single(ln, bad)), 0x7FC00000u) << bad;
  }
  EXPECT_EQ(BitsAsInteger(Single(exp, -std::numeric_limits<float>::quiet_NaN())), 0x7FC00000u);
}

// A half result is the float result rounded once more; against double it is off by at most one unit
// in the last place.
TEST_F(UnaryTest, ExpAndLnOfHalf) {
  GuardedBuffer<half> in(65536);
  GuardedBuffer<half> out(65536);
  for (uint32_t bits = 0; bits < 65536; ++bits)
    in[bits] = half::FromBits(static_cast<uint16_t>(bits));
  AscendC::Exp(TensorOf(out), TensorOf(in), 65536);
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const half expected = RoundedTo<half>(std::exp(ValueOf(in[bits])));
    ASSERT_LE(std::abs(static_cast<int>(out[bits].bits) - expected.bits), 1) << ValueOf(in[bits]);
  }
  AscendC::Ln(TensorOf(out), TensorOf(in), 65536);
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const half expected = RoundedTo<half>(std::log(ValueOf(in[bits])));
    ASSERT_LE(std::abs(static_cast<int>(out[bits].bits) - expected.bits), 1) << ValueOf(in[bits]);
  }
}

}  // namespace
}  // namespace attnres::testing
