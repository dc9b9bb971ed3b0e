// Reductions: ReduceSum, ReduceMax, ReduceMin over a tensor; per repeat ReduceRepeat (older:
// WholeReduce*, RepeatReduceSum), per data block ReduceDataBlock (BlockReduce*), per pair
// ReducePairElem (PairReduceSum).
//
// The arithmetic is in reduce_sum.h and reduce_extreme.h. An index is stored as an unsigned integer
// in the bits of T. A mask, count or repeatTime of 0 does nothing (950 leaves that open), and where
// every lane that would make a result is masked, dst stays; on 950 the results of data blocks and
// pairs are then 0 or infinite.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_REDUCE_H_
#define CC_ASCENDC_MEMBASE_VECTOR_REDUCE_H_

#include "cc/ascendc/membase/local_tensor.h"
#include "cc/ascendc/membase/vector/reduce_extreme.h"
#include "cc/ascendc/membase/vector/reduce_sum.h"

ASCENDC_TWIN_BEGIN

namespace twin {

template <typename T>
constexpr bool kReducible = kIsOneOf<T, half, float>;

// A public mask argument: int32_t lanes, or a pointer to bits.
ASCENDC_TWIN_INLINE uint64_t MaskArgument(int32_t mask) {
  return mask > 0 ? static_cast<uint64_t>(mask) : 0;
}
ASCENDC_TWIN_INLINE const uint64_t* MaskArgument(const uint64_t* mask) { return mask; }

template <typename T>
ASCENDC_TWIN_INLINE Operand<T> ReduceSource(const LocalTensor<T>& src, int32_t block_stride,
                                            int32_t repeat_stride) {
  return {src.Data(), static_cast<uint32_t>(block_stride), static_cast<uint32_t>(repeat_stride)};
}

ASCENDC_TWIN_INLINE uint32_t Repeats(int32_t repeats) {
  return repeats > 0 ? static_cast<uint32_t>(repeats) : 0;
}

// Writes value and index in `order`; `slot` counts results of that order.
template <typename T>
void StoreExtreme(T* dst, size_t slot, const Extreme<T>& found, ReduceOrder order) {
  auto* out = Stored(dst);
  const auto value = Lane<T>::Store(found.value);
  Bits<T> index_bits = static_cast<Bits<T>>(found.index);
  typename Lane<T>::Storage index;
  __builtin_memcpy(&index, &index_bits, sizeof(index));
  switch (order) {
    case ReduceOrder::ORDER_VALUE_INDEX:
      out[2 * slot] = value;
      out[2 * slot + 1] = index;
      return;
    case ReduceOrder::ORDER_INDEX_VALUE:
      out[2 * slot] = index;
      out[2 * slot + 1] = value;
      return;
    case ReduceOrder::ORDER_ONLY_VALUE:
      out[slot] = value;
      return;
    case ReduceOrder::ORDER_ONLY_INDEX:  // four bytes for every T
      __builtin_memcpy(reinterpret_cast<uint8_t*>(dst) + 4 * slot, &found.index, 4);
      return;
  }
}

template <ReduceType type, bool isSetMask, typename T, typename Mask>
void RepeatReduction(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask mask,
                     int32_t repeats, int32_t dst_stride, int32_t block_stride,
                     int32_t repeat_stride, ReduceOrder order) {
  static_assert(kReducible<T>, "reductions exist for half and float");
  const RepeatPlan plan =
      PlanRepeats<isSetMask>(MaskArgument(mask), Repeats(repeats), kRepeatLanes<T>);
  const Operand<T> in = ReduceSource(src, block_stride, repeat_stride);
  if constexpr (type == ReduceType::SUM) {
    SumRepeats(dst.Data(), static_cast<uint32_t>(dst_stride), in, plan);
  } else {
    VectorState& state = State().vector;
    using Key = ExtremeKey<T, type == ReduceType::MAX>;
    auto best = Key::kNone;
    ForEachExtreme<T, type == ReduceType::MAX>(
        in, plan, [&](uint32_t repeat, const Extreme<T>& found) {
          StoreExtreme(dst.Data(), size_t{repeat} * static_cast<uint32_t>(dst_stride), found,
                       order);
          if (repeat == 0 || Key::Of(found.value) > best) {
            best = Key::Of(found.value);
            state.repeat_extreme = found.value;
            state.repeat_extreme_index = found.index;
          }
        });
  }
}

template <ReduceType type, bool isSetMask, typename T, typename Mask>
void BlockReduction(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask mask,
                    int32_t repeats, int32_t dst_stride, int32_t block_stride,
                    int32_t repeat_stride) {
  static_assert(kReducible<T>, "reductions exist for half and float");
  const RepeatPlan plan =
      PlanRepeats<isSetMask>(MaskArgument(mask), Repeats(repeats), kRepeatLanes<T>);
  const Operand<T> in = ReduceSource(src, block_stride, repeat_stride);
  if constexpr (type == ReduceType::SUM) {
    SumBlocks(dst.Data(), static_cast<uint32_t>(dst_stride), in, plan);
  } else {
    ExtremeBlocks<T, type == ReduceType::MAX>(dst.Data(), static_cast<uint32_t>(dst_stride), in,
                                              plan);
  }
}

template <bool isSetMask, typename T, typename Mask>
void PairReduction(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask mask, int32_t repeats,
                   int32_t dst_stride, int32_t block_stride, int32_t repeat_stride) {
  static_assert(kReducible<T>, "reductions exist for half and float");
  const RepeatPlan plan =
      PlanRepeats<isSetMask>(MaskArgument(mask), Repeats(repeats), kRepeatLanes<T>);
  SumPairs(dst.Data(), static_cast<uint32_t>(dst_stride),
           ReduceSource(src, block_stride, repeat_stride), plan);
}

template <typename T>
void StoreWholeExtreme(const LocalTensor<T>& dst, const Extreme<T>& found, bool with_index) {
  VectorState& state = State().vector;
  state.repeat_extreme = found.value;
  state.repeat_extreme_index = found.index;
  StoreExtreme(dst.Data(), 0, found,
               with_index ? ReduceOrder::ORDER_VALUE_INDEX : ReduceOrder::ORDER_ONLY_VALUE);
}

template <bool kMax, typename T, typename Mask>
void ExtremeOfRepeats(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask mask,
                      int32_t repeats, int32_t repeat_stride, bool with_index) {
  static_assert(kReducible<T>, "reductions exist for half and float");
  const RepeatPlan plan = PlanRepeats<true>(MaskArgument(mask), Repeats(repeats), kRepeatLanes<T>);
  Extreme<T> found;
  if (FindExtremeOfRepeats<T, kMax>(ReduceSource(src, 1, repeat_stride), plan, &found)) {
    StoreWholeExtreme(dst, found, with_index);
  }
}

template <bool kMax, typename T>
void ExtremeOfCount(const LocalTensor<T>& dst, const LocalTensor<T>& src, int32_t count,
                    bool with_index) {
  static_assert(kReducible<T>, "reductions exist for half and float");
  if (count > 0) {
    StoreWholeExtreme(dst, FindExtreme<T, kMax>(src.Data(), static_cast<size_t>(count)),
                      with_index);
  }
}

template <typename T, typename Mask>
void SumOfRepeats(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& work,
                  Mask mask, int32_t repeats, int32_t repeat_stride) {
  static_assert(kReducible<T>, "reductions exist for half and float");
  const RepeatPlan plan = PlanRepeats<true>(MaskArgument(mask), Repeats(repeats), kRepeatLanes<T>);
  if (AllRepeats(plan) != 0) {
    SumByTree(dst.Data(), work.Data(), ReduceSource(src, 1, repeat_stride), plan);
  }
}

}  // namespace twin

