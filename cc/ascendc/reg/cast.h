// Cast between element types, and Truncate (to an integral value of the same type). convert.h has
// the arithmetic.
//
// Where sizes differ, layoutMode says where the narrow elements lie (layout.h); to a narrower type
// everything else becomes 0. The mask is that of the source's elements.
#ifndef CC_ASCENDC_REG_CAST_H_
#define CC_ASCENDC_REG_CAST_H_

#include "cc/ascendc/reg/convert.h"
#include "cc/ascendc/reg/layout.h"
#include "cc/ascendc/reg/vector_access.h"

ASCENDC_TWIN_REG_BEGIN

namespace twin::vf {

template <typename To, typename From>
constexpr bool CastExists() {
  if (kIsOneOf<From, int8_t>) return kIsOneOf<To, int16_t, half, int32_t>;
  if (kIsOneOf<From, uint8_t>) return kIsOneOf<To, uint16_t, half, uint32_t>;
  if (kIsOneOf<From, int16_t>) return kIsOneOf<To, uint8_t, half, int32_t, uint32_t, float>;
  if (kIsOneOf<From, uint16_t>) return kIsOneOf<To, uint8_t, uint32_t>;
  if (kIsOneOf<From, half>) {
    return kIsOneOf<To, int8_t, uint8_t, int16_t, bfloat16_t, int32_t, float>;
  }
  if (kIsOneOf<From, bfloat16_t>) return kIsOneOf<To, half, int32_t, float>;
  if (kIsOneOf<From, int32_t>) return kIsOneOf<To, uint8_t, int16_t, uint16_t, float, int64_t>;
  if (kIsOneOf<From, uint32_t>) return kIsOneOf<To, uint8_t, int16_t, uint16_t>;
  if (kIsOneOf<From, float>) return kIsOneOf<To, int16_t, half, bfloat16_t, int32_t, int64_t>;
  return kIsOneOf<From, int64_t> && kIsOneOf<To, int32_t, float>;
}

template <typename To, typename From, const Reg::CastTrait& trait>
ASCENDC_TWIN_INLINE void CastRegister(Reg::RegTensor<To>& dst, const Reg::RegTensor<From>& src,
                                      const Reg::MaskReg& mask) {
  static_assert(CastExists<To, From>(), "Cast: this pair of types does not exist");
  constexpr auto kMerge =
      trait.mrgMode == Reg::MaskMergeMode::UNKNOWN ? Reg::MaskMergeMode::ZEROING : trait.mrgMode;
  constexpr RoundMode kMode = trait.roundMode;
  constexpr Reg::SatMode kSat = trait.satMode;
  constexpr Reg::RegLayout kLayout = trait.layoutMode;
  if constexpr (sizeof(To) > sizeof(From)) {
    const auto narrow = NarrowElements<To, kLayout, From>(Loose(src));
    Assign<kMerge>(dst, Converted<To, From, kMode, kSat, kRegLanes<To>>(narrow),
                   ActiveNarrow<To, kLayout, From>(mask), false);
  } else if constexpr (sizeof(To) == sizeof(From)) {
    Assign<kMerge>(dst, Converted<To, From, kMode, kSat, kRegLanes<To>>(Loose(src)),
                   ActiveLanes<From>(mask), false);
  } else {
    static_assert(kMerge == Reg::MaskMergeMode::ZEROING, "Cast to a narrower type: ZEROING only");
    AssignNarrow<From, kLayout>(dst, Converted<To, From, kMode, kSat, kRegLanes<From>>(Loose(src)),
                                mask);
  }
}

}  // namespace twin::vf

namespace Reg {

template <typename T = DefaultType, typename U = DefaultType, const CastTrait& trait = castTrait,
          typename S, typename V>
ASCENDC_TWIN_INLINE void Cast(S& dstReg, V& srcReg, MaskReg& mask) {
  twin::vf::Operation<S, V>("Cast");
  twin::vf::CastRegister<twin::vf::Element<S, T>, twin::vf::Element<V, U>, trait>(dstReg, srcReg,
                                                                                  mask);
}

// Floats to integral values, in the same type.
template <typename T = DefaultType, RoundMode roundMode = RoundMode::CAST_NONE,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename S>
ASCENDC_TWIN_INLINE void Truncate(S& dstReg, S& srcReg, MaskReg& mask) {
  twin::vf::Operation<S>("Truncate");
  using E = twin::vf::Element<S, T>;
  static_assert(twin::vf::kIsFloating<E>, "Truncate: half, bfloat16_t or float");
  twin::vf::MapElements<mode>(
      [](float value) { return twin::vf::IntegralRounded<twin::vf::LossyMode(roundMode)>(value); },
      mask, dstReg, srcReg);
}

}  // namespace Reg

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_CAST_H_
