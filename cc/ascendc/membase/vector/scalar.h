// Elementwise instructions with a tensor and a scalar: Adds, Muls, Maxs, Mins, LeakyRelu,
// ShiftLeft, ShiftRight. Axpy, which also reads dst, is in compound.h; comparisons with a scalar in
// compare.h.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_SCALAR_H_
#define CC_ASCENDC_MEMBASE_VECTOR_SCALAR_H_

#include "cc/ascendc/membase/vector/binary.h"

ASCENDC_TWIN_BEGIN

namespace twin {

template <typename T>
constexpr bool kShiftable = kIsOneOf<T, int16_t, uint16_t, int32_t, uint32_t> ||
                            (kIsArch35 && kIsOneOf<T, int8_t, uint8_t, int64_t, uint64_t>);

template <typename T>
ASCENDC_TWIN_INLINE Compute<T> ScalarOf(const T& scalar) {
  if constexpr (std::is_same<Compute<T>, T>::value) {
    return scalar;
  } else {
    return Lane<T>::Load(scalar.bits);
  }
}

// A two-operand function with its second operand fixed.
template <typename T, template <typename> class Op>
struct WithScalar {
  Compute<T> scalar;
  ASCENDC_TWIN_INLINE Compute<T> operator()(Compute<T> a) const { return Op<T>{}(a, scalar); }
};

template <typename T>
struct LeakyReluOp {
  // Below -0 by the bits, see IsNan.
  ASCENDC_TWIN_INLINE float operator()(float a, float slope) const {
    return float_bits::FromFloat(a) > 0x80000000u ? a * slope : a;
  }
};

// Shifts by the width of the type or more leave 0, or the sign for a signed type shifted right.
template <typename T>
struct ShiftLeftOp {
  ASCENDC_TWIN_INLINE T operator()(T a, T by) const {
    return static_cast<uint64_t>(by) >= 8 * sizeof(T)
               ? T(0)
               : static_cast<T>(
                     static_cast<Bits<T>>(static_cast<Bits<T>>(a) << static_cast<uint32_t>(by)));
  }
};
template <typename T>
struct ShiftRightOp {
  ASCENDC_TWIN_INLINE T operator()(T a, T by) const {
    constexpr uint32_t kLast = 8 * sizeof(T) - 1;
    const bool beyond = static_cast<uint64_t>(by) > kLast;
    const T shifted = static_cast<T>(a >> (beyond ? kLast : static_cast<uint32_t>(by)));
    return beyond && !std::is_signed<T>::value ? T(0) : shifted;
  }
};

// Right shift that rounds to nearest, ties up: adds the last bit shifted out.
template <typename T>
struct RoundingShiftRightOp {
  ASCENDC_TWIN_INLINE T operator()(T a, T by) const {
    if (by <= 0) {
      return a;
    }
    const T before_last = ShiftRightOp<T>{}(a, static_cast<T>(by - 1));
    return static_cast<T>(ShiftRightOp<T>{}(before_last, 1) + (before_last & 1));
  }
};

template <bool isSetMask, template <typename> class Op, typename T, typename Mask>
ASCENDC_TWIN_INLINE void MapScalarRepeats(const char* name, const LocalTensor<T>& dst,
                                          const LocalTensor<T>& src, const T& scalar, Mask mask,
                                          uint32_t repeats, const UnaryRepeatParams& params) {
  MapRepeats<isSetMask>(OneSource(name), WithScalar<T, Op>{ScalarOf(scalar)}, mask, repeats,
                        DstOperand(dst, params), SrcOperand(src, params));
}

// The count form; with isSetMask false the count comes from SetVectorMask in counter mode.
template <bool isSetMask, template <typename> class Op, typename T>
ASCENDC_TWIN_INLINE void MapScalarCount(const char* name, const LocalTensor<T>& dst,
                                        const LocalTensor<T>& src, const T& scalar, int32_t count) {
  const WithScalar<T, Op> op{ScalarOf(scalar)};
  if constexpr (isSetMask) {
    MapCount(OneSource(name), op, count, dst, src);
  } else {
    MapRepeats<false>(OneSource(name), op, MASK_PLACEHOLDER, 1,
                      DstOperand(dst, UnaryRepeatParams()), SrcOperand(src, UnaryRepeatParams()));
  }
}

}  // namespace twin

