// The reductions under their names before CANN 9: WholeReduce*, BlockReduce*, PairReduceSum,
// RepeatReduceSum. Block, pair and RepeatReduceSum take repeatTime before the mask; the newer names
// in reduce.h take the mask first.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_REDUCE_OLD_NAMES_H_
#define CC_ASCENDC_MEMBASE_VECTOR_REDUCE_OLD_NAMES_H_

#include "cc/ascendc/membase/vector/reduce.h"

ASCENDC_TWIN_BEGIN

template <typename T, bool isSetMask = true>
void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t mask,
                    const int32_t repeatTime, const int32_t dstRepStride,
                    const int32_t srcBlkStride, const int32_t srcRepStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  ReduceRepeat<ReduceType::SUM, T, T, isSetMask>(dst, src, mask, repeatTime, dstRepStride,
                                                 srcBlkStride, srcRepStride);
}
template <typename T, bool isSetMask = true>
void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[],
                    const int32_t repeatTime, const int32_t dstRepStride,
                    const int32_t srcBlkStride, const int32_t srcRepStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  ReduceRepeat<ReduceType::SUM, T, T, isSetMask>(dst, src, mask, repeatTime, dstRepStride,
                                                 srcBlkStride, srcRepStride);
}

// dstBlkStride has no effect.
template <typename T, bool isSetMask = true>
void RepeatReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime,
                     const int32_t mask, const int32_t dstBlkStride, const int32_t srcBlkStride,
                     const int32_t dstRepStride, const int32_t srcRepStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  (void)dstBlkStride;
  ReduceRepeat<ReduceType::SUM, T, T, isSetMask>(dst, src, mask, repeatTime, dstRepStride,
                                                 srcBlkStride, srcRepStride);
}

#define ASCENDC_TWIN_WHOLE_EXTREME(Name, kType)                                                  \
  template <typename T, bool isSetMask = true>                                                   \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t mask,            \
            const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,    \
            const int32_t srcRepStride,                                                          \
            ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX ASCENDC_TWIN_PLACE) {             \
    ASCENDC_TWIN_AT;                                                                             \
    ReduceRepeat<kType, T, T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, \
                                         srcRepStride, order);                                   \
  }                                                                                              \
  template <typename T, bool isSetMask = true>                                                   \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[],         \
            const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,    \
            const int32_t srcRepStride,                                                          \
            ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX ASCENDC_TWIN_PLACE) {             \
    ASCENDC_TWIN_AT;                                                                             \
    ReduceRepeat<kType, T, T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, \
                                         srcRepStride, order);                                   \
  }

ASCENDC_TWIN_WHOLE_EXTREME(WholeReduceMax, ReduceType::MAX)
ASCENDC_TWIN_WHOLE_EXTREME(WholeReduceMin, ReduceType::MIN)

#define ASCENDC_TWIN_REPEAT_FIRST(Name, NewName, kType)                                     \
  template <typename T, bool isSetMask = true>                                              \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime, \
            const int32_t mask, const int32_t dstRepStride, const int32_t srcBlkStride,     \
            const int32_t srcRepStride ASCENDC_TWIN_PLACE) {                                \
    ASCENDC_TWIN_AT;                                                                        \
    NewName<kType, T, T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, \
                                    srcRepStride);                                          \
  }                                                                                         \
  template <typename T, bool isSetMask = true>                                              \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime, \
            const uint64_t mask[], const int32_t dstRepStride, const int32_t srcBlkStride,  \
            const int32_t srcRepStride ASCENDC_TWIN_PLACE) {                                \
    ASCENDC_TWIN_AT;                                                                        \
    NewName<kType, T, T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, \
                                    srcRepStride);                                          \
  }

ASCENDC_TWIN_REPEAT_FIRST(BlockReduceSum, ReduceDataBlock, ReduceType::SUM)
ASCENDC_TWIN_REPEAT_FIRST(BlockReduceMax, ReduceDataBlock, ReduceType::MAX)
ASCENDC_TWIN_REPEAT_FIRST(BlockReduceMin, ReduceDataBlock, ReduceType::MIN)
ASCENDC_TWIN_REPEAT_FIRST(PairReduceSum, ReducePairElem, ReduceType::SUM)

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_REDUCE_OLD_NAMES_H_
