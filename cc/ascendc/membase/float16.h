// half and bfloat16_t: 16-bit storage, arithmetic in float rounded once to nearest even after each
// operation.
//
// Conversions give the same bits on every host: subnormals are kept, overflow gives infinity, a NaN
// keeps sign and upper payload and becomes quiet. They are written so that a plain loop over them
// vectorises; float16_test.cc checks all 2^16 patterns. IEEE 754-2019 binary16; bfloat16 is the
// upper half of binary32.
#ifndef CC_ASCENDC_MEMBASE_FLOAT16_H_
#define CC_ASCENDC_MEMBASE_FLOAT16_H_

#include <type_traits>

#include "cc/ascendc/membase/target.h"

ASCENDC_TWIN_BEGIN

namespace float_bits {

ASCENDC_TWIN_INLINE uint32_t FromFloat(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  return bits;
}

ASCENDC_TWIN_INLINE float ToFloat(uint32_t bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof(value));
  return value;
}

// A float that rounds to the same 16-bit result as `value` itself: an inexact one gets an odd last
// bit (rounding to odd), so that the second rounding cannot be misled by the first.
ASCENDC_TWIN_INLINE float OddFromDouble(double value) {
  const float nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value || value != value) {
    return nearest;
  }
  uint32_t bits = FromFloat(nearest);
  const double magnitude = value < 0 ? -value : value;
  const double rounded = nearest < 0 ? -static_cast<double>(nearest) : static_cast<double>(nearest);
  bits -= rounded > magnitude ? 1u : 0u;
  return ToFloat(bits | 1u);
}

template <typename Int>
ASCENDC_TWIN_INLINE float OddFromInteger(Int value) {
  if constexpr (sizeof(Int) == 8) {
    // More than 52 bits: fold the low ones into one that records whether any was set.
    constexpr Int kLow = 0xFFF;
    if ((value & kLow) != 0 &&
        (value > (Int{1} << 52) || static_cast<double>(value) < -4503599627370496.0)) {
      value = static_cast<Int>((value & ~kLow) | 0x800);
    }
  }
  return OddFromDouble(static_cast<double>(value));
}

// Portable conversions, used where the host instruction set has none.
inline uint16_t HalfFromFloatPortable(float value) {
  const uint32_t bits = FromFloat(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) {
    return static_cast<uint16_t>(sign | 0x7E00u | ((magnitude >> 13) & 0x3FFu));
  }
  if (magnitude >= 0x477FF000u) {  // 65520, halfway from the largest half to the next power of two
    return static_cast<uint16_t>(sign | 0x7C00u);
  }
  if (magnitude < 0x38800000u) {  // below 2^-14: subnormal; adding 0.5 aligns its unit 2^-24 with
                                  // float's last bit
    const float aligned = ToFloat(magnitude) + 0.5f;
    return static_cast<uint16_t>(sign | (FromFloat(aligned) - 0x3F000000u));
  }
  const uint32_t odd = (magnitude >> 13) & 1u;
  return static_cast<uint16_t>(sign | ((magnitude - 0x38000000u + 0xFFFu + odd) >> 13));
}

inline float HalfToFloatPortable(uint16_t half_bits) {
  const uint32_t sign = static_cast<uint32_t>(half_bits & 0x8000u) << 16;
  const uint32_t magnitude = half_bits & 0x7FFFu;
  if (magnitude > 0x7C00u) {
    return ToFloat(sign | 0x7FC00000u | (magnitude << 13));
  }
  if (magnitude == 0x7C00u) {
    return ToFloat(sign | 0x7F800000u);
  }
  if (magnitude < 0x400u) {
    return ToFloat(sign | FromFloat(static_cast<float>(magnitude) * 0x1p-24f));
  }
  return ToFloat(sign | ((magnitude << 13) + 0x38000000u));
}

#if defined(__F16C__) || defined(__aarch64__)
ASCENDC_TWIN_INLINE uint16_t HalfFromFloat(float value) {
  const _Float16 rounded = static_cast<_Float16>(value);
  uint16_t bits;
  __builtin_memcpy(&bits, &rounded, sizeof(bits));
  return bits;
}

ASCENDC_TWIN_INLINE float HalfToFloat(uint16_t bits) {
  _Float16 value;
  __builtin_memcpy(&value, &bits, sizeof(value));
  return static_cast<float>(value);
}
#else
inline uint16_t HalfFromFloat(float value) { return HalfFromFloatPortable(value); }
inline float HalfToFloat(uint16_t bits) { return HalfToFloatPortable(bits); }
#endif

