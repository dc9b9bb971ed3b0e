// Conversion of vectors of elements to another type: the arithmetic of Cast. cast.h has the
// instruction and how elements of different sizes meet in registers.
//
// Saturating: to integers, the nearest representable one, NaN 0; to 16-bit floats, the largest
// finite number for what is beyond it, NaN 0. Not saturating: to integers, the low bits of the
// rounded number, infinities the nearest integer, NaN 0; to 16-bit floats as IEEE 754. SatMode
// UNKNOWN saturates integers and not floats.
#ifndef CC_ASCENDC_REG_CONVERT_H_
#define CC_ASCENDC_REG_CONVERT_H_

#include "cc/ascendc/membase/vector/rounding.h"
#include "cc/ascendc/reg/arithmetic.h"

ASCENDC_TWIN_REG_BEGIN

namespace twin::vf {

// The low bits of an integral value, as documented for conversions that do not saturate.
template <typename Int>
ASCENDC_TWIN_INLINE Int WrappedInteger(float value) {
  constexpr float kTwoTo63 = 0x1p63f;
  const uint32_t bits = float_bits::FromFloat(value);
  if ((bits & 0x7F800000u) == 0x7F800000u) {
    return SaturatedInteger<Int>(value);
  }
  // From 2^63 on a float is a multiple of 2^40 and shifts out of every type but the widest.
  const float magnitude = value < 0 ? -value : value;
  uint64_t whole;
  if (magnitude < kTwoTo63) {
    whole = static_cast<uint64_t>(static_cast<int64_t>(magnitude));
  } else {
    const uint32_t shift = ((bits >> 23) & 0xFF) - 150;
    whole = shift < 64 ? uint64_t{(bits & 0x7FFFFFu) | 0x800000u} << shift : 0;
  }
  return static_cast<Int>(value < 0 ? 0 - whole : whole);
}

// An integer of any sign to a narrower or unsigned one.
template <typename To, typename From>
ASCENDC_TWIN_INLINE To ClampedInteger(From value) {
  constexpr bool kSigned = std::is_signed<To>::value;
  constexpr int kBits = 8 * sizeof(To) - (kSigned ? 1 : 0);
  constexpr int64_t kMax = static_cast<int64_t>((uint64_t{1} << kBits) - 1);
  constexpr int64_t kMin = kSigned ? -kMax - 1 : 0;
  const int64_t wide = static_cast<int64_t>(value);
  return static_cast<To>(wide < kMin ? kMin : wide > kMax ? kMax : wide);
}

// The bits of a 16-bit float, saturated.
template <typename To>
ASCENDC_TWIN_INLINE uint16_t SaturatedFloat16(uint16_t bits) {
  constexpr uint16_t kInfinity = std::is_same<To, half>::value ? 0x7C00 : 0x7F80;
  const uint16_t magnitude = bits & 0x7FFF;
  const uint16_t sign = bits & 0x8000;
  return magnitude > kInfinity    ? 0
         : magnitude == kInfinity ? static_cast<uint16_t>(sign | (kInfinity - 1))
                                  : bits;
}

constexpr RoundMode LossyMode(RoundMode mode) {
  return mode == RoundMode::CAST_NONE || mode == RoundMode::UNKNOWN ? RoundMode::CAST_RINT : mode;
}

// One element, from its computing form to its stored form.
template <typename To, typename From, RoundMode kGiven, Reg::SatMode kSat>
ASCENDC_TWIN_INLINE typename HostLane<To>::Type ConvertedElement(Compute<From> value) {
  constexpr RoundMode kMode = LossyMode(kGiven);
  constexpr bool kFromInteger = std::is_integral<From>::value;
  if constexpr (kFromInteger && std::is_integral<To>::value) {
    if constexpr (kSat == Reg::SatMode::NO_SAT) {
      return static_cast<To>(value);
    } else {
      return ClampedInteger<To>(value);
    }
  } else if constexpr (kFromInteger) {
    constexpr int kPrecision = std::is_same<To, half>::value ? 11 : 24;
    return Lane<To>::Store(FloatFromInteger<kMode, kPrecision>(value));
  } else if constexpr (std::is_integral<To>::value) {
    const float whole = IntegralRounded<kMode>(value);
    return kSat == Reg::SatMode::NO_SAT ? WrappedInteger<To>(whole) : SaturatedInteger<To>(whole);
  } else {
    static_assert(kIsFloat16<To>, "float is reached without rounding");
    const uint16_t bits =
        std::is_same<To, half>::value ? HalfRounded<kMode>(value) : BfloatRounded<kMode>(value);
    return kSat == Reg::SatMode::SAT ? SaturatedFloat16<To>(bits) : bits;
  }
}

template <typename To, typename From, RoundMode kMode, Reg::SatMode kSat, uint32_t kLanes>
ASCENDC_TWIN_INLINE Vector<typename HostLane<To>::Type, kLanes> ConvertedByElement(
    Vector<typename HostLane<From>::Type, kLanes> source) {
  alignas(64) typename HostLane<From>::Type in[kLanes];
  alignas(64) typename HostLane<To>::Type out[kLanes];
  StoreVector(in, source);
  for (uint32_t i = 0; i < kLanes; ++i) {
    out[i] = ConvertedElement<To, From, kMode, kSat>(Lane<From>::Load(in[i]));
  }
  return LoadVector<Vector<typename HostLane<To>::Type, kLanes>>(out);
}

// Elements of From as elements of To.
template <typename To, typename From, RoundMode kGiven, Reg::SatMode kSat, uint32_t kLanes>
ASCENDC_TWIN_INLINE Vector<typename HostLane<To>::Type, kLanes> Converted(
    Vector<typename HostLane<From>::Type, kLanes> source) {
  using Result = Vector<typename HostLane<To>::Type, kLanes>;
  constexpr bool kNearest = LossyMode(kGiven) == RoundMode::CAST_RINT;
  constexpr bool kBothIntegers = std::is_integral<From>::value && std::is_integral<To>::value;
  constexpr bool kExact =
      sizeof(To) > sizeof(From) && (std::is_unsigned<From>::value || !std::is_unsigned<To>::value);
  if constexpr (kIsFloat16<From> && std::is_same<To, float>::value) {
    return Widened<From, kLanes>(source);
  } else if constexpr (std::is_same<From, float>::value && kIsFloat16<To> && kNearest &&
                       kSat != Reg::SatMode::SAT) {
    return Narrowed<To, kLanes>(source);
  } else if constexpr (kBothIntegers && (kExact || kSat == Reg::SatMode::NO_SAT)) {
    return __builtin_convertvector(source, Result);
  } else if constexpr (std::is_integral<From>::value && std::is_same<To, float>::value &&
                       sizeof(From) <= 4 && (sizeof(From) < 4 || kNearest)) {
    return __builtin_convertvector(source, Result);
  } else {
    return ConvertedByElement<To, From, kGiven, kSat, kLanes>(source);
  }
}

}  // namespace twin::vf

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_CONVERT_H_
