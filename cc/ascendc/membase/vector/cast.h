// Cast: converts between element types. rounding.h holds the arithmetic, elementwise.h the loop.
//
// The pairs of types and the modes of each are those of A2 and A3 (asc-devkit, API page Cast);
// another mode ends the kernel with an error. The mask of the repeat form counts lanes of the wider
// type. int32_t -> half multiplies by the scale of SetDeqScale and ignores the mode.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_CAST_H_
#define CC_ASCENDC_MEMBASE_VECTOR_CAST_H_

#include "cc/ascendc/membase/vector/elementwise.h"
#include "cc/ascendc/membase/vector/rounding.h"

ASCENDC_TWIN_BEGIN

namespace twin {

constexpr uint32_t ModeBit(RoundMode mode) { return 1u << static_cast<uint32_t>(mode); }
constexpr uint32_t kExactMode = ModeBit(RoundMode::CAST_NONE);
constexpr uint32_t kFiveModes = ModeBit(RoundMode::CAST_RINT) | ModeBit(RoundMode::CAST_FLOOR) |
                                ModeBit(RoundMode::CAST_CEIL) | ModeBit(RoundMode::CAST_ROUND) |
                                ModeBit(RoundMode::CAST_TRUNC);
constexpr uint32_t kAllModes = kFiveModes | kExactMode | ModeBit(RoundMode::CAST_ODD);

// The modes that the pair has, as bits; 0: the pair does not exist.
template <typename D, typename S>
constexpr uint32_t CastModes() {
  constexpr bool kToHalf = kIsOneOf<D, half>;
  constexpr bool kToFloat = kIsOneOf<D, float>;
  if (kIsOneOf<S, int8_t, uint8_t>) return kToHalf ? kExactMode : 0;
  if (kIsOneOf<S, int16_t>) return kToHalf ? kFiveModes | kExactMode : kToFloat ? kExactMode : 0;
  if (kIsOneOf<S, half>) {
    if (kIsOneOf<D, int8_t, uint8_t>) return kFiveModes | kExactMode;
    return kIsOneOf<D, int16_t, int32_t> ? kFiveModes : kToFloat ? kExactMode : 0;
  }
  if (kIsOneOf<S, bfloat16_t>) return kIsOneOf<D, int32_t> ? kFiveModes : kToFloat ? kExactMode : 0;
  if (kIsOneOf<S, int32_t>) {
    if (kToHalf) return kAllModes;
    return kToFloat ? kFiveModes | kExactMode : kIsOneOf<D, int16_t, int64_t> ? kExactMode : 0;
  }
  if (kIsOneOf<S, float>) {
    if (kToHalf) return kAllModes;
    return kIsOneOf<D, int16_t, bfloat16_t, int32_t, float, int64_t> ? kFiveModes : 0;
  }
  if (kIsOneOf<S, int64_t>) return kToFloat ? kFiveModes : kIsOneOf<D, int32_t> ? kExactMode : 0;
  return 0;
}

// `From` and `To` are the types in memory; the operands are Lane<>::Compute values.
template <typename To, typename From, RoundMode mode>
struct CastOp {
  ASCENDC_TWIN_INLINE auto operator()(Compute<From> value) const {
    if constexpr (std::is_integral<From>::value && std::is_integral<To>::value) {
      if constexpr (sizeof(To) >= sizeof(From)) {
        return static_cast<To>(value);
      } else {
        return SaturatedNarrow<To>(value);
      }
    } else if constexpr (std::is_integral<From>::value) {
      constexpr int kPrecision = std::is_same<To, half>::value ? 11 : 24;
      if constexpr (sizeof(From) <= 1 || (sizeof(From) <= 2 && kPrecision == 24) ||
                    (sizeof(From) <= 4 && kPrecision == 24 && mode == RoundMode::CAST_RINT)) {
        return static_cast<float>(value);
      } else {
        return FloatFromInteger<mode, kPrecision>(value);
      }
    } else if constexpr (std::is_integral<To>::value) {
      return SaturatedInteger<To>(IntegralRounded<mode>(value));
    } else {
      static_assert(std::is_same<To, float>::value && std::is_same<From, float>::value,
                    "the rest is below");
      return IntegralRounded<mode>(value);
    }
  }
};

// float -> half or bfloat16_t, to the bits.
template <typename To, RoundMode mode>
struct NarrowOp {
  ASCENDC_TWIN_INLINE uint16_t operator()(float value) const {
    return std::is_same<To, half>::value ? HalfRounded<mode>(value) : BfloatRounded<mode>(value);
  }
};

// half or bfloat16_t -> float, to the bits: exact, and a NaN keeps sign and payload.
struct WidenOp {
  ASCENDC_TWIN_INLINE uint32_t operator()(float value) const {
    return float_bits::FromFloat(value);
  }
};

// value / 2^17 * scale * 2^17, in float, then rounded to half.
struct DequantiseOp {
  float scale;
  ASCENDC_TWIN_INLINE float operator()(int32_t value) const {
    return static_cast<float>(value) * 0x1p-17f * scale * 0x1p17f;
  }
};

// Calls body(op, dst type tag) with the op of the pair and mode; dst is written as type
// decltype(tag).
template <typename To, typename From, RoundMode mode, typename Body>
ASCENDC_TWIN_INLINE void WithCastOp(Body body) {
  if constexpr (std::is_same<From, float>::value && kIsOneOf<To, half, bfloat16_t>) {
    body(NarrowOp<To, mode>{}, Raw16{});
  } else if constexpr (kIsOneOf<From, half, bfloat16_t> && std::is_same<To, float>::value) {
    body(WidenOp{}, uint32_t{});
  } else {
    body(CastOp<To, From, mode>{}, To{});
  }
}

template <typename To, typename From, typename Body>
void DispatchCast(RoundMode mode, Body body) {
  constexpr uint32_t kModes = CastModes<To, From>();
  static_assert(kModes != 0, "Cast: this pair of types does not exist on this arch");
  if (unlikely(((kModes >> static_cast<uint32_t>(mode)) & 1) == 0 || mode == RoundMode::UNKNOWN)) {
    Fail("Cast got a RoundMode that this pair of types does not have", "memory");
  }
  if constexpr (std::is_same<From, int32_t>::value && std::is_same<To, half>::value) {
    body(DequantiseOp{State().vector.deq_scale}, half{});
  } else if constexpr (kModes == kExactMode) {
    WithCastOp<To, From, RoundMode::CAST_RINT>(body);
  } else {
    switch (mode) {
      case RoundMode::CAST_FLOOR:
        return WithCastOp<To, From, RoundMode::CAST_FLOOR>(body);
      case RoundMode::CAST_CEIL:
        return WithCastOp<To, From, RoundMode::CAST_CEIL>(body);
      case RoundMode::CAST_ROUND:
        return WithCastOp<To, From, RoundMode::CAST_ROUND>(body);
      case RoundMode::CAST_TRUNC:
        return WithCastOp<To, From, RoundMode::CAST_TRUNC>(body);
      case RoundMode::CAST_ODD:
        if constexpr ((kModes & ModeBit(RoundMode::CAST_ODD)) != 0) {
          WithCastOp<To, From, RoundMode::CAST_ODD>(body);
        }
        return;
      default:
        return WithCastOp<To, From, RoundMode::CAST_RINT>(body);
    }
  }
}

template <bool isSetMask, typename T, typename U, typename Mask>
void CastRepeats(const LocalTensor<T>& dst, const LocalTensor<U>& src, RoundMode mode, Mask mask,
                 uint32_t repeats, const UnaryRepeatParams& params) {
  DispatchCast<T, U>(mode, [&](auto op, auto tag) {
    const Operand<decltype(tag)> out{reinterpret_cast<decltype(tag)*>(dst.Data()),
                                     params.dstBlkStride, params.dstRepStride};
    MapRepeats<isSetMask>(OneSource("Cast"), op, mask, repeats, out, SrcOperand(src, params));
  });
}

}  // namespace twin

template <typename T, typename U, bool isSetMask = true>
void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode,
          const uint64_t mask[], const uint8_t repeatTime,
          const UnaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::CastRepeats<isSetMask>(dst, src, roundMode, mask, repeatTime, repeatParams);
}
template <typename T, typename U, bool isSetMask = true>
void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode,
          const uint64_t mask, const uint8_t repeatTime,
          const UnaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::CastRepeats<isSetMask>(dst, src, roundMode, mask, repeatTime, repeatParams);
}
template <typename T, typename U>
void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode,
          const uint32_t count ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  if (unlikely(count == 0)) {
    return;
  }
  twin::DispatchCast<T, U>(roundMode, [&](auto op, auto tag) {
    twin::MapData(twin::OneSource("Cast"), op, count, reinterpret_cast<decltype(tag)*>(dst.Data()),
                  src.Data());
  });
}

// The scale of Cast int32_t -> half.
inline void SetDeqScale(half scale) { twin::State().vector.deq_scale = static_cast<float>(scale); }

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_CAST_H_
