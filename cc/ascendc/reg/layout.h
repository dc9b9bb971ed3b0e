// Where elements of different sizes meet in registers: an instruction works on as many as the wide
// type has, and the narrow ones lie in the wide ones' places, in the half or quarter that a
// RegLayout names.
#ifndef CC_ASCENDC_REG_LAYOUT_H_
#define CC_ASCENDC_REG_LAYOUT_H_

#include "cc/ascendc/reg/registers.h"

ASCENDC_TWIN_REG_BEGIN

namespace twin::vf {

// The bits that the place of narrow elements lies above the lowest of a wide one.
template <typename Narrow>
constexpr uint32_t LayoutShift(Reg::RegLayout layout) {
  return layout == Reg::RegLayout::UNKNOWN
             ? 0
             : static_cast<uint32_t>(layout) * 8 * static_cast<uint32_t>(sizeof(Narrow));
}

// As many narrow elements as there are of Wide.
template <typename Narrow, typename Wide>
using NarrowVector = Vector<typename HostLane<Narrow>::Type, kRegLanes<Wide>>;

// The narrow elements in their places of Wide.
template <typename Wide, Reg::RegLayout kLayout, typename Narrow>
ASCENDC_TWIN_INLINE NarrowVector<Narrow, Wide> NarrowElements(RegVector<Narrow> source) {
  constexpr uint32_t kShift = LayoutShift<Narrow>(kLayout);
  static_assert(kShift < 8 * sizeof(Wide), "the layout is beyond the wide element");
  return BitCast<NarrowVector<Narrow, Wide>>(__builtin_convertvector(
      BitCast<RegBits<Wide>>(source) >> kShift, Vector<Bits<Narrow>, kRegLanes<Wide>>));
}

// Which of these narrow elements the mask has, as truth of the wide ones.
template <typename Wide, Reg::RegLayout kLayout, typename Narrow>
ASCENDC_TWIN_INLINE Truth<RegVector<Wide>> ActiveNarrow(const Reg::MaskReg& mask) {
  constexpr uint32_t kShift = LayoutShift<Narrow>(kLayout);
  return BitCast<Truth<RegVector<Wide>>>(((BitCast<RegBits<Wide>>(mask.bits) >> kShift) & 1) != 0);
}

// dst: the narrow elements in their places where the mask has the wide one, 0 everywhere else.
template <typename Wide, Reg::RegLayout kLayout, typename Narrow>
ASCENDC_TWIN_INLINE void AssignNarrow(Reg::RegTensor<Narrow>& dst, NarrowVector<Narrow, Wide> value,
                                      const Reg::MaskReg& mask) {
  constexpr uint32_t kShift = LayoutShift<Narrow>(kLayout);
  static_assert(kShift < 8 * sizeof(Wide), "the layout is beyond the wide element");
  const auto bits = BitCast<Vector<Bits<Narrow>, kRegLanes<Wide>>>(value);
  const RegBits<Wide> placed = __builtin_convertvector(bits, RegBits<Wide>) << kShift;
  const RegBits<Wide> kept = BitCast<RegBits<Wide>>(ActiveLanes<Wide>(mask)) & placed;
  Assign(dst, BitCast<RegVector<Narrow>>(kept), false);
}

}  // namespace twin::vf

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_LAYOUT_H_
