// Compare and Compares (before CANN 9: CompareScalar), which make masks, and Select, which uses
// one.
#ifndef CC_ASCENDC_REG_COMPARE_H_
#define CC_ASCENDC_REG_COMPARE_H_

#include "cc/ascendc/reg/scalar.h"

ASCENDC_TWIN_REG_BEGIN

namespace Reg {

// A NaN is unequal to everything. Elements that `mask` leaves out become 0.
template <typename T = DefaultType, CMPMODE mode = CMPMODE::EQ, typename U>
ASCENDC_TWIN_INLINE void Compare(MaskReg& dst, U& srcReg0, U& srcReg1, MaskReg& mask) {
  twin::vf::Operation<U>("Compare");
  using E = twin::vf::Element<U, T>;
  dst = twin::vf::MaskOf<E>(
      twin::vf::ComparedElements<E, mode>(twin::vf::Loose(srcReg0), twin::vf::Loose(srcReg1)) &
      twin::vf::ActiveLanes<E>(mask));
}
template <typename T = DefaultType, CMPMODE mode = CMPMODE::EQ, typename U, typename S>
ASCENDC_TWIN_INLINE void Compares(MaskReg& dst, U& srcReg, S scalarValue, MaskReg& mask) {
  twin::vf::Operation<U>("Compares");
  using E = twin::vf::Element<U, T>;
  dst = twin::vf::MaskOf<E>(twin::vf::ComparedElements<E, mode>(
                                twin::vf::Loose(srcReg), twin::vf::ScalarElements<E>(scalarValue)) &
                            twin::vf::ActiveLanes<E>(mask));
}
template <typename T = DefaultType, CMPMODE mode = CMPMODE::EQ, typename U, typename S>
ASCENDC_TWIN_INLINE void CompareScalar(MaskReg& dst, U& srcReg, S scalarValue, MaskReg& mask) {
  Compares<T, mode>(dst, srcReg, scalarValue, mask);
}

// src0 where the mask is set, else src1.
template <typename T = DefaultType, typename U, twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void Select(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {
  twin::vf::Operation<U>("Select");
  using E = twin::vf::Element<U, T>;
  const twin::vf::Joined<E> joined = twin::vf::Join(srcReg0, srcReg1);
  twin::vf::Assign(dstReg, twin::vf::ActiveLanes<E>(mask) ? joined.first : joined.second,
                   joined.nan_loose);
}

}  // namespace Reg

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_COMPARE_H_
