// Masks: made from a pattern or a count, combined and rearranged. load.h and store.h move them
// between UB and MaskReg, compare.h makes them from values.
#ifndef CC_ASCENDC_REG_MASK_H_
#define CC_ASCENDC_REG_MASK_H_

#include "cc/ascendc/reg/vector_access.h"

ASCENDC_TWIN_REG_BEGIN

namespace twin::vf {

// How many elements, from the lowest on, a pattern has; or all, of which it then takes every
// `PatternStep`th.
template <typename T>
constexpr uint32_t PatternCount(Reg::MaskPattern pattern) {
  using Reg::MaskPattern;
  constexpr uint32_t kAll = kRegLanes<T>;
  constexpr uint32_t kCounts[] = {kAll, 1,   2,    3,    4,        8,        16,   32,
                                  64,   128, kAll, kAll, kAll / 2, kAll / 4, kAll, 0};
  const uint32_t count = kCounts[static_cast<uint32_t>(pattern)];
  return count < kAll ? count : kAll;
}
constexpr uint32_t PatternStep(Reg::MaskPattern pattern) {
  return pattern == Reg::MaskPattern::M3 ? 3 : pattern == Reg::MaskPattern::M4 ? 4 : 1;
}

template <typename T, Reg::MaskPattern kPattern, size_t... kIndex>
ASCENDC_TWIN_INLINE Reg::MaskReg PatternMask(std::index_sequence<kIndex...>) {
  using Lanes = RegBits<T>;
  constexpr uint32_t kCount = PatternCount<T>(kPattern);
  constexpr uint32_t kStep = PatternStep(kPattern);
  Reg::MaskReg mask;
  mask.bits = BitCast<Vector<uint8_t, kRegBytes>>(
      Lanes{(kIndex < kCount && kIndex % kStep == 0 ? Bits<T>{1} : Bits<T>{0})...});
  return mask;
}

// The lowest `count` elements.
template <typename T>
ASCENDC_TWIN_INLINE Reg::MaskReg LeadingMask(uint32_t count) {
  constexpr uint32_t kLanes = kRegLanes<T>;
  const uint32_t held = count < kLanes ? count : kLanes;
  Truth<RegVector<T>> active;
  if constexpr (sizeof(T) == 1) {  // 256 is no uint8_t, so compare with the last element
    const Vector<uint8_t, kLanes> last = Splat<kLanes>(static_cast<uint8_t>(held - 1u));
    const Vector<uint8_t, kLanes> any = Splat<kLanes>(static_cast<uint8_t>(held != 0 ? 0xFF : 0));
    active = BitCast<Truth<RegVector<T>>>((Iota<uint8_t, kLanes>() <= last) &
                                          BitCast<Truth<RegVector<uint8_t>>>(any));
  } else {
    active = BitCast<Truth<RegVector<T>>>(Iota<Bits<T>, kLanes>() <
                                          Splat<kLanes>(static_cast<Bits<T>>(held)));
  }
  return MaskOf<T>(active);
}

}  // namespace twin::vf

