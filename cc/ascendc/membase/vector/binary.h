// Elementwise instructions with two source tensors: Add, Sub, Mul, Div, Max, Min, AddRelu, SubRelu,
// And, Or. Those with a scalar are in scalar.h, those that also read dst in compound.h.
//
// Float and half results are the IEEE result rounded once to nearest even (AddRelu, SubRelu: of the
// sum before the max). Integers wrap. Max and Min propagate NaN and order -0 below +0, whatever the
// order of the operands.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_BINARY_H_
#define CC_ASCENDC_MEMBASE_VECTOR_BINARY_H_

#include "cc/ascendc/membase/vector/elementwise.h"

ASCENDC_TWIN_BEGIN

namespace twin {

// Types of the arithmetic instructions, per arch.
template <typename T>
constexpr bool kArithmetic =
    kIsOneOf<T, int16_t, half, int32_t, float> ||
    (kIsArch35 && kIsOneOf<T, int8_t, uint8_t, uint16_t, bfloat16_t, uint32_t, int64_t, uint64_t>);
template <typename T>
constexpr bool kFloating = kIsOneOf<T, half, float> || (kIsArch35 && kIsOneOf<T, bfloat16_t>);
template <typename T>
constexpr bool kReluArithmetic = kIsOneOf<T, int16_t, half, float> || (kIsArch35 && kArithmetic<T>);
// And and Or of 32-bit types have only the count form on 2201, where count is in 16-bit units.
template <typename T>
constexpr bool kLogic = kIsOneOf<T, int16_t, uint16_t, int32_t, uint32_t> ||
                        (kIsArch35 && kIsOneOf<T, int8_t, uint8_t, int64_t, uint64_t>);

// Integer arithmetic modulo 2^n, without overflow that C++ leaves undefined.
template <typename C>
ASCENDC_TWIN_INLINE C Plus(C a, C b) {
  if constexpr (std::is_integral<C>::value) {
    return static_cast<C>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  } else {
    return a + b;
  }
}
template <typename C>
ASCENDC_TWIN_INLINE C Minus(C a, C b) {
  if constexpr (std::is_integral<C>::value) {
    return static_cast<C>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
  } else {
    return a - b;
  }
}
template <typename C>
ASCENDC_TWIN_INLINE C Times(C a, C b) {
  if constexpr (std::is_integral<C>::value) {
    return static_cast<C>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  } else {
    return a * b;
  }
}

// A number with the order of IEEE 754-2019 maximum: -0 < +0, and NaN above everything (kNanLow:
// below everything).
template <bool kNanLow>
ASCENDC_TWIN_INLINE int32_t OrderKey(float value) {
  const int32_t bits = static_cast<int32_t>(float_bits::FromFloat(value));
  const int32_t key = bits ^ ((bits >> 31) & 0x7FFFFFFF);
  return IsNan(value) ? (kNanLow ? -0x7FFFFFFF : 0x7FC00000) : key;
}

// kFromHalf: a float that came from half is ordered by its key (see IsNan); other floats compare
// faster as they are. Both give the same.
template <bool kFromHalf, typename C>
ASCENDC_TWIN_INLINE C Larger(C a, C b) {
  if constexpr (!std::is_same<C, float>::value) {
    return a > b ? a : b;
  } else if constexpr (kFromHalf) {
    return OrderKey<false>(a) > OrderKey<false>(b) ? a : b;
  } else {
    const uint32_t both = float_bits::FromFloat(a) & float_bits::FromFloat(b);  // +0 of +0 and -0
    const float larger = a > b ? a : b;
    const float number = a == b ? float_bits::ToFloat(both) : larger;
    return __builtin_isunordered(a, b) ? __builtin_nanf("") : number;
  }
}
template <bool kFromHalf, typename C>
ASCENDC_TWIN_INLINE C Smaller(C a, C b) {
  if constexpr (!std::is_same<C, float>::value) {
    return a < b ? a : b;
  } else if constexpr (kFromHalf) {
    return OrderKey<true>(a) < OrderKey<true>(b) ? a : b;
  } else {
    const uint32_t either = float_bits::FromFloat(a) | float_bits::FromFloat(b);
    const float smaller = a < b ? a : b;
    const float number = a == b ? float_bits::ToFloat(either) : smaller;
    return __builtin_isunordered(a, b) ? __builtin_nanf("") : number;
  }
}

// max(0, value): NaN stays, -0 becomes +0.
template <typename C>
ASCENDC_TWIN_INLINE C Rectified(C value) {
  if constexpr (std::is_same<C, float>::value) {
    const bool negative = static_cast<int32_t>(float_bits::FromFloat(value)) < 0;
    return negative && !IsNan(value) ? 0.0f : value;
  } else {
    return value <= C(0) ? C(0) : value;
  }
}

template <typename T>
struct AddOp {
  ASCENDC_TWIN_INLINE Compute<T> operator()(Compute<T> a, Compute<T> b) const { return Plus(a, b); }
};
template <typename T>
struct SubOp {
  ASCENDC_TWIN_INLINE Compute<T> operator()(Compute<T> a, Compute<T> b) const {
    return Minus(a, b);
  }
};
template <typename T>
struct MulOp {
  ASCENDC_TWIN_INLINE Compute<T> operator()(Compute<T> a, Compute<T> b) const {
    return Times(a, b);
  }
};
template <typename T>
struct DivOp {
  ASCENDC_TWIN_INLINE Compute<T> operator()(Compute<T> a, Compute<T> b) const { return a / b; }
};
template <typename T>
struct MaxOp {
  ASCENDC_TWIN_INLINE Compute<T> operator()(Compute<T> a, Compute<T> b) const {
    return Larger<!std::is_same<T, float>::value>(a, b);
  }
};
template <typename T>
struct MinOp {
  ASCENDC_TWIN_INLINE Compute<T> operator()(Compute<T> a, Compute<T> b) const {
    return Smaller<!std::is_same<T, float>::value>(a, b);
  }
};
template <typename T>
struct AddReluOp {
  ASCENDC_TWIN_INLINE Compute<T> operator()(Compute<T> a, Compute<T> b) const {
    return Rectified(Plus(a, b));
  }
};
template <typename T>
struct SubReluOp {
  ASCENDC_TWIN_INLINE Compute<T> operator()(Compute<T> a, Compute<T> b) const {
    return Rectified(Minus(a, b));
  }
};
template <typename T>
struct AndOp {
  ASCENDC_TWIN_INLINE T operator()(T a, T b) const { return static_cast<T>(a & b); }
};
template <typename T>
struct OrOp {
  ASCENDC_TWIN_INLINE T operator()(T a, T b) const { return static_cast<T>(a | b); }
};

}  // namespace twin

