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

#include "cc/ascendc/membase/instruct.h"
#include "cc/ascendc/membase/local_tensor.h"
#include "cc/ascendc/membase/place.h"
#include "cc/ascendc/membase/vector/reduce_describe.h"
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

template <bool kMax, typename T>
void ExtremeRepeats(T* dst, uint32_t dst_stride, const Operand<T>& src, const RepeatPlan& plan,
                    ReduceOrder order) {
  VectorState& state = State().vector;
  using Key = ExtremeKey<T, kMax>;
  auto best = Key::kNone;
  ForEachExtreme<T, kMax>(src, plan, [&](uint32_t repeat, const Extreme<T>& found) {
    StoreExtreme(dst, size_t{repeat} * dst_stride, found, order);
    if (repeat == 0 || Key::Of(found.value) > best) {
      best = Key::Of(found.value);
      state.repeat_extreme = found.value;
      state.repeat_extreme_index = found.index;
    }
  });
}

template <typename T>
void StoreWholeExtreme(T* dst, const Extreme<T>& found, bool with_index) {
  VectorState& state = State().vector;
  state.repeat_extreme = found.value;
  state.repeat_extreme_index = found.index;
  StoreExtreme(dst, 0, found,
               with_index ? ReduceOrder::ORDER_VALUE_INDEX : ReduceOrder::ORDER_ONLY_VALUE);
}

// ---- instructions

template <ReduceType type, bool isSetMask, typename T, typename Mask>
ASCENDC_TWIN_INLINE void RepeatReduction(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                         Mask mask_argument, int32_t repeats, int32_t stride,
                                         int32_t block_stride, int32_t repeat_stride,
                                         ReduceOrder order) {
  static_assert(kReducible<T>, "reductions exist for half and float");
  const auto mask = MaskArgument(mask_argument);
  const RepeatPlan plan = PlanRepeats<isSetMask>(mask, Repeats(repeats), kRepeatLanes<T>);
  const Operand<T> in = ReduceSource(src, block_stride, repeat_stride);
  const uint32_t dst_stride = static_cast<uint32_t>(stride);
  T* out = dst.Data();
  Instruct<kPipeV>(
      "ReduceRepeat",
      [=] {
        if constexpr (type == ReduceType::SUM) {
          SumRepeats(out, dst_stride, in, plan);
        } else {
          ExtremeRepeats<type == ReduceType::MAX>(out, dst_stride, in, plan, order);
        }
      },
      [&](auto& about) {
        DescribeReduced<isSetMask>(about, in, plan, mask, repeats);
        DescribeRepeatResults(about, out, dst_stride, ResultBytes<type, T>(order), plan);
      });
}

template <ReduceType type, bool isSetMask, typename T, typename Mask>
ASCENDC_TWIN_INLINE void BlockReduction(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                        Mask mask_argument, int32_t repeats, int32_t stride,
                                        int32_t block_stride, int32_t repeat_stride) {
  static_assert(kReducible<T>, "reductions exist for half and float");
  const auto mask = MaskArgument(mask_argument);
  const RepeatPlan plan = PlanRepeats<isSetMask>(mask, Repeats(repeats), kRepeatLanes<T>);
  const Operand<T> in = ReduceSource(src, block_stride, repeat_stride);
  const uint32_t dst_stride = static_cast<uint32_t>(stride);
  T* out = dst.Data();
  Instruct<kPipeV>(
      "ReduceDataBlock",
      [=] {
        if constexpr (type == ReduceType::SUM) {
          SumBlocks(out, dst_stride, in, plan);
        } else {
          ExtremeBlocks<T, type == ReduceType::MAX>(out, dst_stride, in, plan);
        }
      },
      [&](auto& about) {
        DescribeReduced<isSetMask>(about, in, plan, mask, repeats);
        DescribeGroupResults(about, out, dst_stride, 8, 8 * sizeof(T), plan);
      });
}

template <bool isSetMask, typename T, typename Mask>
ASCENDC_TWIN_INLINE void PairReduction(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                       Mask mask_argument, int32_t repeats, int32_t stride,
                                       int32_t block_stride, int32_t repeat_stride) {
  static_assert(kReducible<T>, "reductions exist for half and float");
  const auto mask = MaskArgument(mask_argument);
  const RepeatPlan plan = PlanRepeats<isSetMask>(mask, Repeats(repeats), kRepeatLanes<T>);
  const Operand<T> in = ReduceSource(src, block_stride, repeat_stride);
  const uint32_t dst_stride = static_cast<uint32_t>(stride);
  T* out = dst.Data();
  Instruct<kPipeV>(
      "ReducePairElem", [=] { SumPairs(out, dst_stride, in, plan); },
      [&](auto& about) {
        DescribeReduced<isSetMask>(about, in, plan, mask, repeats);
        DescribeGroupResults(about, out, dst_stride, kRepeatLanes<T> / 2, 32, plan);
      });
}