namespace Reg {

template <typename T, MaskPattern mode = MaskPattern::ALL,
          const RegTrait& regTrait = RegTraitNumOne>
ASCENDC_TWIN_INLINE MaskReg CreateMask() {
  twin::vf::Operation<T>("CreateMask");
  return twin::vf::PatternMask<T, mode>(std::make_index_sequence<twin::vf::kRegLanes<T>>());
}

// The lowest scalarValue elements; takes the elements of one register off scalarValue.
template <typename T, const RegTrait& regTrait = RegTraitNumOne>
ASCENDC_TWIN_INLINE MaskReg UpdateMask(uint32_t& scalarValue) {
  twin::vf::Operation<T>("UpdateMask");
  constexpr uint32_t kLanes = twin::vf::kRegLanes<T>;
  const MaskReg mask = twin::vf::LeadingMask<T>(scalarValue);
  scalarValue = scalarValue < kLanes ? 0 : scalarValue - kLanes;
  return mask;
}

// Bit operations; bits that `mask` leaves out become 0.
ASCENDC_TWIN_INLINE void Not(MaskReg& dst, MaskReg& src, MaskReg& mask) {
  twin::vf::Operation<MaskReg>("MaskNot");
  dst.bits = (src.bits ^ 1) & mask.bits;
}
ASCENDC_TWIN_INLINE void And(MaskReg& dst, MaskReg& src0, MaskReg& src1, MaskReg& mask) {
  twin::vf::Operation<MaskReg>("MaskAnd");
  dst.bits = src0.bits & src1.bits & mask.bits;
}
ASCENDC_TWIN_INLINE void Or(MaskReg& dst, MaskReg& src0, MaskReg& src1, MaskReg& mask) {
  twin::vf::Operation<MaskReg>("MaskOr");
  dst.bits = (src0.bits | src1.bits) & mask.bits;
}
ASCENDC_TWIN_INLINE void Xor(MaskReg& dst, MaskReg& src0, MaskReg& src1, MaskReg& mask) {
  twin::vf::Operation<MaskReg>("MaskXor");
  dst.bits = (src0.bits ^ src1.bits) & mask.bits;
}
ASCENDC_TWIN_INLINE void Move(MaskReg& dst, MaskReg& src, MaskReg& mask) {
  twin::vf::Operation<MaskReg>("MaskMove");
  dst.bits = src.bits & mask.bits;
}
ASCENDC_TWIN_INLINE void Move(MaskReg& dst, MaskReg& src) {
  twin::vf::Operation<MaskReg>("MaskMove");
  dst.bits = src.bits;
}
// Bits of src0 where mask is set, else of src1.
ASCENDC_TWIN_INLINE void Select(MaskReg& dst, MaskReg& src0, MaskReg& src1, MaskReg& mask) {
  twin::vf::Operation<MaskReg>("MaskSelect");
  dst.bits = (src0.bits & mask.bits) | (src1.bits & (mask.bits ^ 1));
}

// dst0: the lower halves of src0 and src1 in turn, dst1: the upper ones, by elements of T.
template <typename T>
ASCENDC_TWIN_INLINE void Interleave(MaskReg& dst0, MaskReg& dst1, MaskReg& src0, MaskReg& src1) {
  twin::vf::Operation<MaskReg>("MaskInterleave");
  using Lanes = twin::vf::RegBits<T>;
  using Bytes = twin::vf::Vector<uint8_t, twin::vf::kRegBytes>;
  const Lanes even = twin::vf::BitCast<Lanes>(src0.bits);
  const Lanes odd = twin::vf::BitCast<Lanes>(src1.bits);
  dst0.bits = twin::vf::BitCast<Bytes>(twin::vf::Zipped<0>(even, odd));
  dst1.bits = twin::vf::BitCast<Bytes>(twin::vf::Zipped<twin::vf::kRegLanes<T> / 2>(even, odd));
}
// dst0: the even elements of src0 and then of src1, dst1: the odd ones.
template <typename T>
ASCENDC_TWIN_INLINE void DeInterleave(MaskReg& dst0, MaskReg& dst1, MaskReg& src0, MaskReg& src1) {
  twin::vf::Operation<MaskReg>("MaskDeInterleave");
  using Lanes = twin::vf::RegBits<T>;
  using Bytes = twin::vf::Vector<uint8_t, twin::vf::kRegBytes>;
  const Lanes low = twin::vf::BitCast<Lanes>(src0.bits);
  const Lanes high = twin::vf::BitCast<Lanes>(src1.bits);
  constexpr uint32_t kLanes = twin::vf::kRegLanes<T>;
  dst0.bits = twin::vf::BitCast<Bytes>(twin::vf::Strided<kLanes, 0, 2>(low, high));
  dst1.bits = twin::vf::BitCast<Bytes>(twin::vf::Strided<kLanes, 1, 2>(low, high));
}

// The even bits of src, in the lower or upper half of dst; the other half is 0.
template <HighLowPart part = HighLowPart::LOWEST>
ASCENDC_TWIN_INLINE void Pack(MaskReg& dst, MaskReg& src) {
  twin::vf::Operation<MaskReg>("MaskPack");
  const twin::vf::Vector<uint8_t, twin::vf::kRegBytes> none = {};
  dst.bits = part == HighLowPart::LOWEST
                 ? twin::vf::Strided<twin::vf::kRegBytes, 0, 2>(src.bits, none)
                 : twin::vf::Strided<twin::vf::kRegBytes, 0, 2>(none, src.bits);
}
// The lower or upper half of src, a 0 after each bit.
template <HighLowPart part = HighLowPart::LOWEST>
ASCENDC_TWIN_INLINE void UnPack(MaskReg& dst, MaskReg& src) {
  twin::vf::Operation<MaskReg>("MaskUnPack");
  const twin::vf::Vector<uint8_t, twin::vf::kRegBytes> none = {};
  constexpr uint32_t kBegin = part == HighLowPart::LOWEST ? 0 : twin::vf::kRegBytes / 2;
  dst.bits = twin::vf::Zipped<kBegin>(src.bits, none);
}

// The names before CANN 9.
ASCENDC_TWIN_INLINE void MaskNot(MaskReg& dst, MaskReg& src, MaskReg& mask) { Not(dst, src, mask); }
ASCENDC_TWIN_INLINE void MaskAnd(MaskReg& dst, MaskReg& src0, MaskReg& src1, MaskReg& mask) {
  And(dst, src0, src1, mask);
}
ASCENDC_TWIN_INLINE void MaskOr(MaskReg& dst, MaskReg& src0, MaskReg& src1, MaskReg& mask) {
  Or(dst, src0, src1, mask);
}
ASCENDC_TWIN_INLINE void MaskXor(MaskReg& dst, MaskReg& src0, MaskReg& src1, MaskReg& mask) {
  Xor(dst, src0, src1, mask);
}
ASCENDC_TWIN_INLINE void MaskMov(MaskReg& dst, MaskReg& src, MaskReg& mask) {
  Move(dst, src, mask);
}
ASCENDC_TWIN_INLINE void MaskMov(MaskReg& dst, MaskReg& src) { Move(dst, src); }
ASCENDC_TWIN_INLINE void MaskSel(MaskReg& dst, MaskReg& src0, MaskReg& src1, MaskReg& mask) {
  Select(dst, src0, src1, mask);
}
template <typename T>
ASCENDC_TWIN_INLINE void MaskInterleave(MaskReg& dst0, MaskReg& dst1, MaskReg& src0,
                                        MaskReg& src1) {
  Interleave<T>(dst0, dst1, src0, src1);
}
template <typename T>
ASCENDC_TWIN_INLINE void MaskDeInterleave(MaskReg& dst0, MaskReg& dst1, MaskReg& src0,
                                          MaskReg& src1) {
  DeInterleave<T>(dst0, dst1, src0, src1);
}
template <HighLowPart part = HighLowPart::LOWEST>
ASCENDC_TWIN_INLINE void MaskPack(MaskReg& dst, MaskReg& src) {
  Pack<part>(dst, src);
}
template <HighLowPart part = HighLowPart::LOWEST>
ASCENDC_TWIN_INLINE void MaskUnPack(MaskReg& dst, MaskReg& src) {
  UnPack<part>(dst, src);
}

}  // namespace Reg

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_MASK_H_
