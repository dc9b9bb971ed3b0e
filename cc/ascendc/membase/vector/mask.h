// Which elements an instruction in the mask/repeat form touches.
//
// Normal mode: the mask, a count of leading lanes or one bit per lane, holds for each of repeatTime
// repeats of 256 bytes. Counter mode: the mask is the number of elements of the whole instruction
// and repeatTime is ignored. With isSetMask false the mask comes from SetVectorMask. repeat.h turns
// a RepeatPlan into runs of contiguous elements.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_MASK_H_
#define CC_ASCENDC_MEMBASE_VECTOR_MASK_H_

#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/membase/vector/params.h"

ASCENDC_TWIN_BEGIN

inline void SetMaskCount() { twin::State().vector.counter_mode = true; }
inline void SetMaskNorm() { twin::State().vector.counter_mode = false; }

inline void ResetMask() {
  twin::State().vector.mask_low = ~uint64_t{0};
  twin::State().vector.mask_high = ~uint64_t{0};
}

// Bits per lane in normal mode; in counter mode maskLow is the number of elements and maskHigh is
// ignored.
template <typename T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(const uint64_t maskHigh, const uint64_t maskLow) {
  twin::State().vector.mask_low = maskLow;
  twin::State().vector.mask_high = mode == MaskMode::COUNTER ? 0 : maskHigh;
}

namespace twin {

constexpr uint32_t kBlockBytes = 32;
constexpr uint32_t kRepeatBytes = 256;

ASCENDC_TWIN_INLINE uint64_t LowBits(uint32_t count) {
  return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

}  // namespace twin

template <typename T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(int32_t len) {
  if (mode == MaskMode::COUNTER) {
    SetVectorMask<T, mode>(0, static_cast<uint64_t>(len));
  } else {
    const uint32_t lanes = static_cast<uint32_t>(len);
    SetVectorMask<T, mode>(lanes > 64 ? twin::LowBits(lanes - 64) : 0, twin::LowBits(lanes));
  }
}

namespace twin {

// `repeats` repeats with the lanes of `bits` (or the leading `lanes` ones), then one with the
// leading `tail` lanes. Invariant: lanes <= lanes of a repeat, tail < lanes of a repeat.
struct RepeatPlan {
  uint32_t repeats = 0;
  uint32_t tail = 0;
  bool leading = true;
  uint32_t lanes = 0;
  uint64_t bits[2] = {0, 0};
};

inline RepeatPlan PlanCount(uint64_t elements, uint32_t lanes_per_repeat) {
  RepeatPlan plan;
  plan.repeats = static_cast<uint32_t>(elements / lanes_per_repeat);
  plan.tail = static_cast<uint32_t>(elements % lanes_per_repeat);
  plan.lanes = lanes_per_repeat;
  return plan;
}

inline RepeatPlan PlanLeading(uint64_t lanes, uint32_t repeats, uint32_t lanes_per_repeat) {
  RepeatPlan plan;
  plan.repeats = lanes == 0 ? 0 : repeats;
  plan.lanes = lanes < lanes_per_repeat ? static_cast<uint32_t>(lanes) : lanes_per_repeat;
  return plan;
}

inline RepeatPlan PlanBits(uint64_t low, uint64_t high, uint32_t repeats,
                           uint32_t lanes_per_repeat) {
  low &= LowBits(lanes_per_repeat);
  high &= lanes_per_repeat > 64 ? LowBits(lanes_per_repeat - 64) : 0;
  const bool low_leading = (low & (low + 1)) == 0;
  const bool high_leading = (high & (high + 1)) == 0;
  if (low_leading && (high == 0 || (high_leading && low == ~uint64_t{0}))) {
    const int lanes = __builtin_popcountll(low) + __builtin_popcountll(high);
    return PlanLeading(static_cast<uint64_t>(lanes), repeats, lanes_per_repeat);
  }
  RepeatPlan plan;
  plan.repeats = repeats;
  plan.leading = false;
  plan.bits[0] = low;
  plan.bits[1] = high;
  return plan;
}

// The plan of a call whose mask argument is a count of lanes.
template <bool isSetMask>
RepeatPlan PlanRepeats(uint64_t mask, uint32_t repeats, uint32_t lanes_per_repeat) {
  const VectorState& state = State().vector;
  if (unlikely(state.counter_mode)) {
    return PlanCount(isSetMask ? mask : state.mask_low, lanes_per_repeat);
  }
  if constexpr (isSetMask) {
    return PlanLeading(mask, repeats, lanes_per_repeat);
  } else {
    return PlanBits(state.mask_low, state.mask_high, repeats, lanes_per_repeat);
  }
}

// The plan of a call whose mask argument is two words of bits.
template <bool isSetMask>
RepeatPlan PlanRepeats(const uint64_t* mask, uint32_t repeats, uint32_t lanes_per_repeat) {
  const VectorState& state = State().vector;
  if (unlikely(state.counter_mode)) {
    return PlanCount(isSetMask ? mask[0] : state.mask_low, lanes_per_repeat);
  }
  if constexpr (isSetMask) {
    return PlanBits(mask[0], lanes_per_repeat > 64 ? mask[1] : 0, repeats, lanes_per_repeat);
  } else {
    return PlanBits(state.mask_low, state.mask_high, repeats, lanes_per_repeat);
  }
}

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_MASK_H_