// dst[0] = sum of count elements, the repeats' sums added in order; 950: SumOfCount, with a sum for
// each repeat in sharedTmpBuffer meanwhile. With isSetMask false the count comes from SetVectorMask
// in counter mode.
template <typename T, bool isSetMask = true>
void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
               const LocalTensor<T>& sharedTmpBuffer, const int32_t count) {
  static_assert(twin::kReducible<T>, "reductions exist for half and float");
  (void)sharedTmpBuffer;
  const int64_t elements = isSetMask ? count : static_cast<int64_t>(twin::State().vector.mask_low);
  if (elements > 0) {
    float sum;
    if constexpr (twin::kIsArch35) {
      sum = twin::SumOfCount(static_cast<const T*>(src.Data()), sharedTmpBuffer.Data(),
                             static_cast<size_t>(elements));
    } else {
      sum = twin::SumSequential(static_cast<const T*>(src.Data()), static_cast<size_t>(elements));
    }
    *twin::Stored(dst.Data()) = twin::Lane<T>::Store(sum);
    twin::State().vector.repeat_sum = sum;
  }
}

// dst[0] = sum over the masked repeats, by the tree throughout; sharedTmpBuffer holds one sum per
// repeat meanwhile.
template <typename T>
void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
               const LocalTensor<T>& sharedTmpBuffer, const int32_t mask, const int32_t repeatTime,
               const int32_t srcRepStride) {
  twin::SumOfRepeats(dst, src, sharedTmpBuffer, mask, repeatTime, srcRepStride);
}
template <typename T>
void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
               const LocalTensor<T>& sharedTmpBuffer, const uint64_t mask[],
               const int32_t repeatTime, const int32_t srcRepStride) {
  twin::SumOfRepeats(dst, src, sharedTmpBuffer, mask, repeatTime, srcRepStride);
}

