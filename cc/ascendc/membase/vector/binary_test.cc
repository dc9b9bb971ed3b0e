// Instructions with two sources against a double (or 64-bit integer) reference: every type, count
// form, in place, masks, strides, counter mode, NaN, infinities and signed zeros.
#include "cc/ascendc/membase/vector/binary.h"

#include <cmath>
#include <type_traits>

#include "cc/ascendc/membase/vector/test_support.h"

namespace attnres::testing {
namespace {

using AscendC::BinaryRepeatParams;

BinaryRepeatParams Params(const RepeatCall& call) {
  return BinaryRepeatParams(call.dst.block, call.src[0].block, call.src[1].block, call.dst.repeat,
                            call.src[0].repeat, call.src[1].repeat);
}

// Each gives the exact result in double or, for integers, modulo 2^64.
struct Add {
  template <typename... A>
  static void Run(A&&... a) {
    AscendC::Add(a...);
  }
  template <typename V>
  static V Of(V a, V b) {
    return a + b;
  }
};
struct Sub {
  template <typename... A>
  static void Run(A&&... a) {
    AscendC::Sub(a...);
  }
  template <typename V>
  static V Of(V a, V b) {
    return a - b;
  }
};
struct Mul {
  template <typename... A>
  static void Run(A&&... a) {
    AscendC::Mul(a...);
  }
  template <typename V>
  static V Of(V a, V b) {
    return a * b;
  }
};
struct Div {
  template <typename... A>
  static void Run(A&&... a) {
    AscendC::Div(a...);
  }
  template <typename V>
  static V Of(V a, V b) {
    return a / b;
  }
};

template <typename T, typename V = std::conditional_t<std::is_integral_v<T>, int64_t, double>>
V Larger(V a, V b) {
  if (a != a || b != b) return a + b;
  return a > b || (a == b && !std::signbit(static_cast<double>(a))) ? a : b;
}
template <typename T, typename V = std::conditional_t<std::is_integral_v<T>, int64_t, double>>
V Smaller(V a, V b) {
  if (a != a || b != b) return a + b;
  return a < b || (a == b && std::signbit(static_cast<double>(a))) ? a : b;
}

template <typename T, typename Reference, typename Run>
void Check(Reference reference, Run run) {
  ElementwiseCheck<T, T, T> check;
  check.reference = [=](T, T a, T b) { return reference(a, b); };
  check.count_form = [=](LocalTensor<T> d, LocalTensor<T> a, LocalTensor<T> b, int32_t n) {
    run(d, a, b, n);
  };
  check.mask_form = [=](LocalTensor<T> d, LocalTensor<T> a, LocalTensor<T> b, uint64_t mask,
                        const RepeatCall& call) {
    run(d, a, b, mask, static_cast<uint8_t>(call.repeats), Params(call));
  };
  check.bits_form = [=](LocalTensor<T> d, LocalTensor<T> a, LocalTensor<T> b, uint64_t* mask,
                        const RepeatCall& call) {
    run(d, a, b, mask, static_cast<uint8_t>(call.repeats), Params(call));
  };
  check.RunAll();
}

template <typename Op, typename T>
void CheckArithmetic() {
  Check<T>(
      [](T a, T b) {
        if constexpr (std::is_integral_v<T>) {
          return static_cast<T>(
              Op::template Of<uint64_t>(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
        } else {
          return RoundedTo<T>(Op::template Of<double>(ValueOf(a), ValueOf(b)));
        }
      },
      [](auto&&... args) { Op::Run(args...); });
}

class BinaryTest : public VectorTest {};

TEST_F(BinaryTest, AddRoundsOnceAndWrapsIntegers) {
  CheckArithmetic<Add, float>();
  CheckArithmetic<Add, half>();
  CheckArithmetic<Add, int32_t>();
  CheckArithmetic<Add, int16_t>();
}

TEST_F(BinaryTest, SubRoundsOnceAndWrapsIntegers) {
  CheckArithmetic<Sub, float>();
  CheckArithmetic<Sub, half>();
  CheckArithmetic<Sub, int32_t>();
  CheckArithmetic<Sub, int16_t>();
}

TEST_F(BinaryTest, MulRoundsOnceAndWrapsIntegers) {
  CheckArithmetic<Mul, float>();
  CheckArithmetic<Mul, half>();
  CheckArithmetic<Mul, int32_t>();
  CheckArithmetic<Mul, int16_t>();
}

TEST_F(BinaryTest, DivRoundsOnce) {
  CheckArithmetic<Div, float>();
  CheckArithmetic<Div, half>();
}

template <typename T>
void CheckExtremes() {
  using V = std::conditional_t<std::is_integral_v<T>, int64_t, double>;
  const auto value = [](T a) { return static_cast<V>(ValueOf(a)); };
  const auto back = [](V a) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(a);
    } else {
      return RoundedTo<T>(a);
    }
  };
  Check<T>([=](T a, T b) { return back(Larger<T>(value(a), value(b))); },
           [](auto&&... args) { AscendC::Max(args...); });
  Check<T>([=](T a, T b) { return back(Smaller<T>(value(a), value(b))); },
           [](auto&&... args) { AscendC::Min(args...); });
}

TEST_F(BinaryTest, MaxAndMinPropagateNanAndOrderZeros) {
  CheckExtremes<float>();
  CheckExtremes<half>();
  CheckExtremes<int32_t>();
  CheckExtremes<int16_t>();
}

template <typename T>
void CheckRelu() {
  const auto rectified = [](T a) {
    const double value = ValueOf(a);
    return value > 0 || value != value ? a : T(0);
  };
  const auto exact = [](T a, T b, int sign) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<uint64_t>(a) +
                            static_cast<uint64_t>(static_cast<int64_t>(b) * sign));
    } else {
      return RoundedTo<T>(ValueOf(a) + sign * ValueOf(b));
    }
  };
  Check<T>([=](T a, T b) { return rectified(exact(a, b, 1)); },
           [](auto&&... args) { AscendC::AddRelu(args...); });
  Check<T>([=](T a, T b) { return rectified(exact(a, b, -1)); },
           [](auto&&... args) { AscendC::SubRelu(args...); });
}

