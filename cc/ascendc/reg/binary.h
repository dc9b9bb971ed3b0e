// Elementwise instructions with two source registers: Add, Sub, Mul, Div, Max, Min, Prelu.
// Those with a scalar are in scalar.h, the fused ones in fused.h, those with carries in carry.h,
// those on bits in logic.h.
#ifndef CC_ASCENDC_REG_BINARY_H_
#define CC_ASCENDC_REG_BINARY_H_

#include "cc/ascendc/reg/order.h"
#include "cc/ascendc/reg/vector_access.h"

ASCENDC_TWIN_REG_BEGIN

namespace twin::vf {

// The merge mode of a template argument that is one, or a pointer to a structure with one.
template <auto kMode>
constexpr Reg::MaskMergeMode MergeModeOf() {
  if constexpr (std::is_same<std::remove_cv_t<decltype(kMode)>, Reg::MaskMergeMode>::value) {
    return kMode;
  } else {
    return kMode->mrgMode;
  }
}

template <typename T>
constexpr bool kRegArithmetic = kIsFloating<T> || std::is_integral<T>::value;

// Integers: the quotient rounded towards zero; all bits set for a divisor of 0 (a device leaves it
// open). The lowest number by -1 wraps.
template <typename C>
ASCENDC_TWIN_INLINE C IntegerQuotient(C a, C b) {
  if (b == 0) {
    return static_cast<C>(~C(0));
  }
  if constexpr (std::is_signed<C>::value) {
    if (b == C(-1)) {
      return static_cast<C>(0 - static_cast<Bits<C>>(a));
    }
  }
  return static_cast<C>(a / b);
}

// value where it is above 0, else value * slope. By bits: a NaN multiplied stays one.
template <typename V>
ASCENDC_TWIN_INLINE V Rectified(V value, V slope) {
  const auto bits = BitCast<Vector<int32_t, sizeof(V) / sizeof(float)>>(value);
  return bits > 0 ? value : value * slope;
}

}  // namespace twin::vf

namespace Reg {

// dst = src0 op src1. Register operands may be the same.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void Add(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {
  twin::vf::Operation<U>("Add");
  using E = twin::vf::Element<U, T>;
  static_assert(twin::vf::kRegArithmetic<E>, "Add: element type without this instruction");
  twin::vf::AssignResult<mode>(dstReg,
                               twin::vf::Operand<E>(srcReg0) + twin::vf::Operand<E>(srcReg1), mask);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void Sub(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {
  twin::vf::Operation<U>("Sub");
  using E = twin::vf::Element<U, T>;
  static_assert(twin::vf::kRegArithmetic<E>, "Sub: element type without this instruction");
  twin::vf::AssignResult<mode>(dstReg,
                               twin::vf::Operand<E>(srcReg0) - twin::vf::Operand<E>(srcReg1), mask);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void Mul(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {
  twin::vf::Operation<U>("Mul");
  using E = twin::vf::Element<U, T>;
  static_assert(twin::vf::kRegArithmetic<E>, "Mul: element type without this instruction");
  twin::vf::AssignResult<mode>(dstReg,
                               twin::vf::Operand<E>(srcReg0) * twin::vf::Operand<E>(srcReg1), mask);
}
// Floats: correctly rounded, whatever DivAlgo asks for.
template <typename T = DefaultType, auto mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void Div(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {
  twin::vf::Operation<U>("Div");
  using E = twin::vf::Element<U, T>;
  static_assert(twin::vf::kIsOneOf<E, half, float> || (std::is_integral<E>::value && sizeof(E) > 1),
                "Div: element type without this instruction");
  if constexpr (std::is_integral<E>::value) {
    twin::vf::MapElements<twin::vf::MergeModeOf<mode>()>(
        [](E a, E b) { return twin::vf::IntegerQuotient(a, b); }, mask, dstReg, srcReg0, srcReg1);
  } else {
    twin::vf::AssignResult<twin::vf::MergeModeOf<mode>()>(
        dstReg, twin::vf::Operand<E>(srcReg0) / twin::vf::Operand<E>(srcReg1), mask);
  }
}
// NaN if either is one; -0 is below +0.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void Max(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {
  twin::vf::Operation<U>("Max");
  using E = twin::vf::Element<U, T>;
  twin::vf::Assign<mode>(
      dstReg, twin::vf::Extremum<E, true>(twin::vf::Loose(srcReg0), twin::vf::Loose(srcReg1)),
      twin::vf::ActiveLanes<E>(mask), twin::vf::kLooseNan<E>);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void Min(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {
  twin::vf::Operation<U>("Min");
  using E = twin::vf::Element<U, T>;
  twin::vf::Assign<mode>(
      dstReg, twin::vf::Extremum<E, false>(twin::vf::Loose(srcReg0), twin::vf::Loose(srcReg1)),
      twin::vf::ActiveLanes<E>(mask), twin::vf::kLooseNan<E>);
}
// src0 where it is above 0, else src0 * src1.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void Prelu(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {
  twin::vf::Operation<U>("Prelu");
  using E = twin::vf::Element<U, T>;
  static_assert(twin::vf::kIsOneOf<E, half, float>, "Prelu: half or float");
  const twin::vf::ComputeVector<E> value = twin::vf::Operand<E>(srcReg0);
  twin::vf::AssignResult<mode>(dstReg, twin::vf::Rectified(value, twin::vf::Operand<E>(srcReg1)),
                               mask);
}

}  // namespace Reg

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_BINARY_H_
