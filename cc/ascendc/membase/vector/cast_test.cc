// Cast: every pair of types and every mode against a rounding written in double from the definition
// of the modes; all 2^16 patterns of half and bfloat16_t; saturation; illegal modes; masks and
// strides.
#include "cc/ascendc/membase/vector/cast.h"

#include <cmath>
#include <limits>

#include "cc/ascendc/membase/vector/test_support.h"

namespace attnres::testing {
namespace {

using AscendC::RoundMode;
using AscendC::UnaryRepeatParams;

constexpr RoundMode kModes[] = {RoundMode::CAST_NONE, RoundMode::CAST_RINT,  RoundMode::CAST_FLOOR,
                                RoundMode::CAST_CEIL, RoundMode::CAST_ROUND, RoundMode::CAST_TRUNC,
                                RoundMode::CAST_ODD};

// x >= 0 scaled so that the target's unit is 1; is_negative: the sign that was taken off.
double RoundMagnitude(double x, RoundMode mode, bool is_negative) {
  const double low = std::floor(x);
  const double rest = x - low;
  const bool odd = std::fmod(low, 2.0) != 0.0;
  switch (mode) {
    case RoundMode::CAST_FLOOR:
      return low + (is_negative && rest > 0 ? 1 : 0);
    case RoundMode::CAST_CEIL:
      return low + (!is_negative && rest > 0 ? 1 : 0);
    case RoundMode::CAST_ROUND:
      return low + (rest >= 0.5 ? 1 : 0);
    case RoundMode::CAST_TRUNC:
      return low;
    case RoundMode::CAST_ODD:
      return low + (rest > 0 && !odd ? 1 : 0);
    default:
      return low + (rest > 0.5 || (rest == 0.5 && odd) ? 1 : 0);
  }
}

// To a binary format with `precision` bits of significand and smallest exponent `least` of the last
// bit; `max` is the largest finite value.
double RoundToFormat(double value, RoundMode mode, int precision, int least, double max) {
  if (value != value || std::isinf(value) || value == 0) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const double unit = std::ldexp(1.0, std::max(exponent - precision, least));
  const bool negative = value < 0;
  const double magnitude = RoundMagnitude(std::fabs(value) / unit, mode, negative) * unit;
  if (magnitude > max) {
    const bool stays = mode == RoundMode::CAST_TRUNC || mode == RoundMode::CAST_ODD ||
                       (mode == RoundMode::CAST_FLOOR && !negative) ||
                       (mode == RoundMode::CAST_CEIL && negative);
    const double beyond = stays ? max : std::numeric_limits<double>::infinity();
    return negative ? -beyond : beyond;
  }
  return negative ? -magnitude : magnitude;
}

template <typename D, typename S>
D Expected(S source, RoundMode mode) {
  const double value = ValueOf(source);
  if constexpr (std::is_integral_v<D>) {
    if (value != value) return 0;
    if constexpr (std::is_integral_v<S>) {  // 64-bit values do not fit a double
      if (source > std::numeric_limits<D>::max()) return std::numeric_limits<D>::max();
      if (source < std::numeric_limits<D>::min()) return std::numeric_limits<D>::min();
      return static_cast<D>(source);
    }
    const double rounded = std::copysign(RoundMagnitude(std::fabs(value), mode, value < 0), value);
    if (rounded >= -std::ldexp(-1.0, 8 * sizeof(D) - (std::is_signed_v<D> ? 1 : 0)))
      return std::numeric_limits<D>::max();
    if (rounded <= static_cast<double>(std::numeric_limits<D>::min()))
      return std::numeric_limits<D>::min();
    return static_cast<D>(rounded);
  } else if constexpr (std::is_same_v<D, half>) {
    return RoundedTo<half>(RoundToFormat(value, mode, 11, -24, 65504.0));
  } else if constexpr (std::is_same_v<D, bfloat16_t>) {
    return RoundedTo<bfloat16_t>(RoundToFormat(value, mode, 8, -133, 0x1.FEp127));
  } else if constexpr (std::is_same_v<S, float>) {
    if (value != value || std::isinf(value)) return RoundedTo<float>(value);
    return static_cast<float>(
        std::copysign(RoundMagnitude(std::fabs(value), mode, value < 0), value));
  } else {
    return RoundedTo<float>(
        RoundToFormat(value, mode, 24, -149, std::numeric_limits<float>::max()));
  }
}

// 64-bit integers exactly: to float by the definition, with integers.
template <>
float Expected<float, int64_t>(int64_t source, RoundMode mode) {
  const bool negative = source < 0;
  const uint64_t magnitude =
      negative ? 0 - static_cast<uint64_t>(source) : static_cast<uint64_t>(source);
  int shift = 0;
  while ((magnitude >> shift) >= (1ull << 24)) ++shift;
  // At most 40 bits are cut off; they and the 24 kept fit two doubles' worth of exact steps.
  const double kept = static_cast<double>(magnitude >> shift);
  const double rest = std::ldexp(static_cast<double>(magnitude & ((1ull << shift) - 1)), -shift);
  const double rounded = std::ldexp(RoundMagnitude(kept + (rest > 0.5    ? 0.75
                                                           : rest == 0.5 ? 0.5
                                                           : rest > 0    ? 0.25
                                                                         : 0),
                                                   mode, negative),
                                    shift);
  return static_cast<float>(negative ? -rounded : rounded);
}

// Near integers, halfway cases and unit boundaries of the 16-bit formats, beside AnyValue.
template <typename S>
S CastSource(Random& random) {
  if constexpr (std::is_same_v<S, float>) {
    switch (random() % 6) {
      case 0:
        return static_cast<float>(static_cast<int64_t>(random() % 2001) - 1000) * 0.25f;
      case 1: {  // few significant bits below those kept
        const uint32_t bits = static_cast<uint32_t>(random()) & 0xFFFFF000u;
        float value;
        std::memcpy(&value, &bits, 4);
        return value;
      }
      case 2:
        return std::ldexp(static_cast<float>(static_cast<int32_t>(random() % 8192) - 4096),
                          -27);  // subnormal halves
      case 3:
        return std::ldexp(1.0f + static_cast<float>(random() % 64) / 64,
                          static_cast<int>(random() % 70)) *
               (random() % 2 == 0 ? 1 : -1);  // around the limits of integers and half
      default:
        return AnyValue<float>(random);
    }
  } else if constexpr (std::is_integral_v<S>) {
    return static_cast<S>(AnyValue<S>(random) >> (random() % (8 * sizeof(S) - 1)));
  } else {
    return AnyValue<S>(random);
  }
}

template <typename D, typename S>
void CheckPair() {
  constexpr size_t kCount = 4096;
  GuardedBuffer<S> in(kCount);
  GuardedBuffer<D> out(kCount);
  Random random(99);
  for (const RoundMode mode : kModes) {
    const bool legal = ((AscendC::twin::CastModes<D, S>() >> static_cast<int>(mode)) & 1) != 0;
    if (!legal) {
      EXPECT_THROW(AscendC::Cast(TensorOf(out), TensorOf(in), mode, 16u), std::runtime_error);
      continue;
    }
    for (size_t i = 0; i < kCount; ++i) in[i] = CastSource<S>(random);
    AscendC::Cast(TensorOf(out), TensorOf(in), mode, static_cast<uint32_t>(kCount));
    for (size_t i = 0; i < kCount; ++i) {
      const D expected = Expected<D, S>(in[i], mode);
      if (expected != expected) {  // widening keeps the payload of a NaN
        ASSERT_TRUE(out[i] != out[i]);
        continue;
      }
      ASSERT_EQ(BitsAsInteger(out[i]), BitsAsInteger(expected))
          << ValueOf(in[i]) << " mode " << static_cast<int>(mode) << " gives " << ValueOf(out[i])
          << ", expected " << ValueOf(expected);
    }
  }
}

class CastTest : public VectorTest {};

TEST_F(CastTest, FromFloat) {
  CheckPair<half, float>();
  CheckPair<bfloat16_t, float>();
  CheckPair<float, float>();
  CheckPair<int16_t, float>();
  CheckPair<int32_t, float>();
  CheckPair<int64_t, float>();
}

TEST_F(CastTest, FromHalfAndBfloat16) {
  CheckPair<float, half>();
  CheckPair<int8_t, half>();
  CheckPair<uint8_t, half>();
  CheckPair<int16_t, half>();
  CheckPair<int32_t, half>();
  CheckPair<float, bfloat16_t>();
  CheckPair<int32_t, bfloat16_t>();
}

TEST_F(CastTest, FromIntegers) {
  CheckPair<half, int8_t>();
  CheckPair<half, uint8_t>();
  CheckPair<half, int16_t>();
  CheckPair<float, int16_t>();
  CheckPair<int16_t, int32_t>();
  CheckPair<float, int32_t>();
  CheckPair<int64_t, int32_t>();
  CheckPair<int32_t, int64_t>();
  CheckPair<float, int64_t>();
}

TEST_F(CastTest, NanBecomesCanonicalWhenNarrowed) {
  GuardedBuffer<float> in(2);
  const uint32_t payloads[2] = {0xFFC12345u, 0x7F800001u};
  std::memcpy(in.data(), payloads, sizeof(payloads));
  GuardedBuffer<half> halves(2);
  GuardedBuffer<bfloat16_t> bfloats(2);
  for (const RoundMode mode :
       {RoundMode::CAST_RINT, RoundMode::CAST_FLOOR, RoundMode::CAST_TRUNC}) {
    AscendC::Cast(TensorOf(halves), TensorOf(in), mode, 2u);
    AscendC::Cast(TensorOf(bfloats), TensorOf(in), mode, 2u);
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(halves[i].bits, 0x7E00);
      EXPECT_EQ(bfloats[i].bits, 0x7FC0);
    }
  }
}

TEST_F(CastTest, EveryBfloat16WidensToItsBits) {
  GuardedBuffer<bfloat16_t> in(65536);
  GuardedBuffer<float> out(65536);
  for (uint32_t bits = 0; bits < 65536; ++bits)
    in[bits] = bfloat16_t::FromBits(static_cast<uint16_t>(bits));
  AscendC::Cast(TensorOf(out), TensorOf(in), RoundMode::CAST_NONE, 65536u);
  for (uint32_t bits = 0; bits < 65536; ++bits)
    ASSERT_EQ(BitsAsInteger(out[bits]), uint64_t{bits} << 16);
}

TEST_F(CastTest, Int32ToHalfAppliesTheScale) {
  GuardedBuffer<int32_t> in(64);
  GuardedBuffer<half> out(64);
  for (int32_t i = 0; i < 64; ++i) in[i] = (i - 32) * 1000;
  AscendC::SetDeqScale(half(0.125f));
  AscendC::Cast(TensorOf(out), TensorOf(in), RoundMode::CAST_NONE, 64u);
  for (int32_t i = 0; i < 64; ++i) EXPECT_EQ(out[i].bits, RoundedTo<half>((i - 32) * 125.0).bits);
}

template <typename D, typename S>
void CheckForms() {
  const RoundMode mode = std::is_same_v<D, float> ? RoundMode::CAST_NONE : RoundMode::CAST_RINT;
  const auto params = [](const RepeatCall& call) {
    return UnaryRepeatParams(
        static_cast<uint16_t>(call.dst.block), static_cast<uint16_t>(call.src[0].block),
        static_cast<uint8_t>(call.dst.repeat), static_cast<uint8_t>(call.src[0].repeat));
  };
  ElementwiseCheck<D, S> check;
  check.reference = [=](D, S a) {
    if constexpr (std::is_same_v<S, bfloat16_t> && std::is_same_v<D, float>) {
      return AscendC::float_bits::ToFloat(uint32_t{a.bits} << 16);
    } else if constexpr (std::is_same_v<S, half> && std::is_same_v<D, float>) {
      return static_cast<float>(a);
    } else {
      return Expected<D, S>(a, mode);
    }
  };
  check.count_form = [=](LocalTensor<D> d, LocalTensor<S> a, int32_t n) {
    AscendC::Cast(d, a, mode, static_cast<uint32_t>(n));
  };
  check.mask_form = [=](LocalTensor<D> d, LocalTensor<S> a, uint64_t mask, const RepeatCall& call) {
    AscendC::Cast(d, a, mode, mask, static_cast<uint8_t>(call.repeats), params(call));
  };
  check.bits_form = [=](LocalTensor<D> d, LocalTensor<S> a, uint64_t* mask,
                        const RepeatCall& call) {
    AscendC::Cast(d, a, mode, mask, static_cast<uint8_t>(call.repeats), params(call));
  };
  check.RunAll();
}

TEST_F(CastTest, CountsMasksAndStridesOfTypesOfDifferentWidth) {
  CheckForms<float, half>();
  CheckForms<half, float>();
  CheckForms<bfloat16_t, float>();
  CheckForms<float, bfloat16_t>();
  CheckForms<int16_t, float>();
  CheckForms<int64_t, float>();
}

// A common trick: float at the start of a buffer that holds the halves in its upper part.
TEST_F(CastTest, WidensUpperHalfOfItsOwnBuffer) {
  constexpr uint32_t kCount = 1000;
  GuardedBuffer<float> buffer(kCount);
  std::vector<float> expected(kCount);
  half* const source = reinterpret_cast<half*>(buffer.data()) + kCount;
  for (uint32_t i = 0; i < kCount; ++i) {
    source[i] = half(static_cast<float>(i));
    expected[i] = static_cast<float>(i);
  }
  LocalTensor<half> halves(source, kCount, AscendC::TPosition::VECCALC, nullptr);
  AscendC::Cast(TensorOf(buffer), halves, RoundMode::CAST_NONE, kCount);
  EXPECT_TRUE(SameBits(buffer, expected));
}

}  // namespace
}  // namespace attnres::testing
