// How elementwise instructions compute: the value of a register in the form in which the host
// computes, and back.
//
// half and bfloat16_t compute in float, rounded once to them, which for one operation is the exact
// result rounded once; their NaN results are canonical at once, those of float on demand
// (registers.h). Integers wrap. What has no vector form here runs element by element through the
// operations of the memory-based instructions (MapElements), so that both give the same bits.
#ifndef CC_ASCENDC_REG_ARITHMETIC_H_
#define CC_ASCENDC_REG_ARITHMETIC_H_

#include "cc/ascendc/reg/registers.h"

ASCENDC_TWIN_REG_BEGIN

namespace twin::vf {

// kLanes elements of T widened to what they compute in.
template <typename T, uint32_t kLanes = kRegLanes<T>>
using ComputeVector = Vector<Compute<T>, kLanes>;

template <typename T>
constexpr bool kIsFloat16 = kIsOneOf<T, half, bfloat16_t>;
template <typename T>
constexpr bool kIsFloating = kIsOneOf<T, float, half, bfloat16_t>;
// The type has NaNs that instructions leave as the host made them.
template <typename T>
constexpr bool kLooseNan = std::is_same<T, float>::value;

// The bits of half to float: exact, a NaN quiet.
template <uint32_t kLanes>
ASCENDC_TWIN_INLINE Vector<float, kLanes> FromHalf(Vector<uint16_t, kLanes> stored) {
#if defined(__F16C__) || defined(__aarch64__)
  return __builtin_convertvector(BitCast<Vector<_Float16, kLanes>>(stored), Vector<float, kLanes>);
#else
  Vector<float, kLanes> result;
  for (uint32_t i = 0; i < kLanes; ++i) {
    result[i] = float_bits::HalfToFloat(stored[i]);
  }
  return result;
#endif
}

template <typename T, uint32_t kLanes>
ASCENDC_TWIN_INLINE ComputeVector<T, kLanes> Widened(
    Vector<typename HostLane<T>::Type, kLanes> stored) {
  if constexpr (std::is_same<T, half>::value) {
    return FromHalf<kLanes>(stored);
  } else if constexpr (std::is_same<T, bfloat16_t>::value) {
    return BitCast<Vector<float, kLanes>>(__builtin_convertvector(stored, Vector<uint32_t, kLanes>)
                                          << 16);
  } else {
    return stored;
  }
}

// float to the bits of half, to nearest even, NaN canonical.
template <uint32_t kLanes>
ASCENDC_TWIN_INLINE Vector<uint16_t, kLanes> ToHalf(Vector<float, kLanes> value) {
#if defined(__F16C__) || defined(__aarch64__)
  const auto rounded =
      BitCast<Vector<uint16_t, kLanes>>(__builtin_convertvector(value, Vector<_Float16, kLanes>));
#else
  Vector<uint16_t, kLanes> rounded;
  for (uint32_t i = 0; i < kLanes; ++i) {
    rounded[i] = float_bits::HalfFromFloat(value[i]);
  }
#endif
  // In the bits of the result: clang would turn a test of the float into one of each half.
  return (rounded & 0x7FFF) > 0x7C00 ? Splat<kLanes>(uint16_t{0x7E00}) : rounded;
}

template <uint32_t kLanes>
ASCENDC_TWIN_INLINE bool AnyNan(Vector<float, kLanes> value) {
  const auto low = Strided<kLanes / 2, 0, 1>(value, value);
  const auto high = Strided<kLanes / 2, kLanes / 2, 1>(value, value);
  return __builtin_reduce_or((low != low) | (high != high)) != 0;
}

// float to the bits of bfloat16_t, to nearest even, NaN canonical.
template <uint32_t kLanes>
ASCENDC_TWIN_INLINE Vector<uint16_t, kLanes> ToBfloat(Vector<float, kLanes> value) {
  using Narrow = Vector<uint16_t, kLanes>;
#if defined(__AVX512BW__) || defined(__aarch64__)
  // On the halves of each float, twice as many in a host register, where they are cheap to part.
  const auto halves = BitCast<Vector<uint16_t, 2 * kLanes>>(value);
  const Narrow cut_off = Strided<kLanes, 0, 2>(halves, halves);
  const Narrow kept = Strided<kLanes, 1, 2>(halves, halves);
  const Narrow beyond_tie = __builtin_elementwise_sub_sat(
      __builtin_elementwise_add_sat(cut_off, kept & 1), Splat<kLanes>(uint16_t{0x8000}));
  const Narrow rounded = kept + __builtin_elementwise_min(beyond_tie, Splat<kLanes>(uint16_t{1}));
  if (__builtin_expect(!AnyNan<kLanes>(value), true)) {
    return rounded;
  }
  const auto nan = __builtin_convertvector(value != value, Truth<Narrow>);
  return nan ? Splat<kLanes>(uint16_t{0x7FC0}) : rounded;
#else
  const auto bits = BitCast<Vector<uint32_t, kLanes>>(WithCanonicalNans(value));
  return __builtin_convertvector((bits + (((bits >> 16) & 1) + 0x7FFF)) >> 16, Narrow);
#endif
}

template <typename T, uint32_t kLanes>
ASCENDC_TWIN_INLINE Vector<typename HostLane<T>::Type, kLanes> Narrowed(
    ComputeVector<T, kLanes> value) {
  if constexpr (std::is_same<T, half>::value) {
    return ToHalf<kLanes>(value);
  } else if constexpr (std::is_same<T, bfloat16_t>::value) {
    return ToBfloat<kLanes>(value);
  } else {
    return value;
  }
}

template <typename T>
ASCENDC_TWIN_INLINE ComputeVector<T> Operand(const Reg::RegTensor<T>& source) {
  return Widened<T, kRegLanes<T>>(Loose(source));
}

// A scalar operand, converted to T first, as a vector.
template <typename T, typename U>
ASCENDC_TWIN_INLINE ComputeVector<T> ScalarOperand(U scalar) {
  return Splat<kRegLanes<T>>(static_cast<Compute<T>>(static_cast<T>(scalar)));
}

// dst = result where the mask is set.
template <Reg::MaskMergeMode mode, typename T>
ASCENDC_TWIN_INLINE void AssignResult(Reg::RegTensor<T>& dst, ComputeVector<T> result,
                                      const Reg::MaskReg& mask) {
  Assign<mode>(dst, Narrowed<T, kRegLanes<T>>(result), ActiveLanes<T>(mask), kLooseNan<T>);
}

// dst = op(element of each source...) where the mask is set, by a scalar op on Compute<T>.
template <Reg::MaskMergeMode mode, typename Op, typename T, typename... S>
ASCENDC_TWIN_INLINE void MapElements(Op op, const Reg::MaskReg& mask, Reg::RegTensor<T>& dst,
                                     const S&... sources) {
  constexpr uint32_t kLanes = kRegLanes<T>;
  struct Elements {
    alignas(64) typename HostLane<T>::Type at[kLanes];
  };
  Elements in[sizeof...(S)];
  Elements out;
  size_t next = 0;
  (StoreVector(in[next++].at, Loose(sources)), ...);
  for (uint32_t i = 0; i < kLanes; ++i) {
    Compute<T> result;
    if constexpr (sizeof...(S) == 1) {
      result = op(Lane<T>::Load(in[0].at[i]));
    } else if constexpr (sizeof...(S) == 2) {
      result = op(Lane<T>::Load(in[0].at[i]), Lane<T>::Load(in[1].at[i]));
    } else {
      result =
          op(Lane<T>::Load(in[0].at[i]), Lane<T>::Load(in[1].at[i]), Lane<T>::Load(in[2].at[i]));
    }
    out.at[i] = Lane<T>::Store(kIsFloat16<T> ? CanonicalNan(result) : result);
  }
  Assign<mode>(dst, LoadVector<RegVector<T>>(out.at), ActiveLanes<T>(mask), kLooseNan<T>);
}

}  // namespace twin::vf

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_ARITHMETIC_H_