ASCENDC_TWIN_INLINE uint16_t BfloatFromFloat(float value) {
  const uint32_t bits = FromFloat(value);
  const uint32_t rounded = (bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16;
  const uint32_t quiet = (bits >> 16) | 0x40u;
  return static_cast<uint16_t>((bits & 0x7FFFFFFFu) > 0x7F800000u ? quiet : rounded);
}

// A signalling NaN becomes quiet, as it does when converted from half.
ASCENDC_TWIN_INLINE float BfloatToFloat(uint16_t bits) {
  const uint32_t quiet = (bits & 0x7FFFu) > 0x7F80u ? 0x400000u : 0u;
  return ToFloat((static_cast<uint32_t>(bits) << 16) | quiet);
}

}  // namespace float_bits

#define ASCENDC_TWIN_FLOAT16_TYPE(Type, FromFloatBits, ToFloatBits)                      \
  struct Type {                                                                          \
    uint16_t bits;                                                                       \
    Type() = default;                                                                    \
    ASCENDC_TWIN_INLINE Type(float value) : bits(float_bits::FromFloatBits(value)) {}    \
    ASCENDC_TWIN_INLINE Type(double value) : Type(float_bits::OddFromDouble(value)) {}   \
    template <typename Int, std::enable_if_t<std::is_integral<Int>::value, int> = 0>     \
    ASCENDC_TWIN_INLINE Type(Int value) : Type(float_bits::OddFromInteger(value)) {}     \
    ASCENDC_TWIN_INLINE operator float() const { return float_bits::ToFloatBits(bits); } \
    static Type FromBits(uint16_t pattern) {                                             \
      Type result;                                                                       \
      result.bits = pattern;                                                             \
      return result;                                                                     \
    }                                                                                    \
    ASCENDC_TWIN_INLINE Type operator-() const {                                         \
      return FromBits(static_cast<uint16_t>(bits ^ 0x8000u));                            \
    }                                                                                    \
    ASCENDC_TWIN_INLINE Type& operator+=(float other) {                                  \
      return *this = Type(static_cast<float>(*this) + other);                            \
    }                                                                                    \
    ASCENDC_TWIN_INLINE Type& operator-=(float other) {                                  \
      return *this = Type(static_cast<float>(*this) - other);                            \
    }                                                                                    \
    ASCENDC_TWIN_INLINE Type& operator*=(float other) {                                  \
      return *this = Type(static_cast<float>(*this) * other);                            \
    }                                                                                    \
    ASCENDC_TWIN_INLINE Type& operator/=(float other) {                                  \
      return *this = Type(static_cast<float>(*this) / other);                            \
    }                                                                                    \
  };                                                                                     \
  static_assert(sizeof(Type) == 2 && std::is_trivially_copyable<Type>::value,            \
                "a 16-bit value, copied as bytes");                                      \
  ASCENDC_TWIN_FLOAT16_OPERATOR(Type, +)                                                 \
  ASCENDC_TWIN_FLOAT16_OPERATOR(Type, -)                                                 \
  ASCENDC_TWIN_FLOAT16_OPERATOR(Type, *)                                                 \
  ASCENDC_TWIN_FLOAT16_OPERATOR(Type, /)

// Templates, so that only two operands of this very type match; mixed ones convert to float as on a
// device. One float operation rounded to 11 or 8 bits equals the exact result rounded once, because
// float has 24 >= 2 * 11 + 2 bits.
#define ASCENDC_TWIN_FLOAT16_OPERATOR(Type, Op)                                  \
  template <typename T, std::enable_if_t<std::is_same<T, Type>::value, int> = 0> \
  ASCENDC_TWIN_INLINE Type operator Op(T left, T right) {                        \
    return Type(static_cast<float>(left) Op static_cast<float>(right));          \
  }

ASCENDC_TWIN_FLOAT16_TYPE(half, HalfFromFloat, HalfToFloat)
ASCENDC_TWIN_FLOAT16_TYPE(bfloat16_t, BfloatFromFloat, BfloatToFloat)

#undef ASCENDC_TWIN_FLOAT16_OPERATOR
#undef ASCENDC_TWIN_FLOAT16_TYPE

// `count` elements; dst and src do not overlap.
template <typename Src>
ASCENDC_TWIN_INLINE void ConvertToFloat(float* __restrict dst, const Src* __restrict src,
                                        size_t count) {
#pragma clang loop vectorize_width(16) interleave_count(2)
  for (size_t i = 0; i < count; ++i) {
    dst[i] = static_cast<float>(src[i]);
  }
}

template <typename Dst>
ASCENDC_TWIN_INLINE void ConvertFromFloat(Dst* __restrict dst, const float* __restrict src,
                                          size_t count) {
#pragma clang loop vectorize_width(16) interleave_count(2)
  for (size_t i = 0; i < count; ++i) {
    dst[i] = Dst(src[i]);
  }
}

ASCENDC_TWIN_END

using AscendC::bfloat16_t;
using AscendC::half;

#endif  // CC_ASCENDC_MEMBASE_FLOAT16_H_
