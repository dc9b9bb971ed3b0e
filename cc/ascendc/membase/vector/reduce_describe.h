// What observed kernels say of reductions (reduce.h): the elements that take part, and the results,
// whose place depends on the kind of reduction. See describe.h.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_REDUCE_DESCRIBE_H_
#define CC_ASCENDC_MEMBASE_VECTOR_REDUCE_DESCRIBE_H_

#include "cc/ascendc/membase/vector/describe.h"
#include "cc/ascendc/membase/vector/lanes.h"
#include "cc/ascendc/membase/vector/params.h"

ASCENDC_TWIN_BEGIN

namespace twin {

// Bytes of one result of ReduceRepeat, to which it is aligned.
template <ReduceType type, typename T>
constexpr uint32_t ResultBytes(ReduceOrder order) {
  if (type == ReduceType::SUM || order == ReduceOrder::ORDER_ONLY_VALUE) {
    return sizeof(T);
  }
  return order == ReduceOrder::ORDER_ONLY_INDEX ? 4 : 2 * sizeof(T);
}

template <bool isSetMask, typename About, typename Mask, typename T>
void DescribeReduced(About& about, const Operand<T>& src, const RepeatPlan& plan, Mask mask,
                     int32_t repeats) {
  constexpr uint32_t kLanes = kRepeatLanes<T>;
  RequireMask<isSetMask>(about, mask, kLanes);
  about.Require(repeats >= 0 && repeats <= 255,
                "repeatTime of a reduction is outside 0 to 255: reduce in several instructions");
  DescribeOperand<kLanes>(about, "src", plan, src, false);
  DescribeWork(about, plan, kLanes);
}

// One result of `bytes` for each repeat with any lane.
template <typename About, typename T>
void DescribeRepeatResults(About& about, const T* dst, uint32_t dst_stride, uint32_t bytes,
                           const RepeatPlan& plan) {
  for (uint32_t repeat = 0; repeat < AllRepeats(plan); ++repeat) {
    if (!LanesOf(plan, repeat).None()) {
      about.Access("dst",
                   reinterpret_cast<const uint8_t*>(dst) + uint64_t{repeat} * dst_stride * bytes,
                   bytes, static_cast<uint16_t>(bytes), true, false);
    }
  }
}

// `results` for each repeat, of as many lanes each; those without a lane are not written (2201).
template <typename About, typename T>
void DescribeGroupResults(About& about, const T* dst, uint32_t dst_stride, uint32_t results,
                          uint16_t alignment, const RepeatPlan& plan) {
  const uint32_t group = kRepeatLanes<T> / results;
  about.Require(reinterpret_cast<uint64_t>(dst) % alignment == 0,
                "dst of a reduction is not aligned: ReduceDataBlock wants 32 bytes for float and "
                "16 for half, ReducePairElem 32");
  for (uint32_t repeat = 0; repeat < AllRepeats(plan); ++repeat) {
    const LaneMask mask = LanesOf(plan, repeat);
    const T* out = dst + uint64_t{results} * dst_stride * repeat;
    for (uint32_t result = 0; result < results; ++result) {
      if (kIsArch35 || mask.Any(result * group, group)) {
        about.Access("dst", out + result, sizeof(T), 1, true, false);
      }
    }
  }
}

// The count form and the mask form over all repeats: one value, with its index if wanted. The sums
// of repeats lie in `work` meanwhile.
template <typename About, typename T>
void DescribeWholeResult(About& about, const T* dst, bool with_index) {
  const uint32_t bytes = with_index ? 2 * sizeof(T) : sizeof(T);
  about.Access("dst", dst, bytes, static_cast<uint16_t>(bytes), true, false);
}

template <typename About, typename T>
void DescribeSums(About& about, const T* work, uint32_t repeats) {
  if (repeats > 1) {
    about.Access("sharedTmpBuffer", work, repeats * sizeof(T), kBlockBytes, true, false);
  }
}

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_REDUCE_DESCRIBE_H_
