// Cast between element types, and Truncate (to an integral value of the same type). convert.h has
// the arithmetic.
//
// Where sizes differ, an instruction works on as many elements as the wider type has, and the
// narrow ones lie in the wide ones' places: layoutMode says which of the two or four. To a narrower
// type the others become 0. The mask is that of the source's elements.
#ifndef CC_ASCENDC_REG_CAST_H_
#define CC_ASCENDC_REG_CAST_H_

#include "cc/ascendc/reg/convert.h"

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

// The bits that the place of narrow elements lies above the lowest of a wide one.
template <typename Narrow>
constexpr uint32_t LayoutShift(Reg::RegLayout layout) {
  return layout == Reg::RegLayout::UNKNOWN
             ? 0
             : static_cast<uint32_t>(layout) * 8 * static_cast<uint32_t>(sizeof(Narrow));
}

template <typename To, typename From, const Reg::CastTrait& trait>
ASCENDC_TWIN_INLINE void CastRegister(Reg::RegTensor<To>& dst, const Reg::RegTensor<From>& src,
                                      const Reg::MaskReg& mask) {
  static_assert(CastExists<To, From>(), "Cast: this pair of types does not exist");
  constexpr auto kMerge =
      trait.mrgMode == Reg::MaskMergeMode::UNKNOWN ? Reg::MaskMergeMode::ZEROING : trait.mrgMode;
  constexpr RoundMode kMode = trait.roundMode;
  constexpr Reg::SatMode kSat = trait.satMode;
  if constexpr (sizeof(To) > sizeof(From)) {
    constexpr uint32_t kShift = LayoutShift<From>(trait.layoutMode);
    static_assert(kShift < 8 * sizeof(To), "Cast: the layout is beyond the wide element");
    constexpr uint32_t kLanes = kRegLanes<To>;
    const RegBits<To> wide = BitCast<RegBits<To>>(Loose(src)) >> kShift;
    const auto narrow = BitCast<Vector<typename HostLane<From>::Type, kLanes>>(
        __builtin_convertvector(wide, Vector<Bits<From>, kLanes>));
    const auto active = ((BitCast<RegBits<To>>(mask.bits) >> kShift) & 1) != 0;
    Assign<kMerge>(dst, Converted<To, From, kMode, kSat, kLanes>(narrow),
                   BitCast<Truth<RegVector<To>>>(active), false);
  } else if constexpr (sizeof(To) == sizeof(From)) {
    Assign<kMerge>(dst, Converted<To, From, kMode, kSat, kRegLanes<To>>(Loose(src)),
                   ActiveLanes<From>(mask), false);
  } else {
    static_assert(kMerge == Reg::MaskMergeMode::ZEROING, "Cast to a narrower type: ZEROING only");
    constexpr uint32_t kShift = LayoutShift<To>(trait.layoutMode);
    static_assert(kShift < 8 * sizeof(From), "Cast: the layout is beyond the wide element");
    constexpr uint32_t kLanes = kRegLanes<From>;
    const auto narrow =
        BitCast<Vector<Bits<To>, kLanes>>(Converted<To, From, kMode, kSat, kLanes>(Loose(src)));
    const RegBits<From> wide = __builtin_convertvector(narrow, RegBits<From>) << kShift;
    const RegBits<From> kept = BitCast<RegBits<From>>(ActiveLanes<From>(mask)) & wide;
    Assign(dst, BitCast<RegVector<To>>(kept), false);
  }
}

}  // namespace twin::vf

namespace Reg {

template <typename T = DefaultType, typename U = DefaultType, const CastTrait& trait = castTrait,
          typename S, typename V>
ASCENDC_TWIN_INLINE void Cast(S& dstReg, V& srcReg, MaskReg& mask) {
  twin::vf::CastRegister<twin::vf::Element<S, T>, twin::vf::Element<V, U>, trait>(dstReg, srcReg,
                                                                                  mask);
}

// Floats to integral values, in the same type.
template <typename T = DefaultType, RoundMode roundMode = RoundMode::CAST_NONE,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename S>
ASCENDC_TWIN_INLINE void Truncate(S& dstReg, S& srcReg, MaskReg& mask) {
  using E = twin::vf::Element<S, T>;
  static_assert(twin::vf::kIsFloating<E>, "Truncate: half, bfloat16_t or float");
  twin::vf::MapElements<mode>(
      [](float value) { return twin::vf::IntegralRounded<twin::vf::LossyMode(roundMode)>(value); },
      mask, dstReg, srcReg);
}

}  // namespace Reg

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_CAST_H_
