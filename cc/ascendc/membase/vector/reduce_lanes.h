// The active lanes of one repeat of a reduction, brought together from strided and masked memory.
// sum_tree.h adds them up, reduce_extreme.h finds the largest or smallest; reduce.h holds the
// instructions.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_REDUCE_LANES_H_
#define CC_ASCENDC_MEMBASE_VECTOR_REDUCE_LANES_H_

#include "cc/ascendc/membase/vector/lanes.h"
#include "cc/ascendc/membase/vector/repeat.h"

ASCENDC_TWIN_BEGIN

namespace twin {

// Which lanes of a repeat take part, one bit each.
struct LaneMask {
  uint64_t bits[2];

  ASCENDC_TWIN_INLINE bool Has(uint32_t lane) const {
    return ((bits[lane / 64] >> (lane % 64)) & 1) != 0;
  }
  ASCENDC_TWIN_INLINE bool None() const { return (bits[0] | bits[1]) == 0; }
  // Behind the last lane that takes part.
  ASCENDC_TWIN_INLINE uint32_t End() const {
    const uint32_t word = bits[1] != 0 ? 1 : 0;
    return bits[word] == 0 ? 0
                           : 64 * (word + 1) - static_cast<uint32_t>(__builtin_clzll(bits[word]));
  }
  // `count` <= 64 lanes from `begin` on, which do not cross lane 64.
  ASCENDC_TWIN_INLINE bool Any(uint32_t begin, uint32_t count) const {
    return ((bits[begin / 64] >> (begin % 64)) & LowBits(count)) != 0;
  }
};

ASCENDC_TWIN_INLINE LaneMask LeadingLanes(uint32_t count) {
  return LaneMask{{LowBits(count), count > 64 ? LowBits(count - 64) : 0}};
}

ASCENDC_TWIN_INLINE uint32_t AllRepeats(const RepeatPlan& plan) {
  return plan.repeats + (plan.tail != 0 ? 1 : 0);
}

ASCENDC_TWIN_INLINE LaneMask LanesOf(const RepeatPlan& plan, uint32_t repeat) {
  if (repeat == plan.repeats) {
    return LeadingLanes(plan.tail);
  }
  return plan.leading ? LeadingLanes(plan.lanes) : LaneMask{{plan.bits[0], plan.bits[1]}};
}

// lanes[i] = lane i of the repeat in compute form, or `absent` where the mask leaves it out.
template <typename T>
void LoadLanes(const Operand<T>& src, uint32_t repeat, const LaneMask& mask, Compute<T> absent,
               Compute<T>* lanes) {
  constexpr uint32_t kBlockLanes = Operand<T>::kBlockLanes;
  for (uint32_t begin = 0; begin < kRepeatLanes<T>; begin += kBlockLanes) {
    const auto* block = Stored(src.At(repeat, begin));
    const bool any = mask.Any(begin, kBlockLanes);  // else the block's memory may not be there
    for (uint32_t i = 0; i < kBlockLanes; ++i) {
      lanes[begin + i] = any && mask.Has(begin + i) ? Lane<T>::Load(block[i]) : absent;
    }
  }
}

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_REDUCE_LANES_H_
