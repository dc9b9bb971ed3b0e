// The sums behind the reduction instructions of reduce.h: of whole repeats, data blocks and pairs
// of elements.
//
// Inside a repeat the order is the tree of sum_tree.h. Over repeats, the count form of ReduceSum
// adds the repeats' sums one after the other (A2, A3) or as SumOfCount says (950); the mask form
// lays them side by side and applies the tree again until one is left. A result without any lane
// leaves dst as it is on A2 and A3 and is 0 on 950.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_REDUCE_SUM_H_
#define CC_ASCENDC_MEMBASE_VECTOR_REDUCE_SUM_H_

#include "cc/ascendc/membase/vector/reduce_lanes.h"
#include "cc/ascendc/membase/vector/sum_tree.h"

ASCENDC_TWIN_BEGIN

namespace twin {

constexpr float kNothing = -0.0f;  // what an absent lane adds

// Sum of the leading `count` <= lanes of a repeat of contiguous elements, in compute form.
template <typename T>
float SumLeading(const T* src, uint32_t count) {
  constexpr uint32_t kLanes = kRepeatLanes<T>;
  alignas(64) float lanes[kLanes];
  const auto* in = Stored(src);
  for (uint32_t i = 0; i < count; ++i) {
    lanes[i] = Lane<T>::Load(in[i]);
  }
  for (uint32_t i = count; i < kLanes; ++i) {
    lanes[i] = kNothing;
  }
  if constexpr (std::is_same<T, float>::value) {
    return SumOf64(lanes);
  } else {
    return SumTree<T>(lanes, kLanes);
  }
}

template <typename T>
float SumMasked(const Operand<T>& src, uint32_t repeat, const LaneMask& mask) {
  constexpr uint32_t kLanes = kRepeatLanes<T>;
  alignas(64) float lanes[kLanes];
  LoadLanes(src, repeat, mask, kNothing, lanes);
  if constexpr (std::is_same<T, float>::value) {
    return SumOf64(lanes);
  } else {
    return SumTree<T>(lanes, kLanes);
  }
}

// dst[r * dst_stride] = sum of repeat r.
template <typename T>
__attribute__((noinline)) void SumRepeats(T* dst, uint32_t dst_stride, const Operand<T>& src,
                                          const RepeatPlan& plan) {
  auto* out = Stored(dst);
  uint32_t repeat = 0;
  if (likely(plan.leading && src.block_stride == 1)) {
    if constexpr (std::is_same<T, float>::value) {
      if (plan.lanes == kFloatLanes) {
        if (src.repeat_stride == 8) {
          float sums[4];
          for (; repeat + 4 <= plan.repeats; repeat += 4) {
            SumsOf4x64(src.At(repeat, 0), sums);
            for (uint32_t i = 0; i < 4; ++i) {
              out[size_t{repeat + i} * dst_stride] = sums[i];
            }
          }
        }
        for (; repeat < plan.repeats; ++repeat) {
          out[size_t{repeat} * dst_stride] = SumOf64(src.At(repeat, 0));
        }
      }
    }
    for (; repeat < AllRepeats(plan); ++repeat) {
      const uint32_t lanes = repeat == plan.repeats ? plan.tail : plan.lanes;
      out[size_t{repeat} * dst_stride] = Lane<T>::Store(SumLeading(src.At(repeat, 0), lanes));
    }
    return;
  }
  for (; repeat < AllRepeats(plan); ++repeat) {
    const LaneMask mask = LanesOf(plan, repeat);
    if (!mask.None()) {
      out[size_t{repeat} * dst_stride] = Lane<T>::Store(SumMasked(src, repeat, mask));
    }
  }
}

// The count form of ReduceSum; count > 0. The result is in compute form.
template <typename T>
__attribute__((noinline)) float SumSequential(const T* src, size_t count) {
  constexpr size_t kLanes = kRepeatLanes<T>;
  float total = kNothing;
  size_t i = 0;
  if constexpr (std::is_same<T, float>::value) {
    float sums[4];
    for (; i + 4 * kLanes <= count; i += 4 * kLanes) {
      SumsOf4x64(src + i, sums);
      total = (((total + sums[0]) + sums[1]) + sums[2]) + sums[3];
    }
    for (; i + kLanes <= count; i += kLanes) {
      total += SumOf64(src + i);
    }
  }
  for (; i < count; i += kLanes) {
    const size_t left = count - i;
    total = Lane<T>::Round(
        total + SumLeading(src + i, static_cast<uint32_t>(left < kLanes ? left : kLanes)));
  }
  return CanonicalNan(total);
}

// The mask form of ReduceSum: leaves the sum in dst[0], and intermediate sums in work.
template <typename T>
void SumByTree(T* dst, T* work, const Operand<T>& src, const RepeatPlan& plan) {
  uint32_t left = AllRepeats(plan);
  SumRepeats(left == 1 ? dst : work, 1, src, plan);
  while (left > 1) {
    const RepeatPlan next = PlanCount(left, kRepeatLanes<T>);
    left = AllRepeats(next);
    SumRepeats(left == 1 ? dst : work, 1, Operand<T>{work, 1, 8}, next);
  }
}

// The count form of ReduceSum on 950; count > 0. Two to four repeats are added lane by lane and the
// tree follows; more become one sum each in `work`, and the tree of those. The result is in compute
// form.
template <typename T>
__attribute__((noinline)) float SumOfCount(const T* src, T* work, size_t count) {
  constexpr size_t kLanes = kRepeatLanes<T>;
  if (count > 4 * kLanes) {
    T sum;
    SumByTree(&sum, work, Operand<T>{const_cast<T*>(src), 1, 8}, PlanCount(count, kLanes));
    return Lane<T>::Load(*Stored(&sum));
  }
  if (count <= kLanes) {
    return SumLeading(src, static_cast<uint32_t>(count));
  }
  alignas(64) float lanes[kLanes];
  const auto* in = Stored(src);
  for (size_t i = 0; i < kLanes; ++i) {
    lanes[i] = Lane<T>::Load(in[i]);
  }
  for (size_t i = kLanes; i < count; ++i) {
    lanes[i % kLanes] = Lane<T>::Round(lanes[i % kLanes] + Lane<T>::Load(in[i]));
  }
  return SumTree<T>(lanes, kLanes);
}

// dst[8 * dst_stride * r + b] = sum of data block b of repeat r.
template <typename T>
void SumBlocks(T* dst, uint32_t dst_stride, const Operand<T>& src, const RepeatPlan& plan) {
  constexpr uint32_t kBlockLanes = Operand<T>::kBlockLanes;
  alignas(64) float lanes[kRepeatLanes<T>];
  for (uint32_t repeat = 0; repeat < AllRepeats(plan); ++repeat) {
    const LaneMask mask = LanesOf(plan, repeat);
    LoadLanes(src, repeat, mask, kNothing, lanes);
    for (uint32_t block = 0; block < 8; ++block) {
      if (mask.Any(block * kBlockLanes, kBlockLanes)) {
        Stored(dst)[size_t{8} * dst_stride * repeat + block] =
            Lane<T>::Store(SumTree<T>(lanes + block * kBlockLanes, kBlockLanes));
      } else if constexpr (kIsArch35) {
        Stored(dst)[size_t{8} * dst_stride * repeat + block] = Lane<T>::Store(0.0f);
      }
    }
  }
}

// dst[half repeat * dst_stride * r + p] = sum of elements 2p and 2p+1 of repeat r.
template <typename T>
void SumPairs(T* dst, uint32_t dst_stride, const Operand<T>& src, const RepeatPlan& plan) {
  constexpr uint32_t kPairs = kRepeatLanes<T> / 2;
  alignas(64) float lanes[kRepeatLanes<T>];
  for (uint32_t repeat = 0; repeat < AllRepeats(plan); ++repeat) {
    const LaneMask mask = LanesOf(plan, repeat);
    LoadLanes(src, repeat, mask, kNothing, lanes);
    for (uint32_t pair = 0; pair < kPairs; ++pair) {
      if (mask.Any(2 * pair, 2)) {
        Stored(dst)[size_t{kPairs} * dst_stride * repeat + pair] =
            Lane<T>::Store(CanonicalNan(lanes[2 * pair] + lanes[2 * pair + 1]));
      } else if constexpr (kIsArch35) {
        Stored(dst)[size_t{kPairs} * dst_stride * repeat + pair] = Lane<T>::Store(0.0f);
      }
    }
  }
}

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_REDUCE_SUM_H_
