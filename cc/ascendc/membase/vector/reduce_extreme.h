// The largest or smallest element and its place, behind the reduction instructions of reduce.h.
//
// Order: -0 below +0; a NaN wins over every number. Equal elements: the first one's index. Because
// this order is total, the value does not depend on how a host folds the elements.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_REDUCE_EXTREME_H_
#define CC_ASCENDC_MEMBASE_VECTOR_REDUCE_EXTREME_H_

#include "cc/ascendc/membase/vector/binary.h"
#include "cc/ascendc/membase/vector/reduce_lanes.h"

ASCENDC_TWIN_BEGIN

namespace twin {

// An integer that orders elements like the instruction: the winner has the largest key.
template <typename T, bool kMax>
struct ExtremeKey {
  using Key = std::conditional_t<std::is_same<Compute<T>, float>::value, int32_t, int64_t>;
  static constexpr Key kNone = static_cast<Key>(uint64_t{1} << (8 * sizeof(Key) - 1));

  static ASCENDC_TWIN_INLINE Key Of(Compute<T> value) {
    if constexpr (std::is_same<Compute<T>, float>::value) {
      return kMax ? OrderKey<false>(value) : ~OrderKey<true>(value);
    } else {
      return kMax ? static_cast<Key>(value) : ~static_cast<Key>(value);
    }
  }
};

template <typename T>
struct Extreme {
  Compute<T> value = Compute<T>(0);
  uint32_t index = 0;
};

// Among `count` > 0 contiguous elements.
template <typename T, bool kMax>
__attribute__((noinline)) Extreme<T> FindExtreme(const T* src, size_t count) {
  using Key = ExtremeKey<T, kMax>;
  const auto* in = Stored(src);
  auto best = Key::kNone;
  for (size_t i = 0; i < count; ++i) {
    const auto key = Key::Of(Lane<T>::Load(in[i]));
    best = key > best ? key : best;
  }
  // The first of them: by pieces, in loops that vectorise, then within its piece.
  constexpr size_t kPiece = 256;
  size_t i = 0;
  for (; count - i > kPiece; i += kPiece) {
    uint32_t any = 0;
    for (size_t j = i; j < i + kPiece; ++j) {
      any |= Key::Of(Lane<T>::Load(in[j])) == best ? 1u : 0u;
    }
    if (any != 0) {
      break;
    }
  }
  while (Key::Of(Lane<T>::Load(in[i])) != best) {
    ++i;
  }
  Extreme<T> found;
  found.value = CanonicalNan(Lane<T>::Load(in[i]));
  found.index = static_cast<uint32_t>(i);
  return found;
}

// Among the active lanes [begin, begin + count) of one repeat; index counts from `begin`. Some lane
// is active.
template <typename T, bool kMax>
Extreme<T> FindExtremeLane(const Compute<T>* lanes, const LaneMask& mask, uint32_t begin,
                           uint32_t count) {
  using Key = ExtremeKey<T, kMax>;
  Extreme<T> found;
  auto best = Key::kNone;
  bool any = false;
  for (uint32_t lane = begin; lane < begin + count; ++lane) {
    const auto key = Key::Of(lanes[lane]);
    if (mask.Has(lane) && (!any || key > best)) {
      best = key;
      found.value = CanonicalNan(lanes[lane]);
      found.index = lane - begin;
      any = true;
    }
  }
  return found;
}

// Calls use(repeat, extreme of its active lanes) for each repeat with any.
template <typename T, bool kMax, typename Use>
void ForEachExtreme(const Operand<T>& src, const RepeatPlan& plan, Use use) {
  Compute<T> lanes[kRepeatLanes<T>];
  for (uint32_t repeat = 0; repeat < AllRepeats(plan); ++repeat) {
    const LaneMask mask = LanesOf(plan, repeat);
    if (!mask.None()) {
      LoadLanes(src, repeat, mask, Compute<T>(0), lanes);
      use(repeat, FindExtremeLane<T, kMax>(lanes, mask, 0, kRepeatLanes<T>));
    }
  }
}

// Among all active elements; the index counts whole repeats: repeat * lanes of a repeat + lane.
// False: none is active.
template <typename T, bool kMax>
bool FindExtremeOfRepeats(const Operand<T>& src, const RepeatPlan& plan, Extreme<T>* found) {
  using Key = ExtremeKey<T, kMax>;
  bool any = false;
  ForEachExtreme<T, kMax>(src, plan, [&](uint32_t repeat, const Extreme<T>& candidate) {
    if (!any || Key::Of(candidate.value) > Key::Of(found->value)) {
      found->value = candidate.value;
      found->index = repeat * kRepeatLanes<T> + candidate.index;
      any = true;
    }
  });
  return any;
}

// dst[8 * dst_stride * r + b] = extreme of data block b of repeat r; a fully masked block leaves
// dst as it is on A2 and A3 and gives -infinity (kMax) or infinity on 950.
template <typename T, bool kMax>
void ExtremeBlocks(T* dst, uint32_t dst_stride, const Operand<T>& src, const RepeatPlan& plan) {
  constexpr uint32_t kBlockLanes = Operand<T>::kBlockLanes;
  Compute<T> lanes[kRepeatLanes<T>];
  for (uint32_t repeat = 0; repeat < AllRepeats(plan); ++repeat) {
    const LaneMask mask = LanesOf(plan, repeat);
    LoadLanes(src, repeat, mask, Compute<T>(0), lanes);
    for (uint32_t block = 0; block < 8; ++block) {
      if (mask.Any(block * kBlockLanes, kBlockLanes)) {
        const Extreme<T> found =
            FindExtremeLane<T, kMax>(lanes, mask, block * kBlockLanes, kBlockLanes);
        Stored(dst)[size_t{8} * dst_stride * repeat + block] = Lane<T>::Store(found.value);
      } else if constexpr (kIsArch35) {
        const float nothing = kMax ? -__builtin_inff() : __builtin_inff();
        Stored(dst)[size_t{8} * dst_stride * repeat + block] = Lane<T>::Store(nothing);
      }
    }
  }
}

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_REDUCE_EXTREME_H_
