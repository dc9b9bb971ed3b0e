// Instructions that fill and move elements without computing: Duplicate, Arange, Move (before CANN
// 9: Copy), Interleave and DeInterleave. pack.h has those between element sizes.
#ifndef CC_ASCENDC_REG_REARRANGE_H_
#define CC_ASCENDC_REG_REARRANGE_H_

#include "cc/ascendc/reg/scalar.h"

ASCENDC_TWIN_REG_BEGIN

namespace Reg {

// Every element becomes the scalar.
template <typename T = DefaultType, typename U, typename S,
          std::enable_if_t<!twin::vf::IsRegTensorType<U>::value, int> = 0>
ASCENDC_TWIN_INLINE void Duplicate(S& dstReg, U scalarValue) {
  twin::vf::Operation<S>("Duplicate");
  twin::vf::Assign(dstReg, twin::vf::ScalarElements<twin::vf::Element<S, T>>(scalarValue), false);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U,
          typename S, std::enable_if_t<!twin::vf::IsRegTensorType<U>::value, int> = 0>
ASCENDC_TWIN_INLINE void Duplicate(S& dstReg, U scalarValue, MaskReg& mask) {
  twin::vf::Operation<S>("Duplicate");
  using E = twin::vf::Element<S, T>;
  twin::vf::Assign<mode>(dstReg, twin::vf::ScalarElements<E>(scalarValue),
                         twin::vf::ActiveLanes<E>(mask), false);
}
// Every element becomes the lowest one of src; HIGHEST does not exist on a device either.
template <typename T = DefaultType, HighLowPart pos = HighLowPart::LOWEST,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, twin::vf::EnableRegTensor<S> = 0>
ASCENDC_TWIN_INLINE void Duplicate(S& dstReg, S& srcReg, MaskReg& mask) {
  twin::vf::Operation<S>("Duplicate");
  static_assert(pos == HighLowPart::LOWEST, "Duplicate takes the lowest element");
  using E = twin::vf::Element<S, T>;
  const auto source = srcReg.reg[0];
  twin::vf::Assign<mode>(dstReg, twin::vf::Splat<twin::vf::kRegLanes<E>>(source[0]),
                         twin::vf::ActiveLanes<E>(mask), srcReg.nan_loose);
}

// scalar, scalar + 1, ... or the other way round: element i is scalar + (last - i).
template <typename T = DefaultType, IndexOrder order = IndexOrder::INCREASE_ORDER, typename U,
          typename S>
ASCENDC_TWIN_INLINE void Arange(S& dstReg, U scalarValue) {
  twin::vf::Operation<S>("Arange");
  using E = twin::vf::Element<S, T>;
  using Number = twin::vf::Compute<E>;
  constexpr uint32_t kLanes = twin::vf::kRegLanes<E>;
  const auto up = __builtin_convertvector((twin::vf::Iota<uint32_t, kLanes>()),
                                          twin::vf::Vector<Number, kLanes>);
  const auto last = twin::vf::Splat<kLanes>(static_cast<Number>(kLanes - 1));
  twin::vf::Assign(
      dstReg,
      twin::vf::Narrowed<E, kLanes>(twin::vf::ScalarOperand<E>(scalarValue) +
                                    (order == IndexOrder::INCREASE_ORDER ? up : last - up)),
      false);
}

// Elements that the mask leaves out keep their value.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::MERGING, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void Move(U& dstReg, U& srcReg, MaskReg mask) {
  twin::vf::Operation<U>("Move");
  twin::vf::Assign<mode>(dstReg, srcReg.reg[0],
                         twin::vf::ActiveLanes<twin::vf::Element<U, T>>(mask), srcReg.nan_loose);
}
template <typename T = DefaultType, typename U, twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void Move(U& dstReg, U& srcReg) {
  twin::vf::Operation<U>("Move");
  twin::vf::Assign(dstReg, srcReg.reg[0], srcReg.nan_loose);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::MERGING, typename U>
ASCENDC_TWIN_INLINE void Copy(U& dstReg, U& srcReg, MaskReg mask) {
  Move<T, mode>(dstReg, srcReg, mask);
}
template <typename T = DefaultType, typename U>
ASCENDC_TWIN_INLINE void Copy(U& dstReg, U& srcReg) {
  Move<T>(dstReg, srcReg);
}

// dst0: the lower halves of src0 and src1 in turn, dst1: the upper ones.
template <typename T = DefaultType, typename U, twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void Interleave(U& dstReg0, U& dstReg1, U& srcReg0, U& srcReg1) {
  twin::vf::Operation<U>("Interleave");
  using E = twin::vf::Element<U, T>;
  const twin::vf::Joined<E> joined = twin::vf::Join(srcReg0, srcReg1);
  twin::vf::Assign(dstReg0, twin::vf::Zipped<0>(joined.first, joined.second), joined.nan_loose);
  twin::vf::Assign(dstReg1,
                   twin::vf::Zipped<twin::vf::kRegLanes<E> / 2>(joined.first, joined.second),
                   joined.nan_loose);
}
// dst0: the even elements of src0 and then of src1, dst1: the odd ones.
template <typename T = DefaultType, typename U, twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void DeInterleave(U& dstReg0, U& dstReg1, U& srcReg0, U& srcReg1) {
  twin::vf::Operation<U>("DeInterleave");
  using E = twin::vf::Element<U, T>;
  constexpr uint32_t kLanes = twin::vf::kRegLanes<E>;
  const twin::vf::Joined<E> joined = twin::vf::Join(srcReg0, srcReg1);
  twin::vf::Assign(dstReg0, twin::vf::Strided<kLanes, 0, 2>(joined.first, joined.second),
                   joined.nan_loose);
  twin::vf::Assign(dstReg1, twin::vf::Strided<kLanes, 1, 2>(joined.first, joined.second),
                   joined.nan_loose);
}

}  // namespace Reg

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_REARRANGE_H_
