// Rounding of a value to a narrower type under each RoundMode, exactly, by integer operations that
// vectorise.
//
// Overflow to a 16-bit float follows IEEE 754: to nearest gives infinity, a directed mode stays at
// the largest finite value on its side, CAST_ODD at the largest finite (whose last bit is odd).
// Conversions to integers saturate; NaN gives 0. cast.h says which pairs of types and modes exist.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_ROUNDING_H_
#define CC_ASCENDC_MEMBASE_VECTOR_ROUNDING_H_

#include "cc/ascendc/membase/vector/lanes.h"
#include "cc/ascendc/membase/vector/params.h"

ASCENDC_TWIN_BEGIN

namespace twin {

// 1 if a magnitude cut off at `kept` rounds up. `cut` holds the bits cut off and `half` the weight
// of half a unit.
template <RoundMode mode, typename U>
ASCENDC_TWIN_INLINE U RoundsUp(U kept, U cut, U half, bool negative) {
  const U odd = kept & 1;
  if constexpr (mode == RoundMode::CAST_RINT) {
    return (cut + odd) > half ? 1 : 0;
  } else if constexpr (mode == RoundMode::CAST_ROUND) {
    return cut >= half ? 1 : 0;
  } else if constexpr (mode == RoundMode::CAST_FLOOR) {
    return negative && cut != 0 ? 1 : 0;
  } else if constexpr (mode == RoundMode::CAST_CEIL) {
    return !negative && cut != 0 ? 1 : 0;
  } else if constexpr (mode == RoundMode::CAST_ODD) {
    return cut != 0 ? (odd ^ 1) : 0;
  } else {
    static_assert(mode == RoundMode::CAST_TRUNC, "every mode has its rule");
    return 0;
  }
}

template <RoundMode mode>
ASCENDC_TWIN_INLINE uint16_t BfloatRounded(float value) {
  const uint32_t bits = float_bits::FromFloat(value);
  const uint32_t kept = bits >> 16;
  const uint32_t up = RoundsUp<mode>(kept, bits & 0xFFFFu, 0x8000u, (bits >> 31) != 0);
  return static_cast<uint16_t>(value != value ? 0x7FC0u : kept + up);
}

template <RoundMode mode>
ASCENDC_TWIN_INLINE uint16_t HalfRounded(float value) {
  if constexpr (mode == RoundMode::CAST_RINT) {
    return float_bits::HalfFromFloat(CanonicalNan(value));
  }
  constexpr uint32_t kInfinity = 0x7F800000u;
  constexpr uint32_t kTooLarge = 0x47800000u;  // 2^16
  constexpr uint32_t kNormal = 0x38800000u;    // 2^-14, the smallest normal half
  const uint32_t bits = float_bits::FromFloat(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7FFFFFFFu;
  // A subnormal half counts units of 2^-24; below 2^-25 all that matters is that something was cut
  // off.
  const uint32_t exponent = magnitude >> 23;
  const uint32_t distance = 126u - (exponent < 126u ? exponent : 126u);
  const uint32_t shift = distance < 25u ? distance : 25u;
  const uint32_t significand = (magnitude & 0x7FFFFFu) | (exponent != 0 ? 0x800000u : 0u);
  const uint32_t subnormal_kept = significand >> shift;
  const uint32_t subnormal_cut = significand & ((1u << shift) - 1u);
  const uint32_t subnormal_half = (1u << shift) >> 1;

  const bool is_subnormal = magnitude < kNormal;
  const bool is_large = magnitude >= kTooLarge;
  const bool is_infinite = magnitude >= kInfinity;
  const uint32_t normal_kept = is_infinite ? 0x7C00u
                               : is_large  ? 0x7BFFu
                                           : (magnitude - 0x38000000u) >> 13;
  const uint32_t normal_cut = is_infinite ? 0u : is_large ? 0x1FFFu : magnitude & 0x1FFFu;
  const uint32_t kept = is_subnormal ? subnormal_kept : normal_kept;
  const uint32_t cut = is_subnormal ? subnormal_cut : normal_cut;
  const uint32_t half = is_subnormal ? subnormal_half : 0x1000u;
  const uint32_t up = RoundsUp<mode>(kept, cut, half, sign != 0);
  return static_cast<uint16_t>(magnitude > kInfinity ? 0x7E00u : (sign | (kept + up)));
}

// To an integral value, still as float. CAST_ODD does not exist here.
template <RoundMode mode>
ASCENDC_TWIN_INLINE float IntegralRounded(float value) {
  if constexpr (mode == RoundMode::CAST_RINT) {
    return __builtin_elementwise_roundeven(value);
  } else if constexpr (mode == RoundMode::CAST_FLOOR) {
    return __builtin_elementwise_floor(value);
  } else if constexpr (mode == RoundMode::CAST_CEIL) {
    return __builtin_elementwise_ceil(value);
  } else {
    const float whole = __builtin_elementwise_trunc(value);
    if constexpr (mode == RoundMode::CAST_TRUNC) {
      return whole;
    } else {
      static_assert(mode == RoundMode::CAST_ROUND, "every mode has its rule");
      const float rest = value - whole;  // exact
      const float step = rest >= 0.5f ? 1.0f : rest <= -0.5f ? -1.0f : 0.0f;
      const float rounded = whole + step;
      return rounded == 0.0f ? whole : rounded;  // keeps -0
    }
  }
}

// A float that holds an integral value or is NaN or infinite, to Int.
template <typename Int>
ASCENDC_TWIN_INLINE Int SaturatedInteger(float value) {
  constexpr int kBits = 8 * sizeof(Int) - (std::is_signed<Int>::value ? 1 : 0);
  constexpr float kAbove = kBits == 63   ? 0x1p63f
                           : kBits == 31 ? 0x1p31f
                           : kBits == 16 ? 0x1p16f
                           : kBits == 15 ? 0x1p15f
                           : kBits == 8  ? 0x1p8f
                                         : 0x1p7f;
  constexpr float kLowest = std::is_signed<Int>::value ? -kAbove : 0.0f;
  constexpr Int kMin =
      std::is_signed<Int>::value ? static_cast<Int>(Bits<Int>{1} << (8 * sizeof(Int) - 1)) : Int(0);
  constexpr Int kMax = static_cast<Int>(~static_cast<Bits<Int>>(kMin));
  using Wide = std::conditional_t<sizeof(Int) == 8, int64_t, int32_t>;
  const bool fits = value >= kLowest && value < kAbove;
  const Wide inside = static_cast<Wide>(fits ? value : 0.0f);
  const Int beyond = value != value ? Int(0) : value < 0.0f ? kMin : kMax;
  return fits ? static_cast<Int>(inside) : beyond;
}

template <typename To, typename From>
ASCENDC_TWIN_INLINE To SaturatedNarrow(From value) {
  constexpr To kMin = static_cast<To>(Bits<To>{1} << (8 * sizeof(To) - 1));
  constexpr To kMax = static_cast<To>(~static_cast<Bits<To>>(kMin));
  static_assert(std::is_signed<To>::value && std::is_signed<From>::value, "signed to signed");
  return value < kMin ? kMin : value > kMax ? kMax : static_cast<To>(value);
}

// An integer to the significand of kPrecision bits that represents it, as float: exact in float
// where kPrecision <= 24.
template <RoundMode mode, int kPrecision, typename Int>
ASCENDC_TWIN_INLINE float FloatFromInteger(Int value) {
  using U = std::conditional_t<sizeof(Int) == 8, uint64_t, uint32_t>;
  const bool negative = value < 0;
  const U wide = static_cast<U>(value);
  const U magnitude = negative ? U(0) - wide : wide;
  constexpr int kWidth = 8 * sizeof(U);
  const int length =
      kWidth - (sizeof(U) == 8 ? __builtin_clzll(magnitude | 1)
                               : __builtin_clz(static_cast<uint32_t>(magnitude | 1)));
  const int shift = length > kPrecision ? length - kPrecision : 0;
  const U kept = magnitude >> shift;
  const U cut = magnitude & ((U(1) << shift) - 1);
  const U half = shift != 0 ? U(1) << (shift - 1) : U(1);  // 1: nothing was cut off
  const U rounded = kept + RoundsUp<mode>(kept, cut, half, negative);
  const float scale = float_bits::ToFloat(static_cast<uint32_t>(127 + shift) << 23);
  const float result = static_cast<float>(static_cast<int32_t>(rounded)) * scale;
  return negative ? -result : result;
}

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_ROUNDING_H_