TEST_F(BinaryTest, AddReluAndSubReluRectifyTheRoundedSum) {
  CheckRelu<float>();
  CheckRelu<half>();
  CheckRelu<int16_t>();
}

TEST_F(BinaryTest, AndOrWorkOnBits) {
  Check<int16_t>([](int16_t a, int16_t b) { return static_cast<int16_t>(a & b); },
                 [](auto&&... args) { AscendC::And(args...); });
  Check<uint16_t>([](uint16_t a, uint16_t b) { return static_cast<uint16_t>(a | b); },
                  [](auto&&... args) { AscendC::Or(args...); });
}

TEST_F(BinaryTest, RepeatStrideZeroAccumulates) {
  GuardedBuffer<float> total(64);
  GuardedBuffer<float> rows(64 * 7);
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = 1.0f / static_cast<float>(i + 1);
  std::vector<float> expected(64);
  for (size_t lane = 0; lane < 64; ++lane) {
    total[lane] = static_cast<float>(lane);
    expected[lane] = total[lane];
    for (size_t row = 0; row < 7; ++row) expected[lane] = rows[row * 64 + lane] + expected[lane];
  }
  AscendC::Add(TensorOf(total), TensorOf(rows), TensorOf(total), uint64_t{64}, 7,
               BinaryRepeatParams(1, 1, 1, 0, 8, 0));
  EXPECT_TRUE(SameBits(total, expected));
}

TEST_F(BinaryTest, MaskFromSetVectorMaskServesCallsWithoutMask) {
  GuardedBuffer<half> a(128);
  GuardedBuffer<half> b(128);
  GuardedBuffer<half> c(128);
  std::vector<half> expected(128);
  for (size_t i = 0; i < 128; ++i) {
    a[i] = half(static_cast<float>(i));
    b[i] = half(2.0f);
    c[i] = half(-1.0f);
    expected[i] = i % 4 == 0 && i >= 64 ? half(static_cast<float>(i) + 2.0f) : half(-1.0f);
  }
  AscendC::SetVectorMask<half>(0x1111111111111111ull, 0);
  AscendC::Add<half, false>(TensorOf(c), TensorOf(a), TensorOf(b), AscendC::MASK_PLACEHOLDER, 1,
                            BinaryRepeatParams());
  AscendC::ResetMask();
  EXPECT_TRUE(SameBits(c, expected));
}

}  // namespace
}  // namespace attnres::testing
