// Elementwise instructions with one source register: Abs, Neg, Relu, Sqrt, Exp, Ln, Log, Log2,
// Log10. Casts are in cast.h, Not in logic.h.
//
// Sqrt is correctly rounded; Exp and Ln have the bits of the memory-based instructions. The
// algorithm that a mode structure asks for changes nothing here: subnormal numbers are kept.
#ifndef CC_ASCENDC_REG_UNARY_H_
#define CC_ASCENDC_REG_UNARY_H_

#include "cc/ascendc/membase/vector/unary.h"
#include "cc/ascendc/reg/binary.h"

ASCENDC_TWIN_REG_BEGIN

namespace twin::vf {

// Log2 and Log10: the logarithm by a constant in two parts, so that powers of the base come out
// whole where the logarithm of one is exact enough.
struct LogOfBase {
  float factor;
  float factor_low;

  ASCENDC_TWIN_INLINE float operator()(float value) const {
    const float ln = Logarithm(value);
    return __builtin_isinf(ln) ? ln : __builtin_fmaf(ln, factor, ln * factor_low);
  }
};

}  // namespace twin::vf

namespace Reg {

// The lowest integer stays as it is.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void Abs(U& dstReg, U& srcReg, MaskReg& mask) {
  twin::vf::Operation<U>("Abs");
  using E = twin::vf::Element<U, T>;
  static_assert(twin::vf::kIsOneOf<E, half, float> || std::is_signed<E>::value,
                "Abs: element type without this instruction");
  twin::vf::AssignResult<mode>(dstReg, __builtin_elementwise_abs(twin::vf::Operand<E>(srcReg)),
                               mask);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void Neg(U& dstReg, U& srcReg, MaskReg& mask) {
  twin::vf::Operation<U>("Neg");
  using E = twin::vf::Element<U, T>;
  static_assert(twin::vf::kIsOneOf<E, half, float> || std::is_signed<E>::value,
                "Neg: element type without this instruction");
  twin::vf::AssignResult<mode>(dstReg, -twin::vf::Operand<E>(srcReg), mask);
}
// NaN stays, -0 becomes +0.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void Relu(U& dstReg, U& srcReg, MaskReg& mask) {
  twin::vf::Operation<U>("Relu");
  using E = twin::vf::Element<U, T>;
  static_assert(twin::vf::kIsOneOf<E, half, float, int32_t, int64_t>,
                "Relu: element type without this instruction");
  twin::vf::Assign<mode>(
      dstReg, twin::vf::Extremum<E, true>(twin::vf::Loose(srcReg), twin::vf::RegVector<E>{}),
      twin::vf::ActiveLanes<E>(mask), twin::vf::kLooseNan<E>);
}
template <typename T = DefaultType, auto mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void Sqrt(U& dstReg, U& srcReg, MaskReg& mask) {
  twin::vf::Operation<U>("Sqrt");
  using E = twin::vf::Element<U, T>;
  static_assert(twin::vf::kIsOneOf<E, half, float>, "Sqrt: half or float");
  twin::vf::AssignResult<twin::vf::MergeModeOf<mode>()>(
      dstReg, __builtin_elementwise_sqrt(twin::vf::Operand<E>(srcReg)), mask);
}
template <typename T = DefaultType, auto mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void Exp(U& dstReg, U& srcReg, MaskReg& mask) {
  twin::vf::Operation<U>("Exp");
  using E = twin::vf::Element<U, T>;
  static_assert(twin::vf::kIsOneOf<E, half, float>, "Exp: half or float");
  twin::vf::MapElements<twin::vf::MergeModeOf<mode>()>(twin::vf::ExpOp<E>{}, mask, dstReg, srcReg);
}
template <typename T = DefaultType, auto mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void Ln(U& dstReg, U& srcReg, MaskReg& mask) {
  twin::vf::Operation<U>("Ln");
  using E = twin::vf::Element<U, T>;
  static_assert(twin::vf::kIsOneOf<E, half, float>, "Ln: half or float");
  twin::vf::MapElements<twin::vf::MergeModeOf<mode>()>(twin::vf::LnOp<E>{}, mask, dstReg, srcReg);
}
// The same as Ln.
template <typename T = DefaultType, auto mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void Log(U& dstReg, U& srcReg, MaskReg& mask) {
  Ln<T, mode>(dstReg, srcReg, mask);
}
template <typename T = DefaultType, auto mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void Log2(U& dstReg, U& srcReg, MaskReg& mask) {
  twin::vf::Operation<U>("Log2");
  using E = twin::vf::Element<U, T>;
  static_assert(twin::vf::kIsOneOf<E, half, float>, "Log2: half or float");
  twin::vf::MapElements<twin::vf::MergeModeOf<mode>()>(
      twin::vf::LogOfBase{0x1.715476p+0f, 0x1.4ae0bep-26f}, mask, dstReg, srcReg);
}
template <typename T = DefaultType, auto mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void Log10(U& dstReg, U& srcReg, MaskReg& mask) {
  twin::vf::Operation<U>("Log10");
  using E = twin::vf::Element<U, T>;
  static_assert(twin::vf::kIsOneOf<E, half, float>, "Log10: half or float");
  twin::vf::MapElements<twin::vf::MergeModeOf<mode>()>(
      twin::vf::LogOfBase{0x1.bcb7b2p-2f, -0x1.5b235ep-27f}, mask, dstReg, srcReg);
}

}  // namespace Reg

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_UNARY_H_