// dst[0] = the largest (smallest) element; with calIndex dst[1] = its index. sharedTmpBuffer is not
// used.
#define ASCENDC_TWIN_EXTREME(Name, kMax)                                                         \
  template <typename T>                                                                          \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                                \
            const LocalTensor<T>& sharedTmpBuffer, const int32_t mask, const int32_t repeatTime, \
            const int32_t srcRepStride, bool calIndex = 0) {                                     \
    (void)sharedTmpBuffer;                                                                       \
    twin::ExtremeOfRepeats<kMax>(dst, src, mask, repeatTime, srcRepStride, calIndex);            \
  }                                                                                              \
  template <typename T>                                                                          \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                                \
            const LocalTensor<T>& sharedTmpBuffer, const uint64_t mask[],                        \
            const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = 0) {           \
    (void)sharedTmpBuffer;                                                                       \
    twin::ExtremeOfRepeats<kMax>(dst, src, mask, repeatTime, srcRepStride, calIndex);            \
  }                                                                                              \
  template <typename T>                                                                          \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                                \
            const LocalTensor<T>& sharedTmpBuffer, const int32_t count, bool calIndex = 0) {     \
    (void)sharedTmpBuffer;                                                                       \
    twin::ExtremeOfCount<kMax>(dst, src, count, calIndex);                                       \
  }

ASCENDC_TWIN_EXTREME(ReduceMax, true)
ASCENDC_TWIN_EXTREME(ReduceMin, false)

// One result per repeat. dstRepStride counts results: T for a sum or a value, two T with an index,
// 4 bytes for the index alone.
template <ReduceType reduceType, typename T, typename U = T, bool isSetMask = true>
void ReduceRepeat(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t mask,
                  const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                  const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {
  twin::RepeatReduction<reduceType, isSetMask>(dst, src, mask, repeatTime, dstRepStride,
                                               srcBlkStride, srcRepStride, order);
}
template <ReduceType reduceType, typename T, typename U = T, bool isSetMask = true>
void ReduceRepeat(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint64_t mask[],
                  const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                  const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {
  twin::RepeatReduction<reduceType, isSetMask>(dst, src, mask, repeatTime, dstRepStride,
                                               srcBlkStride, srcRepStride, order);
}

// Eight results per repeat, one for each data block; dstRepStride counts eight elements.
template <ReduceType reduceType, typename T, typename U = T, bool isSetMask = true>
void ReduceDataBlock(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t mask,
                     const int32_t repeatTime, const int32_t dstRepStride,
                     const int32_t srcBlkStride, const int32_t srcRepStride) {
  twin::BlockReduction<reduceType, isSetMask>(dst, src, mask, repeatTime, dstRepStride,
                                              srcBlkStride, srcRepStride);
}
template <ReduceType reduceType, typename T, typename U = T, bool isSetMask = true>
void ReduceDataBlock(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint64_t mask[],
                     const int32_t repeatTime, const int32_t dstRepStride,
                     const int32_t srcBlkStride, const int32_t srcRepStride) {
  twin::BlockReduction<reduceType, isSetMask>(dst, src, mask, repeatTime, dstRepStride,
                                              srcBlkStride, srcRepStride);
}

// Half as many results as elements; dstRepStride counts 128 bytes.
template <ReduceType reduceType, typename T, typename U = T, bool isSetMask = true>
void ReducePairElem(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t mask,
                    const int32_t repeatTime, const int32_t dstRepStride,
                    const int32_t srcBlkStride, const int32_t srcRepStride) {
  static_assert(reduceType == ReduceType::SUM, "pairs are only summed");
  twin::PairReduction<isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride,
                                 srcRepStride);
}
template <ReduceType reduceType, typename T, typename U = T, bool isSetMask = true>
void ReducePairElem(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint64_t mask[],
                    const int32_t repeatTime, const int32_t dstRepStride,
                    const int32_t srcBlkStride, const int32_t srcRepStride) {
  static_assert(reduceType == ReduceType::SUM, "pairs are only summed");
  twin::PairReduction<isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride,
                                 srcRepStride);
}

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_REDUCE_H_
