// How a lane of each element type is loaded, computed and stored.
//
// half and bfloat16_t compute in float: one operation in float rounded to them equals the exact
// result rounded once. The Unified Buffer is reinterpreted freely, so memory is accessed through
// types that may alias. A NaN result is always the positive quiet NaN without payload: hosts differ
// in the payload and sign they would give.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_LANES_H_
#define CC_ASCENDC_MEMBASE_VECTOR_LANES_H_

#include "cc/ascendc/membase/float16.h"

ASCENDC_TWIN_BEGIN

namespace twin {

template <typename T, typename... Allowed>
constexpr bool kIsOneOf = (std::is_same<T, Allowed>::value || ...);

// True where this build's SoC has what 2201 lacks.
constexpr bool kIsArch35 = __NPU_ARCH__ == 3510;

// By bits, not by value != value: clang turns comparisons of a float that came from half into
// scalar comparisons of half.
ASCENDC_TWIN_INLINE bool IsNan(float value) {
  return (float_bits::FromFloat(value) & 0x7FFFFFFFu) > 0x7F800000u;
}

ASCENDC_TWIN_INLINE float CanonicalNan(float value) {
  return IsNan(value) ? __builtin_nanf("") : value;
}

template <typename T>
ASCENDC_TWIN_INLINE T CanonicalNan(T value) {
  return value;
}

template <typename T>
struct Lane {
  typedef T Storage __attribute__((may_alias));
  using Compute = T;
  static ASCENDC_TWIN_INLINE Compute Load(T stored) { return stored; }
  static ASCENDC_TWIN_INLINE T Store(Compute value) { return value; }
  // The value that storing and loading gives back: rounds an intermediate result of a compound
  // instruction.
  static ASCENDC_TWIN_INLINE Compute Round(Compute value) { return value; }
};

template <>
struct Lane<half> {
  typedef uint16_t Storage __attribute__((may_alias));
  using Compute = float;
  static ASCENDC_TWIN_INLINE float Load(uint16_t stored) { return float_bits::HalfToFloat(stored); }
  static ASCENDC_TWIN_INLINE uint16_t Store(float value) {
    return float_bits::HalfFromFloat(value);
  }
  static ASCENDC_TWIN_INLINE float Round(float value) { return Load(Store(value)); }
};

template <>
struct Lane<bfloat16_t> {
  typedef uint16_t Storage __attribute__((may_alias));
  using Compute = float;
  static ASCENDC_TWIN_INLINE float Load(uint16_t stored) {
    return float_bits::ToFloat(uint32_t{stored} << 16);
  }
  static ASCENDC_TWIN_INLINE uint16_t Store(float value) {
    return float_bits::BfloatFromFloat(value);
  }
  static ASCENDC_TWIN_INLINE float Round(float value) { return Load(Store(value)); }
};

// The bits of a half or bfloat16_t, where an instruction makes them itself.
struct Raw16 {
  uint16_t bits;
};

template <>
struct Lane<Raw16> {
  typedef uint16_t Storage __attribute__((may_alias));
  using Compute = uint16_t;
  static ASCENDC_TWIN_INLINE uint16_t Load(uint16_t stored) { return stored; }
  static ASCENDC_TWIN_INLINE uint16_t Store(uint16_t value) { return value; }
};

template <typename T>
using Compute = typename Lane<T>::Compute;

template <typename T>
ASCENDC_TWIN_INLINE typename Lane<T>::Storage* Stored(T* data) {
  return reinterpret_cast<typename Lane<T>::Storage*>(data);
}

template <typename T>
ASCENDC_TWIN_INLINE const typename Lane<T>::Storage* Stored(const T* data) {
  return reinterpret_cast<const typename Lane<T>::Storage*>(data);
}

// Unsigned integers of a type's size: for instructions that move bits.
template <size_t kBytes>
struct BitsOfSize;
template <>
struct BitsOfSize<1> {
  using Type = uint8_t;
};
template <>
struct BitsOfSize<2> {
  using Type = uint16_t;
};
template <>
struct BitsOfSize<4> {
  using Type = uint32_t;
};
template <>
struct BitsOfSize<8> {
  using Type = uint64_t;
};
template <typename T>
using Bits = typename BitsOfSize<sizeof(T)>::Type;

template <typename T>
ASCENDC_TWIN_INLINE Bits<T> BitsOf(T value) {
  Bits<T> bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  return bits;
}

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_LANES_H_
