// Instructions that do two operations in one: the multiply-adds MulAddDst (before CANN 9: Mula),
// MulDstAdd (FusedMulDstAdd) and Axpy, AbsSub (FusedAbsSub), ExpSub (FusedExpSub), MulsCast
// (FusedMulsCast).
//
// A floating multiply-add is fused: exact product and sum, rounded once (asc-devkit, table of the
// accuracy of Reg instructions: equivalent to Fma). Not so those of the memory-based instructions.
#ifndef CC_ASCENDC_REG_FUSED_H_
#define CC_ASCENDC_REG_FUSED_H_

#include "cc/ascendc/reg/scalar.h"
#include "cc/ascendc/reg/wide_fma.h"

ASCENDC_TWIN_REG_BEGIN

namespace twin::vf {

// dst = a * b + c
template <Reg::MaskMergeMode mode, typename T>
ASCENDC_TWIN_INLINE void MultiplyAdd(Reg::RegTensor<T>& dst, const Reg::RegTensor<T>& a,
                                     const Reg::RegTensor<T>& b, const Reg::RegTensor<T>& c,
                                     const Reg::MaskReg& mask) {
  if constexpr (std::is_same<T, float>::value) {
    AssignResult<mode>(dst, __builtin_elementwise_fma(Loose(a), Loose(b), Loose(c)), mask);
  } else if constexpr (kIsFloat16<T>) {
    MapElements<mode>([](float x, float y, float z) { return WideFma(x, y, z); }, mask, dst, a, b,
                      c);
  } else {
    AssignResult<mode>(dst, Loose(a) * Loose(b) + Loose(c), mask);
  }
}

}  // namespace twin::vf

namespace Reg {

// dst = src0 * src1 + dst
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void MulAddDst(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {
  using E = twin::vf::Element<U, T>;
  static_assert(twin::vf::kIsFloating<E> || (std::is_integral<E>::value && sizeof(E) > 1),
                "MulAddDst: element type without this instruction");
  twin::vf::MultiplyAdd<mode>(dstReg, srcReg0, srcReg1, dstReg, mask);
}
// dst = dst * src0 + src1
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void MulDstAdd(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {
  static_assert(twin::vf::kIsFloating<twin::vf::Element<U, T>>,
                "MulDstAdd: half, bfloat16_t or float");
  twin::vf::MultiplyAdd<mode>(dstReg, dstReg, srcReg0, srcReg1, mask);
}
// dst = scalar * src + dst
template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING,
          typename S>
ASCENDC_TWIN_INLINE void Axpy(S& dstReg, S& srcReg, const U scalarValue, MaskReg& mask) {
  using E = twin::vf::Element<S, T>;
  static_assert(twin::vf::kIsOneOf<E, half, float, int64_t, uint64_t>,
                "Axpy: half, float or 64-bit integers");
  S scalar;
  twin::vf::Assign(scalar, twin::vf::ScalarElements<E>(scalarValue), false);
  twin::vf::MultiplyAdd<mode>(dstReg, scalar, srcReg, dstReg, mask);
}
// dst = |src0 - src1|
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void AbsSub(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {
  using E = twin::vf::Element<U, T>;
  static_assert(twin::vf::kIsOneOf<E, half, float, int64_t>, "AbsSub: half, float or int64_t");
  const twin::vf::ComputeVector<E> difference =
      twin::vf::Operand<E>(srcReg0) - twin::vf::Operand<E>(srcReg1);
  twin::vf::AssignResult<mode>(dstReg, __builtin_elementwise_abs(difference), mask);
}

// The names before CANN 9.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void Mula(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {
  MulAddDst<T, mode>(dstReg, srcReg0, srcReg1, mask);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void FusedMulDstAdd(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {
  MulDstAdd<T, mode>(dstReg, srcReg0, srcReg1, mask);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void FusedAbsSub(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {
  AbsSub<T, mode>(dstReg, srcReg0, srcReg1, mask);
}

}  // namespace Reg

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_FUSED_H_