template <bool kMax, typename T, typename Mask>
ASCENDC_TWIN_INLINE void ExtremeOfRepeats(const char* name, const LocalTensor<T>& dst,
                                          const LocalTensor<T>& src, Mask mask_argument,
                                          int32_t repeats, int32_t repeat_stride, bool with_index) {
  static_assert(kReducible<T>, "reductions exist for half and float");
  const auto mask = MaskArgument(mask_argument);
  const RepeatPlan plan = PlanRepeats<true>(mask, Repeats(repeats), kRepeatLanes<T>);
  const Operand<T> in = ReduceSource(src, 1, repeat_stride);
  T* out = dst.Data();
  Instruct<kPipeV>(
      name,
      [=] {
        Extreme<T> found;
        if (FindExtremeOfRepeats<T, kMax>(in, plan, &found)) {
          StoreWholeExtreme(out, found, with_index);
        }
      },
      [&](auto& about) {
        DescribeReduced<true>(about, in, plan, mask, repeats);
        if (ElementsOf(plan) != 0) {
          DescribeWholeResult(about, out, with_index);
        }
      });
}

template <bool kMax, typename T>
ASCENDC_TWIN_INLINE void ExtremeOfCount(const char* name, const LocalTensor<T>& dst,
                                        const LocalTensor<T>& src, int32_t count, bool with_index) {
  static_assert(kReducible<T>, "reductions exist for half and float");
  if (count > 0) {
    T* out = dst.Data();
    const T* in = src.Data();
    Instruct<kPipeV>(
        name,
        [=] {
          StoreWholeExtreme(out, FindExtreme<T, kMax>(in, static_cast<size_t>(count)), with_index);
        },
        [&](auto& about) {
          about.Read("src", in, static_cast<uint64_t>(count));
          DescribeWholeResult(about, out, with_index);
          DescribeWork(about, PlanCount(static_cast<uint64_t>(count), kRepeatLanes<T>),
                       kRepeatLanes<T>);
        });
  }
}

template <typename T, typename Mask>
ASCENDC_TWIN_INLINE void SumOfRepeats(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                      const LocalTensor<T>& work, Mask mask_argument,
                                      int32_t repeats, int32_t repeat_stride) {
  static_assert(kReducible<T>, "reductions exist for half and float");
  const auto mask = MaskArgument(mask_argument);
  const RepeatPlan plan = PlanRepeats<true>(mask, Repeats(repeats), kRepeatLanes<T>);
  const Operand<T> in = ReduceSource(src, 1, repeat_stride);
  T* out = dst.Data();
  T* sums = work.Data();
  if (AllRepeats(plan) != 0) {
    Instruct<kPipeV>(
        "ReduceSum", [=] { SumByTree(out, sums, in, plan); },
        [&](auto& about) {
          // In several instructions on a device, so that repeats have no limit.
          RequireMask<true>(about, mask, kRepeatLanes<T>);
          DescribeOperand<kRepeatLanes<T>>(about, "src", plan, in, false);
          DescribeSums(about, sums, AllRepeats(plan));
          DescribeWholeResult(about, out, false);
          DescribeWork(about, plan, kRepeatLanes<T>);
        });
  }
}

// dst[0] = sum of count elements; 950 lays a sum for each repeat in `work` meanwhile.
template <typename T>
void SumCounted(T* dst, const T* src, T* work, size_t count) {
  float sum;
  if constexpr (kIsArch35) {
    sum = SumOfCount(src, work, count);
  } else {
    static_cast<void>(work);
    sum = SumSequential(src, count);
  }
  *Stored(dst) = Lane<T>::Store(sum);
  State().vector.repeat_sum = sum;
}

}  // namespace twin

// dst[0] = sum of count elements, the repeats' sums added in order; 950: SumOfCount, with a sum for
// each repeat in sharedTmpBuffer meanwhile. With isSetMask false the count comes from SetVectorMask
// in counter mode.
template <typename T, bool isSetMask = true>
void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
               const LocalTensor<T>& sharedTmpBuffer, const int32_t count ASCENDC_TWIN_PLACE) {
  static_assert(twin::kReducible<T>, "reductions exist for half and float");
  ASCENDC_TWIN_AT;
  const int64_t elements = isSetMask ? count : static_cast<int64_t>(twin::State().vector.mask_low);
  T* out = dst.Data();
  const T* in = src.Data();
  T* work = sharedTmpBuffer.Data();
  if (elements > 0) {
    twin::Instruct<twin::kPipeV>(
        "ReduceSum", [=] { twin::SumCounted(out, in, work, static_cast<size_t>(elements)); },
        [&](auto& about) {
          constexpr uint32_t kLanes = twin::kRepeatLanes<T>;
          const auto plan = twin::PlanCount(static_cast<uint64_t>(elements), kLanes);
          about.Read("src", in, static_cast<uint64_t>(elements));
          if (twin::kIsArch35 && elements > 4 * kLanes) {
            twin::DescribeSums(about, work, twin::AllRepeats(plan));
          }
          twin::DescribeWholeResult(about, out, false);
          twin::DescribeWork(about, plan, kLanes);
        });
  }
}

