// Reductions of a register: Reduce, ReduceDataBlock and PairReduceElem, and their names before CANN
// 9.
//
// Sums are binary trees of adjacent elements, ((x0+x1)+(x2+x3))+..., each node rounded to the
// element type; an element that the mask leaves out counts as 0. Extremes: -0 below +0, a NaN wins,
// and of equal elements the first; elements left out do not take part, and where none does the
// result is the type's lowest (Min: highest) value, infinite for floats. What an instruction does
// not write becomes 0.
#ifndef CC_ASCENDC_REG_REDUCE_H_
#define CC_ASCENDC_REG_REDUCE_H_

#include "cc/ascendc/reg/order.h"
#include "cc/ascendc/reg/vector_access.h"

ASCENDC_TWIN_REG_BEGIN

namespace twin::vf {

template <typename T, uint32_t kLanes>
ASCENDC_TWIN_INLINE ComputeVector<T, kLanes> Rounded(ComputeVector<T, kLanes> value) {
  return Widened<T, kLanes>(Narrowed<T, kLanes>(value));
}

// Levels of the tree of sums until kGroups of them are left.
template <typename T, uint32_t kGroups, uint32_t kLanes>
ASCENDC_TWIN_INLINE ComputeVector<T, kGroups> TreeSums(ComputeVector<T, kLanes> value) {
  if constexpr (kLanes == kGroups) {
    return value;
  } else {
    const ComputeVector<T, kLanes / 2> pairs =
        Strided<kLanes / 2, 0, 2>(value, value) + Strided<kLanes / 2, 1, 2>(value, value);
    return TreeSums<T, kGroups, kLanes / 2>(Rounded<T, kLanes / 2>(pairs));
  }
}

// In each 16 bytes, the sums of a's two pairs of neighbours, then of b's: cheap where hosts shuffle
// within 16 bytes only.
template <size_t... kIndex>
ASCENDC_TWIN_INLINE Vector<float, 16> PairSumsOf(Vector<float, 16> a, Vector<float, 16> b,
                                                 std::index_sequence<kIndex...>) {
  const auto even = __builtin_shufflevector(
      a, b, (kIndex / 4 * 4 + kIndex % 2 * 2 + (kIndex % 4 < 2 ? 0 : 16))...);
  const auto odd = __builtin_shufflevector(
      a, b, (kIndex / 4 * 4 + kIndex % 2 * 2 + 1 + (kIndex % 4 < 2 ? 0 : 16))...);
  return even + odd;
}
ASCENDC_TWIN_INLINE Vector<float, 16> PairSums(Vector<float, 16> a, Vector<float, 16> b) {
  return PairSumsOf(a, b, std::make_index_sequence<16>());
}

// The tree's root for floats: TreeSums keeps the order of the elements at every level, which costs
// shuffles across the whole host register; only the pairs matter.
ASCENDC_TWIN_INLINE float TreeSum(Vector<float, 64> value) {
  const auto first_half =
      PairSums(Strided<16, 0, 1>(value, value), Strided<16, 16, 1>(value, value));
  const auto last_half =
      PairSums(Strided<16, 32, 1>(value, value), Strided<16, 48, 1>(value, value));
  // Element 4 * j + k: the sum of elements 16 * k + 4 * j to 16 * k + 4 * j + 3.
  const Vector<float, 16> fours = PairSums(first_half, last_half);
  const Vector<float, 16> eights =
      fours +
      __builtin_shufflevector(fours, fours, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11);
  const Vector<float, 4> sixteens =
      Strided<4, 0, 1>(eights, eights) + Strided<4, 8, 1>(eights, eights);
  return (sixteens[0] + sixteens[1]) + (sixteens[2] + sixteens[3]);
}

// The elements of V that the mask has, as elements of S to add up; 0 for the others.
template <typename S, typename V>
ASCENDC_TWIN_INLINE ComputeVector<S, kRegLanes<V>> Summands(const Reg::RegTensor<V>& source,
                                                            const Reg::MaskReg& mask) {
  const RegVector<V> present = ActiveLanes<V>(mask) ? Loose(source) : RegVector<V>{};
  if constexpr (std::is_same<S, V>::value) {
    return Widened<V, kRegLanes<V>>(present);
  } else {
    return __builtin_convertvector(present, ComputeVector<S, kRegLanes<V>>);
  }
}

// kLanes values, then zeros.
template <typename T, uint32_t kLanes, size_t... kIndex>
ASCENDC_TWIN_INLINE RegVector<T> LowElementsOf(Vector<typename HostLane<T>::Type, kLanes> value,
                                               std::index_sequence<kIndex...>) {
  const Vector<typename HostLane<T>::Type, kLanes> none = {};
  return __builtin_shufflevector(value, none, (kIndex < kLanes ? kIndex : kLanes)...);
}
template <typename T, uint32_t kLanes>
ASCENDC_TWIN_INLINE RegVector<T> LowElements(Vector<typename HostLane<T>::Type, kLanes> value) {
  return LowElementsOf<T, kLanes>(value, std::make_index_sequence<kRegLanes<T>>());
}

template <typename S, typename V>
constexpr bool kSummable =
    (std::is_same<S, V>::value && kIsOneOf<S, half, int32_t, uint32_t, float, int64_t, uint64_t>) ||
    (kIsOneOf<S, int32_t> && kIsOneOf<V, int16_t>) ||
    (kIsOneOf<S, uint32_t> && kIsOneOf<V, uint16_t>);

template <uint32_t kGroups, typename S, typename V>
ASCENDC_TWIN_INLINE void SumGroups(Reg::RegTensor<S>& dst, const Reg::RegTensor<V>& src,
                                   const Reg::MaskReg& mask) {
  static_assert(kSummable<S, V>, "sum: this pair of types does not exist");
  if constexpr (kGroups == 1 && std::is_same<S, float>::value) {
    Assign(dst, LowElements<float, 1>(Vector<float, 1>{TreeSum(Summands<float>(src, mask))}), true);
  } else {
    const ComputeVector<S, kGroups> sums =
        TreeSums<S, kGroups, kRegLanes<V>>(Summands<S>(src, mask));
    Assign(dst, LowElements<S, kGroups>(Narrowed<S, kGroups>(sums)), kLooseNan<S>);
  }
}

// Integers that order elements like Max (kMax) or the other way round like Min: the winner has the
// largest.
template <typename T, bool kMax>
ASCENDC_TWIN_INLINE auto ExtremeKeys(RegVector<T> value) {
  if constexpr (kIsFloating<T>) {
    using Int = std::conditional_t<sizeof(T) == 4, int32_t, int16_t>;
    using Key = Vector<Int, kRegLanes<T>>;
    constexpr Int kNoSign = static_cast<Int>(~(Bits<T>{1} << (8 * sizeof(T) - 1)));
    constexpr Int kInfinity =
        sizeof(T) == 4 ? static_cast<Int>(0x7F800000) : static_cast<Int>(kInfinityBits<T>);
    const Key bits = BitCast<Key>(value);
    const Key up = bits ^ ((bits >> (8 * sizeof(T) - 1)) & kNoSign);
    const Key key = kMax ? up : ~up;
    return (bits & kNoSign) > kInfinity ? Splat<kRegLanes<T>>(kNoSign) : key;
  } else {
    return kMax ? value : ~value;
  }
}

// What Max (Min) gives where no element takes part.
template <typename T, bool kMax>
constexpr Bits<T> NoElement() {
  if constexpr (kIsFloating<T>) {
    const Bits<T> infinity =
        sizeof(T) == 4 ? static_cast<Bits<T>>(0x7F800000u) : static_cast<Bits<T>>(kInfinityBits<T>);
    return kMax ? static_cast<Bits<T>>(infinity | (Bits<T>{1} << (8 * sizeof(T) - 1))) : infinity;
  } else {
    constexpr Bits<T> kLowest =
        std::is_signed<T>::value ? static_cast<Bits<T>>(Bits<T>{1} << (8 * sizeof(T) - 1)) : 0;
    return kMax ? kLowest : static_cast<Bits<T>>(~kLowest);
  }
}

template <typename T>
constexpr bool kHasExtremes =
    kIsOneOf<T, int16_t, uint16_t, half, int32_t, uint32_t, float, int64_t, uint64_t>;

template <typename T, bool kMax>
ASCENDC_TWIN_INLINE RegVector<T> PresentForExtreme(const Reg::RegTensor<T>& src,
                                                   Truth<RegVector<T>> active) {
  const RegBits<T> absent = Splat<kRegLanes<T>>(NoElement<T, kMax>());
  return active ? Loose(src) : BitCast<RegVector<T>>(absent);
}

// dst[0]: the extreme, dst[1]: the bits of its index.
template <bool kMax, typename T>
ASCENDC_TWIN_INLINE void FindExtremeElement(Reg::RegTensor<T>& dst, const Reg::RegTensor<T>& src,
                                            const Reg::MaskReg& mask) {
  static_assert(kHasExtremes<T>, "extreme: element type without this instruction");
  constexpr uint32_t kLanes = kRegLanes<T>;
  const Truth<RegVector<T>> active = ActiveLanes<T>(mask);
  const RegVector<T> value = PresentForExtreme<T, kMax>(src, active);
  const auto keys = ExtremeKeys<T, kMax>(value);
  const auto best = __builtin_reduce_max(keys);
  const auto winners = BitCast<Truth<RegVector<T>>>(keys == Splat<kLanes>(best)) & active;
  const RegBits<T> nowhere = Splat<kLanes>(static_cast<Bits<T>>(kLanes));
  const RegBits<T> places = winners ? Iota<Bits<T>, kLanes>() : nowhere;
  const Bits<T> first = __builtin_reduce_min(places);
  // The key gives the value back; a NaN's is that of the twin.
  using Key = std::remove_cv_t<decltype(best)>;
  Bits<T> bits = static_cast<Bits<T>>(kMax ? best : static_cast<Key>(~best));
  if constexpr (kIsFloating<T>) {
    constexpr Key kNoSign = static_cast<Key>(~(Bits<T>{1} << (8 * sizeof(T) - 1)));
    const Key up = kMax ? best : static_cast<Key>(~best);
    bits = best == kNoSign ? (sizeof(T) == 4 ? static_cast<Bits<T>>(0x7FC00000u)
                                             : static_cast<Bits<T>>(kNanBits<T>))
                           : static_cast<Bits<T>>(up < 0 ? up ^ kNoSign : up);
  }
  RegBits<T> result = {};
  result[0] = bits;
  result[1] = first == kLanes ? 0 : first;
  Assign(dst, BitCast<RegVector<T>>(result), false);
}

// Larger of element pairs, until each data block has one.
template <typename T, bool kMax>
ASCENDC_TWIN_INLINE void ExtremesOfBlocks(Reg::RegTensor<T>& dst, const Reg::RegTensor<T>& src,
                                          const Reg::MaskReg& mask) {
  static_assert(kHasExtremes<T> && sizeof(T) <= 4,
                "extremes of data blocks: element type without this instruction");
  constexpr uint32_t kLanes = kRegLanes<T>;
  RegVector<T> value = PresentForExtreme<T, kMax>(src, ActiveLanes<T>(mask));
  // Each step brings the pairs' extremes to the lower half; what the upper one holds is not used.
  for (uint32_t width = kLanes / 8; width > 1; width /= 2) {
    value =
        Extremum<T, kMax>(Strided<kLanes, 0, 2>(value, value), Strided<kLanes, 1, 2>(value, value));
  }
  const auto low = Strided<8, 0, 1>(value, value);
  Assign(dst, LowElements<T, 8>(low), kLooseNan<T>);
}

template <typename T>
constexpr bool kReducesByPairs = kIsOneOf<T, half, float>;

}  // namespace twin::vf

