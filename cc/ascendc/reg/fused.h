// Instructions that do two operations in one: the multiply-adds MulAddDst (before CANN 9: Mula),
// MulDstAdd (FusedMulDstAdd) and Axpy, AbsSub (FusedAbsSub), ExpSub (FusedExpSub), MulsCast
// (FusedMulsCast).
//
// A floating multiply-add is fused: exact product and sum, rounded once (asc-devkit, table of the
// accuracy of Reg instructions: equivalent to Fma). Not so the memory-based ones of A2 and A3.
#ifndef CC_ASCENDC_REG_FUSED_H_
#define CC_ASCENDC_REG_FUSED_H_

#include "cc/ascendc/membase/vector/wide_fma.h"
#include "cc/ascendc/reg/convert.h"
#include "cc/ascendc/reg/layout.h"
#include "cc/ascendc/reg/scalar.h"
#include "cc/ascendc/reg/unary.h"

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

// e^(src0 - src1), of half as of the floats that it is.
template <Reg::RegLayout kLayout, Reg::MaskMergeMode mode, typename V>
ASCENDC_TWIN_INLINE void ExponentialOfDifference(Reg::RegTensor<float>& dst,
                                                 const Reg::RegTensor<V>& src0,
                                                 const Reg::RegTensor<V>& src1,
                                                 const Reg::MaskReg& mask) {
  static_assert(kIsOneOf<V, half, float>, "ExpSub: of half or float");
  Reg::RegTensor<float> difference;
  Truth<RegVector<float>> active;
  if constexpr (std::is_same<V, float>::value) {
    Assign(difference, Loose(src0) - Loose(src1), true);
    active = ActiveLanes<float>(mask);
  } else {
    const auto left = Widened<V, 64>(NarrowElements<float, kLayout, V>(Loose(src0)));
    const auto right = Widened<V, 64>(NarrowElements<float, kLayout, V>(Loose(src1)));
    Assign(difference, left - right, true);
    active = ActiveNarrow<float, kLayout, V>(mask);
  }
  MapElements<mode>(ExpOp<float>{}, MaskOf<float>(active), dst, difference);
}

}  // namespace twin::vf

namespace Reg {

// dst = src0 * src1 + dst
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void MulAddDst(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {
  twin::vf::Operation<U>("MulAddDst");
  using E = twin::vf::Element<U, T>;
  static_assert(twin::vf::kIsFloating<E> || (std::is_integral<E>::value && sizeof(E) > 1),
                "MulAddDst: element type without this instruction");
  twin::vf::MultiplyAdd<mode>(dstReg, srcReg0, srcReg1, dstReg, mask);
}
// dst = dst * src0 + src1
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void MulDstAdd(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {
  twin::vf::Operation<U>("MulDstAdd");
  static_assert(twin::vf::kIsFloating<twin::vf::Element<U, T>>,
                "MulDstAdd: half, bfloat16_t or float");
  twin::vf::MultiplyAdd<mode>(dstReg, dstReg, srcReg0, srcReg1, mask);
}
// dst = scalar * src + dst
template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING,
          typename S>
ASCENDC_TWIN_INLINE void Axpy(S& dstReg, S& srcReg, const U scalarValue, MaskReg& mask) {
  twin::vf::Operation<S>("Axpy");
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
  twin::vf::Operation<U>("AbsSub");
  using E = twin::vf::Element<U, T>;
  static_assert(twin::vf::kIsOneOf<E, half, float, int64_t>, "AbsSub: half, float or int64_t");
  const twin::vf::ComputeVector<E> difference =
      twin::vf::Operand<E>(srcReg0) - twin::vf::Operand<E>(srcReg1);
  twin::vf::AssignResult<mode>(dstReg, __builtin_elementwise_abs(difference), mask);
}
// dst = e^(src0 - src1). Half sources: dst is float, of the half that layout says.
template <typename T = DefaultType, typename U = DefaultType, RegLayout layout = RegLayout::ZERO,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, typename V>
ASCENDC_TWIN_INLINE void ExpSub(S& dstReg, V& srcReg0, V& srcReg1, MaskReg& mask) {
  twin::vf::Operation<S, V>("ExpSub");
  static_assert(twin::vf::kIsOneOf<twin::vf::Element<S, T>, float>, "ExpSub: into float");
  static_assert(twin::vf::kIsOneOf<twin::vf::Element<V, U>, half, float>, "ExpSub: half or float");
  twin::vf::ExponentialOfDifference<layout, mode>(dstReg, srcReg0, srcReg1, mask);
}
// dst = half(src * scalar), ties away from zero, in the half of each float that layout says.
template <typename T0 = DefaultType, typename T1 = DefaultType, typename T2,
          RegLayout layout = RegLayout::ZERO, typename T3, typename T4>
ASCENDC_TWIN_INLINE void MulsCast(T3& dstReg, T4& srcReg, T2 scalarValue, MaskReg& mask) {
  twin::vf::Operation<T3, T4>("MulsCast");
  static_assert(twin::vf::kIsOneOf<twin::vf::Element<T3, T0>, half> &&
                    twin::vf::kIsOneOf<twin::vf::Element<T4, T1>, float>,
                "MulsCast: float to half");
  const auto product = twin::vf::Loose(srcReg) * twin::vf::ScalarOperand<float>(scalarValue);
  twin::vf::AssignNarrow<float, layout>(
      dstReg, twin::vf::Converted<half, float, RoundMode::CAST_ROUND, SatMode::NO_SAT, 64>(product),
      mask);
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
template <typename T = DefaultType, typename U = DefaultType, RegLayout layout = RegLayout::ZERO,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, typename V>
ASCENDC_TWIN_INLINE void FusedExpSub(S& dstReg, V& srcReg0, V& srcReg1, MaskReg& mask) {
  ExpSub<T, U, layout, mode>(dstReg, srcReg0, srcReg1, mask);
}
template <typename T0 = DefaultType, typename T1 = DefaultType, typename T2,
          RegLayout layout = RegLayout::ZERO, typename T3, typename T4>
ASCENDC_TWIN_INLINE void FusedMulsCast(T3& dstReg, T4& srcReg, T2 scalarValue, MaskReg& mask) {
  MulsCast<T0, T1, T2, layout>(dstReg, srcReg, scalarValue, mask);
}

}  // namespace Reg

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_FUSED_H_
