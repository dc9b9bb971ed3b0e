// Instructions with a tensor and a scalar, against a double or integer reference; see
// binary_test.cc for the grid.
#include "cc/ascendc/membase/vector/scalar.h"

#include <cmath>
#include <limits>

#include "cc/ascendc/membase/vector/test_support.h"

namespace attnres::testing {
namespace {

using AscendC::UnaryRepeatParams;

UnaryRepeatParams Params(const RepeatCall& call) {
  return UnaryRepeatParams(
      static_cast<uint16_t>(call.dst.block), static_cast<uint16_t>(call.src[0].block),
      static_cast<uint8_t>(call.dst.repeat), static_cast<uint8_t>(call.src[0].repeat));
}

// `run` forwards to an instruction; `reference(a)` already knows the scalar.
template <typename T, typename Reference, typename Run>
void Check(T scalar, Reference reference, Run run) {
  ElementwiseCheck<T, T> check;
  check.reference = [=](T, T a) { return reference(a); };
  check.count_form = [=](LocalTensor<T> d, LocalTensor<T> a, int32_t n) { run(d, a, scalar, n); };
  check.mask_form = [=](LocalTensor<T> d, LocalTensor<T> a, uint64_t mask, const RepeatCall& call) {
    run(d, a, scalar, mask, static_cast<uint8_t>(call.repeats), Params(call));
  };
  check.bits_form = [=](LocalTensor<T> d, LocalTensor<T> a, uint64_t* mask,
                        const RepeatCall& call) {
    run(d, a, scalar, mask, static_cast<uint8_t>(call.repeats), Params(call));
  };
  check.RunAll();
}

class ScalarTest : public VectorTest {};

template <typename T>
void CheckArithmetic(T scalar) {
  const auto exact = [scalar](T a, auto of) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(of(static_cast<uint64_t>(a), static_cast<uint64_t>(scalar)));
    } else {
      return RoundedTo<T>(of(ValueOf(a), ValueOf(scalar)));
    }
  };
  Check<T>(
      scalar, [=](T a) { return exact(a, [](auto x, auto y) { return x + y; }); },
      [](auto&&... args) { AscendC::Adds(args...); });
  Check<T>(
      scalar, [=](T a) { return exact(a, [](auto x, auto y) { return x * y; }); },
      [](auto&&... args) { AscendC::Muls(args...); });
}

TEST_F(ScalarTest, AddsAndMulsRoundOnceAndWrapIntegers) {
  CheckArithmetic<float>(0.3f);
  CheckArithmetic<float>(-0.0f);
  CheckArithmetic<float>(std::numeric_limits<float>::infinity());
  CheckArithmetic<half>(half(-1.7f));
  CheckArithmetic<int32_t>(-77777);
  CheckArithmetic<int16_t>(123);
}

template <typename T>
void CheckExtremes(T scalar) {
  const auto larger = [=](T a) {
    const double x = ValueOf(a);
    const double y = ValueOf(scalar);
    if (x != x) return RoundedTo<T>(x);
    return x > y || (x == y && !std::signbit(x)) ? a : scalar;
  };
  const auto smaller = [=](T a) {
    const double x = ValueOf(a);
    const double y = ValueOf(scalar);
    if (x != x) return RoundedTo<T>(x);
    return x < y || (x == y && std::signbit(x)) ? a : scalar;
  };
  Check<T>(scalar, larger, [](auto&&... args) { AscendC::Maxs(args...); });
  Check<T>(scalar, smaller, [](auto&&... args) { AscendC::Mins(args...); });
}

TEST_F(ScalarTest, MaxsAndMinsPropagateNanAndOrderZeros) {
  CheckExtremes<float>(0.0f);
  CheckExtremes<float>(-0.0f);
  CheckExtremes<half>(half(1.0f));
  CheckExtremes<int32_t>(5);
  CheckExtremes<int16_t>(-5);
}

template <typename T>
void CheckLeakyRelu(T slope) {
  Check<T>(
      slope,
      [=](T a) {
        const double x = ValueOf(a);
        return x != x ? RoundedTo<T>(x) : x < 0 ? RoundedTo<T>(x * ValueOf(slope)) : a;
      },
      [](auto&&... args) { AscendC::LeakyRelu(args...); });
}

TEST_F(ScalarTest, LeakyReluScalesNegativeElements) {
  CheckLeakyRelu<float>(0.01f);
  CheckLeakyRelu<float>(-3.0f);
  CheckLeakyRelu<half>(half(0.1f));
}

template <typename T>
void CheckShifts(T by) {
  constexpr int kBits = 8 * sizeof(T);
  Check<T>(
      by,
      [=](T a) {
        return by >= kBits ? T(0) : static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) << by);
      },
      [](auto&&... args) { AscendC::ShiftLeft(args...); });
  Check<T>(
      by, [=](T a) { return static_cast<T>(static_cast<int64_t>(a) >> (by > 40 ? 40 : by)); },
      [](auto&&... args) { AscendC::ShiftRight(args...); });
}

TEST_F(ScalarTest, ShiftsFillWithZeroOrSign) {
  for (const int by : {0, 1, 5, 15, 16}) {
    CheckShifts<int16_t>(static_cast<int16_t>(by));
    CheckShifts<uint16_t>(static_cast<uint16_t>(by));
  }
  for (const int by : {0, 3, 31, 32}) {
    CheckShifts<int32_t>(by);
    CheckShifts<uint32_t>(static_cast<uint32_t>(by));
  }
}

TEST_F(ScalarTest, ShiftRightRoundsToNearestOnRequest) {
  GuardedBuffer<int32_t> in(64);
  GuardedBuffer<int32_t> out(64);
  std::vector<int32_t> expected(64);
  for (int32_t i = 0; i < 64; ++i) {
    in[i] = i - 32;
    expected[i] = static_cast<int32_t>(std::floor((i - 32) / 8.0 + 0.5));
  }
  AscendC::ShiftRight(TensorOf(out), TensorOf(in), 3, uint64_t{64}, 1, UnaryRepeatParams(), true);
  EXPECT_TRUE(SameBits(out, expected));
}

TEST_F(ScalarTest, CountFormTakesTheCountFromCounterMode) {
  GuardedBuffer<float> in(200, 0, 0);
  GuardedBuffer<float> out(200, 0, 0);
  std::vector<float> expected(200, 0.0f);
  std::fill(expected.begin(), expected.begin() + 130, 1.5f);
  AscendC::SetMaskCount();
  AscendC::SetVectorMask<float, AscendC::MaskMode::COUNTER>(130);
  AscendC::Adds<float, false>(TensorOf(out), TensorOf(in), 1.5f, 1);
  AscendC::SetMaskNorm();
  AscendC::ResetMask();
  EXPECT_TRUE(SameBits(out, expected));
}

}  // namespace
}  // namespace attnres::testing
