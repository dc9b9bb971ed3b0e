// Elementwise instructions with a register and a scalar: Adds, Muls, Maxs, Mins, LeakyRelu. The
// scalar is converted to the element type first. Shifts by a scalar are in logic.h.
#ifndef CC_ASCENDC_REG_SCALAR_H_
#define CC_ASCENDC_REG_SCALAR_H_

#include "cc/ascendc/reg/binary.h"

ASCENDC_TWIN_REG_BEGIN

namespace twin::vf {

template <typename T, typename U>
ASCENDC_TWIN_INLINE RegVector<T> ScalarElements(U scalar) {
  return Splat<kRegLanes<T>>(BitCast<typename HostLane<T>::Type>(static_cast<T>(scalar)));
}

}  // namespace twin::vf

namespace Reg {

template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING,
          typename S>
ASCENDC_TWIN_INLINE void Adds(S& dstReg, S& srcReg, U scalarValue, MaskReg& mask) {
  twin::vf::Operation<S>("Adds");
  using E = twin::vf::Element<S, T>;
  static_assert(twin::vf::kRegArithmetic<E>, "Adds: element type without this instruction");
  twin::vf::AssignResult<mode>(
      dstReg, twin::vf::Operand<E>(srcReg) + twin::vf::ScalarOperand<E>(scalarValue), mask);
}
template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING,
          typename S>
ASCENDC_TWIN_INLINE void Muls(S& dstReg, S& srcReg, U scalarValue, MaskReg& mask) {
  twin::vf::Operation<S>("Muls");
  using E = twin::vf::Element<S, T>;
  static_assert(twin::vf::kRegArithmetic<E>, "Muls: element type without this instruction");
  twin::vf::AssignResult<mode>(
      dstReg, twin::vf::Operand<E>(srcReg) * twin::vf::ScalarOperand<E>(scalarValue), mask);
}
template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING,
          typename S>
ASCENDC_TWIN_INLINE void Maxs(S& dstReg, S& srcReg, U scalarValue, MaskReg& mask) {
  twin::vf::Operation<S>("Maxs");
  using E = twin::vf::Element<S, T>;
  twin::vf::Assign<mode>(dstReg,
                         twin::vf::Extremum<E, true>(twin::vf::Loose(srcReg),
                                                     twin::vf::ScalarElements<E>(scalarValue)),
                         twin::vf::ActiveLanes<E>(mask), twin::vf::kLooseNan<E>);
}
template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING,
          typename S>
ASCENDC_TWIN_INLINE void Mins(S& dstReg, S& srcReg, U scalarValue, MaskReg& mask) {
  twin::vf::Operation<S>("Mins");
  using E = twin::vf::Element<S, T>;
  twin::vf::Assign<mode>(dstReg,
                         twin::vf::Extremum<E, false>(twin::vf::Loose(srcReg),
                                                      twin::vf::ScalarElements<E>(scalarValue)),
                         twin::vf::ActiveLanes<E>(mask), twin::vf::kLooseNan<E>);
}
// src where it is above 0, else src * scalar.
template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING,
          typename S>
ASCENDC_TWIN_INLINE void LeakyRelu(S& dstReg, S& srcReg, U scalarValue, MaskReg& mask) {
  twin::vf::Operation<S>("LeakyRelu");
  using E = twin::vf::Element<S, T>;
  static_assert(twin::vf::kIsOneOf<E, half, float>, "LeakyRelu: half or float");
  twin::vf::AssignResult<mode>(
      dstReg,
      twin::vf::Rectified(twin::vf::Operand<E>(srcReg), twin::vf::ScalarOperand<E>(scalarValue)),
      mask);
}

}  // namespace Reg

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_SCALAR_H_