// The three public forms of one instruction: dst[i] = Op(src[i], scalarValue).
#define ASCENDC_TWIN_SCALAR(Name, Op, kSupports)                                                \
  template <typename T, bool isSetMask = true>                                                  \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue,         \
            uint64_t mask[], const uint8_t repeatTime,                                          \
            const UnaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {                         \
    ASCENDC_TWIN_AT;                                                                            \
    static_assert(twin::kSupports<T>,                                                           \
                  #Name ": element type without this instruction on this arch");                \
    twin::MapScalarRepeats<isSetMask, twin::Op>(#Name, dst, src, scalarValue,                   \
                                                static_cast<const uint64_t*>(mask), repeatTime, \
                                                repeatParams);                                  \
  }                                                                                             \
  template <typename T, bool isSetMask = true>                                                  \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue,         \
            uint64_t mask, const uint8_t repeatTime,                                            \
            const UnaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {                         \
    ASCENDC_TWIN_AT;                                                                            \
    static_assert(twin::kSupports<T>,                                                           \
                  #Name ": element type without this instruction on this arch");                \
    twin::MapScalarRepeats<isSetMask, twin::Op>(#Name, dst, src, scalarValue, mask, repeatTime, \
                                                repeatParams);                                  \
  }                                                                                             \
  template <typename T, bool isSetMask = true>                                                  \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue,         \
            const int32_t& count ASCENDC_TWIN_PLACE) {                                          \
    ASCENDC_TWIN_AT;                                                                            \
    static_assert(twin::kSupports<T>,                                                           \
                  #Name ": element type without this instruction on this arch");                \
    twin::MapScalarCount<isSetMask, twin::Op>(#Name, dst, src, scalarValue, count);             \
  }

ASCENDC_TWIN_SCALAR(Adds, AddOp, kArithmetic)
ASCENDC_TWIN_SCALAR(Muls, MulOp, kArithmetic)
ASCENDC_TWIN_SCALAR(Maxs, MaxOp, kArithmetic)
ASCENDC_TWIN_SCALAR(Mins, MinOp, kArithmetic)
ASCENDC_TWIN_SCALAR(LeakyRelu, LeakyReluOp, kFloating)
ASCENDC_TWIN_SCALAR(ShiftLeft, ShiftLeftOp, kShiftable)

template <typename T, bool isSetMask = true>
void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue,
                uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams& repeatParams,
                bool roundEn = false ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  static_assert(twin::kShiftable<T>,
                "ShiftRight: element type without this instruction on this arch");
  const uint64_t* const bits = mask;
  if (roundEn) {
    twin::MapScalarRepeats<isSetMask, twin::RoundingShiftRightOp>(
        "ShiftRight", dst, src, scalarValue, bits, repeatTime, repeatParams);
  } else {
    twin::MapScalarRepeats<isSetMask, twin::ShiftRightOp>("ShiftRight", dst, src, scalarValue, bits,
                                                          repeatTime, repeatParams);
  }
}
template <typename T, bool isSetMask = true>
void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue,
                uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams& repeatParams,
                bool roundEn = false ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  static_assert(twin::kShiftable<T>,
                "ShiftRight: element type without this instruction on this arch");
  if (roundEn) {
    twin::MapScalarRepeats<isSetMask, twin::RoundingShiftRightOp>(
        "ShiftRight", dst, src, scalarValue, mask, repeatTime, repeatParams);
  } else {
    twin::MapScalarRepeats<isSetMask, twin::ShiftRightOp>("ShiftRight", dst, src, scalarValue, mask,
                                                          repeatTime, repeatParams);
  }
}
template <typename T, bool isSetMask = true>
void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue,
                const int32_t& count ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  static_assert(twin::kShiftable<T>,
                "ShiftRight: element type without this instruction on this arch");
  twin::MapScalarCount<isSetMask, twin::ShiftRightOp>("ShiftRight", dst, src, scalarValue, count);
}

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_SCALAR_H_