namespace Reg {

// SUM: dst[0] is the sum; also of 16-bit integers into 32-bit ones. MAX, MIN: dst[0] is the
// extreme, dst[1] its index as bits.
template <ReduceType type = ReduceType::SUM, typename T = DefaultType, typename U = DefaultType,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, typename V>
ASCENDC_TWIN_INLINE void Reduce(S& dstReg, V srcReg, MaskReg mask) {
  twin::vf::Operation<S, V>("Reduce");
  static_assert(mode == MaskMergeMode::ZEROING, "Reduce: ZEROING only");
  if constexpr (type == ReduceType::SUM) {
    twin::vf::SumGroups<1, twin::vf::Element<S, T>, twin::vf::Element<V, U>>(dstReg, srcReg, mask);
  } else {
    twin::vf::FindExtremeElement<type == ReduceType::MAX>(dstReg, srcReg, mask);
  }
}

// dst[i] for i < 8: the sum or extreme of data block i.
template <ReduceType type = ReduceType::SUM, typename T = DefaultType,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void ReduceDataBlock(U& dstReg, U srcReg, MaskReg mask) {
  twin::vf::Operation<U>("ReduceDataBlock");
  static_assert(mode == MaskMergeMode::ZEROING, "ReduceDataBlock: ZEROING only");
  using E = twin::vf::Element<U, T>;
  if constexpr (type == ReduceType::SUM) {
    twin::vf::SumGroups<8, E, E>(dstReg, srcReg, mask);
  } else {
    twin::vf::ExtremesOfBlocks<E, type == ReduceType::MAX>(dstReg, srcReg, mask);
  }
}
// SUM of 16-bit integers into 32-bit ones.
template <ReduceType type = ReduceType::SUM, typename T = DefaultType, typename U = DefaultType,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, typename V,
          std::enable_if_t<!std::is_same<S, V>::value, int> = 0>
ASCENDC_TWIN_INLINE void ReduceDataBlock(S& dstReg, V srcReg, MaskReg mask) {
  twin::vf::Operation<S, V>("ReduceDataBlock");
  static_assert(type == ReduceType::SUM && mode == MaskMergeMode::ZEROING,
                "ReduceDataBlock into another type: SUM and ZEROING only");
  twin::vf::SumGroups<8, twin::vf::Element<S, T>, twin::vf::Element<V, U>>(dstReg, srcReg, mask);
}

// dst[i] = src[2 * i] + src[2 * i + 1] in the lower half, 0 in the upper one.
template <PairReduce type = PairReduce::SUM, typename T = DefaultType,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void PairReduceElem(U& dstReg, U srcReg, MaskReg mask) {
  twin::vf::Operation<U>("PairReduceElem");
  using E = twin::vf::Element<U, T>;
  static_assert(twin::vf::kReducesByPairs<E> && mode == MaskMergeMode::ZEROING,
                "PairReduceElem: half or float, ZEROING");
  twin::vf::SumGroups<twin::vf::kRegLanes<E> / 2, E, E>(dstReg, srcReg, mask);
}

// The names before CANN 9.
template <typename T = DefaultType, typename U = DefaultType,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, typename V>
ASCENDC_TWIN_INLINE void ReduceSum(S& dstReg, V srcReg, MaskReg mask) {
  Reduce<ReduceType::SUM, T, U, mode>(dstReg, srcReg, mask);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void ReduceMax(U& dstReg, U srcReg, MaskReg mask) {
  Reduce<ReduceType::MAX, T, T, mode>(dstReg, srcReg, mask);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void ReduceMin(U& dstReg, U srcReg, MaskReg mask) {
  Reduce<ReduceType::MIN, T, T, mode>(dstReg, srcReg, mask);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void ReduceSumWithDataBlock(U& dstReg, U srcReg, MaskReg mask) {
  ReduceDataBlock<ReduceType::SUM, T, mode>(dstReg, srcReg, mask);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void ReduceMaxWithDataBlock(U& dstReg, U srcReg, MaskReg mask) {
  ReduceDataBlock<ReduceType::MAX, T, mode>(dstReg, srcReg, mask);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void ReduceMinWithDataBlock(U& dstReg, U srcReg, MaskReg mask) {
  ReduceDataBlock<ReduceType::MIN, T, mode>(dstReg, srcReg, mask);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
ASCENDC_TWIN_INLINE void PairReduceSum(U& dstReg, U srcReg, MaskReg mask) {
  PairReduceElem<PairReduce::SUM, T, mode>(dstReg, srcReg, mask);
}

}  // namespace Reg

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_REDUCE_H_