// dst[0] = sum over the masked repeats, by the tree throughout; sharedTmpBuffer holds one sum per
// repeat meanwhile.
template <typename T>
void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
               const LocalTensor<T>& sharedTmpBuffer, const int32_t mask, const int32_t repeatTime,
               const int32_t srcRepStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::SumOfRepeats(dst, src, sharedTmpBuffer, mask, repeatTime, srcRepStride);
}
template <typename T>
void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
               const LocalTensor<T>& sharedTmpBuffer, const uint64_t mask[],
               const int32_t repeatTime, const int32_t srcRepStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::SumOfRepeats(dst, src, sharedTmpBuffer, mask, repeatTime, srcRepStride);
}

// dst[0] = the largest (smallest) element; with calIndex dst[1] = its index. sharedTmpBuffer is not
// used.
#define ASCENDC_TWIN_EXTREME(Name, kMax)                                                         \
  template <typename T>                                                                          \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                                \
            const LocalTensor<T>& sharedTmpBuffer, const int32_t mask, const int32_t repeatTime, \
            const int32_t srcRepStride, bool calIndex = 0 ASCENDC_TWIN_PLACE) {                  \
    (void)sharedTmpBuffer;                                                                       \
    ASCENDC_TWIN_AT;                                                                             \
    twin::ExtremeOfRepeats<kMax>(#Name, dst, src, mask, repeatTime, srcRepStride, calIndex);     \
  }                                                                                              \
  template <typename T>                                                                          \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                                \
            const LocalTensor<T>& sharedTmpBuffer, const uint64_t mask[],                        \
            const int32_t repeatTime, const int32_t srcRepStride,                                \
            bool calIndex = 0 ASCENDC_TWIN_PLACE) {                                              \
    (void)sharedTmpBuffer;                                                                       \
    ASCENDC_TWIN_AT;                                                                             \
    twin::ExtremeOfRepeats<kMax>(#Name, dst, src, mask, repeatTime, srcRepStride, calIndex);     \
  }                                                                                              \
  template <typename T>                                                                          \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                                \
            const LocalTensor<T>& sharedTmpBuffer, const int32_t count,                          \
            bool calIndex = 0 ASCENDC_TWIN_PLACE) {                                              \
    (void)sharedTmpBuffer;                                                                       \
    ASCENDC_TWIN_AT;                                                                             \
    twin::ExtremeOfCount<kMax>(#Name, dst, src, count, calIndex);                                \
  }

ASCENDC_TWIN_EXTREME(ReduceMax, true)
ASCENDC_TWIN_EXTREME(ReduceMin, false)

// One result per repeat. dstRepStride counts results: T for a sum or a value, two T with an index,
// 4 bytes for the index alone.
template <ReduceType reduceType, typename T, typename U = T, bool isSetMask = true>
void ReduceRepeat(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t mask,
                  const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                  const int32_t srcRepStride,
                  ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::RepeatReduction<reduceType, isSetMask>(dst, src, mask, repeatTime, dstRepStride,
                                               srcBlkStride, srcRepStride, order);
}
template <ReduceType reduceType, typename T, typename U = T, bool isSetMask = true>
void ReduceRepeat(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint64_t mask[],
                  const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                  const int32_t srcRepStride,
                  ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::RepeatReduction<reduceType, isSetMask>(dst, src, mask, repeatTime, dstRepStride,
                                               srcBlkStride, srcRepStride, order);
}

// Eight results per repeat, one for each data block; dstRepStride counts eight elements.
template <ReduceType reduceType, typename T, typename U = T, bool isSetMask = true>
void ReduceDataBlock(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t mask,
                     const int32_t repeatTime, const int32_t dstRepStride,
                     const int32_t srcBlkStride, const int32_t srcRepStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::BlockReduction<reduceType, isSetMask>(dst, src, mask, repeatTime, dstRepStride,
                                              srcBlkStride, srcRepStride);
}
template <ReduceType reduceType, typename T, typename U = T, bool isSetMask = true>
void ReduceDataBlock(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint64_t mask[],
                     const int32_t repeatTime, const int32_t dstRepStride,
                     const int32_t srcBlkStride, const int32_t srcRepStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::BlockReduction<reduceType, isSetMask>(dst, src, mask, repeatTime, dstRepStride,
                                              srcBlkStride, srcRepStride);
}

// Half as many results as elements; dstRepStride counts 128 bytes.
template <ReduceType reduceType, typename T, typename U = T, bool isSetMask = true>
void ReducePairElem(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t mask,
                    const int32_t repeatTime, const int32_t dstRepStride,
                    const int32_t srcBlkStride, const int32_t srcRepStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  static_assert(reduceType == ReduceType::SUM, "pairs are only summed");
  twin::PairReduction<isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride,
                                 srcRepStride);
}
template <ReduceType reduceType, typename T, typename U = T, bool isSetMask = true>
void ReducePairElem(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint64_t mask[],
                    const int32_t repeatTime, const int32_t dstRepStride,
                    const int32_t srcBlkStride, const int32_t srcRepStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  static_assert(reduceType == ReduceType::SUM, "pairs are only summed");
  twin::PairReduction<isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride,
                                 srcRepStride);
}

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_REDUCE_H_