// The three public forms of one instruction: dst[i] = Op(src0[i], src1[i]) for T that `kSupports`
// admits. `kAccumulates`: dst and src1 may be one repeat after the other.
#define ASCENDC_TWIN_BINARY(Name, Op, kSupports, kAccumulates)                                    \
  template <typename T, bool isSetMask = true>                                                    \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,    \
            uint64_t mask[], const uint8_t repeatTime,                                            \
            const BinaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {                          \
    static_assert(twin::kSupports<T>,                                                             \
                  #Name ": element type without this instruction on this arch");                  \
    ASCENDC_TWIN_AT;                                                                              \
    twin::MapRepeats<isSetMask>(                                                                  \
        twin::TwoSources(#Name, kAccumulates), twin::Op<T>{}, static_cast<const uint64_t*>(mask), \
        repeatTime, twin::DstOperand(dst, repeatParams), twin::Src0Operand(src0, repeatParams),   \
        twin::Src1Operand(src1, repeatParams));                                                   \
  }                                                                                               \
  template <typename T, bool isSetMask = true>                                                    \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,    \
            uint64_t mask, const uint8_t repeatTime,                                              \
            const BinaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {                          \
    static_assert(twin::kSupports<T>,                                                             \
                  #Name ": element type without this instruction on this arch");                  \
    ASCENDC_TWIN_AT;                                                                              \
    twin::MapRepeats<isSetMask>(twin::TwoSources(#Name, kAccumulates), twin::Op<T>{}, mask,       \
                                repeatTime, twin::DstOperand(dst, repeatParams),                  \
                                twin::Src0Operand(src0, repeatParams),                            \
                                twin::Src1Operand(src1, repeatParams));                           \
  }                                                                                               \
  template <typename T>                                                                           \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,    \
            const int32_t& count ASCENDC_TWIN_PLACE) {                                            \
    static_assert(twin::kSupports<T>,                                                             \
                  #Name ": element type without this instruction on this arch");                  \
    ASCENDC_TWIN_AT;                                                                              \
    twin::MapCount(twin::TwoSources(#Name, kAccumulates), twin::Op<T>{}, count, dst, src0, src1); \
  }

ASCENDC_TWIN_BINARY(Add, AddOp, kArithmetic, true)
ASCENDC_TWIN_BINARY(Sub, SubOp, kArithmetic, true)
ASCENDC_TWIN_BINARY(Mul, MulOp, kArithmetic, true)
ASCENDC_TWIN_BINARY(Div, DivOp, kFloating, false)
ASCENDC_TWIN_BINARY(Max, MaxOp, kArithmetic, true)
ASCENDC_TWIN_BINARY(Min, MinOp, kArithmetic, true)
ASCENDC_TWIN_BINARY(AddRelu, AddReluOp, kReluArithmetic, true)
ASCENDC_TWIN_BINARY(SubRelu, SubReluOp, kReluArithmetic, true)
ASCENDC_TWIN_BINARY(And, AndOp, kLogic, false)
ASCENDC_TWIN_BINARY(Or, OrOp, kLogic, false)

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_BINARY_H_
