// Walks the mask/repeat form of an instruction as runs of elements that are contiguous in every
// operand.
//
// A repeat holds 8 data blocks of the widest operand; a narrower operand fills fewer blocks (half
// -> float: 4 of 8), and its strides count its own blocks. Repeats run one after the other, so an
// operand with repeat stride 0 accumulates. Where nothing is masked or strided all repeats become a
// single run, the count form (elementwise.h).
#ifndef CC_ASCENDC_MEMBASE_VECTOR_REPEAT_H_
#define CC_ASCENDC_MEMBASE_VECTOR_REPEAT_H_

#include "cc/ascendc/membase/vector/mask.h"

ASCENDC_TWIN_BEGIN

namespace twin {

template <typename T>
struct Operand {
  T* data;
  uint32_t block_stride;
  uint32_t repeat_stride;

  static constexpr uint32_t kBlockLanes = kBlockBytes / sizeof(T);

  ASCENDC_TWIN_INLINE T* At(uint32_t repeat, uint32_t lane) const {
    const size_t block = static_cast<size_t>(lane / kBlockLanes) * block_stride;
    const size_t first = static_cast<size_t>(repeat) * repeat_stride;
    return data + (first + block) * kBlockLanes + lane % kBlockLanes;
  }
};

template <typename T>
Operand<T> MakeOperand(T* data, uint32_t block_stride, uint32_t repeat_stride) {
  return Operand<T>{data, block_stride, repeat_stride};
}

constexpr uint32_t MaxSize(std::initializer_list<uint32_t> sizes) {
  uint32_t widest = 0;
  for (const uint32_t size : sizes) {
    widest = size > widest ? size : widest;
  }
  return widest;
}

// Lanes of one repeat of an instruction with operands of these types.
template <typename... T>
constexpr uint32_t kRepeatLanes = kRepeatBytes / MaxSize({static_cast<uint32_t>(sizeof(T))...});

// Calls run(count, pointers...) for the lanes [begin, end) of one repeat, split at data blocks
// unless `dense`; run.Block<n>(pointers...) for a whole data block on its own.
template <uint32_t kLanes, typename Run, typename... T>
ASCENDC_TWIN_INLINE void ForEachPiece(uint32_t repeat, uint32_t begin, uint32_t end, bool dense,
                                      const Run& run, const Operand<T>&... operands) {
  constexpr uint32_t kPiece = kLanes / 8;
  if (dense) {
    if (begin < end) {
      run(static_cast<size_t>(end - begin), operands.At(repeat, begin)...);
    }
    return;
  }
  while (begin < end) {
    const uint32_t piece_end = (begin / kPiece + 1) * kPiece;
    const uint32_t stop = piece_end < end ? piece_end : end;
    if (likely(stop - begin == kPiece)) {
      run.template Block<kPiece>(operands.At(repeat, begin)...);
    } else {
      run(static_cast<size_t>(stop - begin), operands.At(repeat, begin)...);
    }
    begin = stop;
  }
}

template <uint32_t kLanes, typename Run, typename... T>
void ForEachSetRun(const uint64_t bits[2], uint32_t repeat, bool dense, const Run& run,
                   const Operand<T>&... operands) {
  for (uint32_t word = 0; word < 2; ++word) {
    uint64_t left = bits[word];
    while (left != 0) {
      const uint32_t begin = static_cast<uint32_t>(__builtin_ctzll(left));
      const uint64_t from_begin = left >> begin;
      const uint32_t length =
          ~from_begin == 0 ? 64 : static_cast<uint32_t>(__builtin_ctzll(~from_begin));
      ForEachPiece<kLanes>(repeat, word * 64 + begin, word * 64 + begin + length, dense, run,
                           operands...);
      left &= ~(LowBits(length) << begin);
    }
  }
}

// `run`: a function object as MapRun of elementwise.h.
// Precondition: the plan was made for kLanes = kRepeatLanes<T...> lanes of a repeat.
template <uint32_t kLanes, typename Run, typename... T>
void ForEachRun(const RepeatPlan& plan, const Run& run, const Operand<T>&... operands) {
  const bool dense = ((operands.block_stride == 1) && ...);
  const bool joined =
      dense && ((operands.repeat_stride * Operand<T>::kBlockLanes == kLanes) && ...);
  if (likely(plan.leading)) {
    if (joined && plan.lanes == kLanes) {
      const size_t count = static_cast<size_t>(plan.repeats) * kLanes + plan.tail;
      if (count != 0) {
        run(count, operands.data...);
      }
      return;
    }
    for (uint32_t repeat = 0; repeat < plan.repeats; ++repeat) {
      ForEachPiece<kLanes>(repeat, 0, plan.lanes, dense, run, operands...);
    }
    ForEachPiece<kLanes>(plan.repeats, 0, plan.tail, dense, run, operands...);
    return;
  }
  for (uint32_t repeat = 0; repeat < plan.repeats; ++repeat) {
    ForEachSetRun<kLanes>(plan.bits, repeat, dense, run, operands...);
  }
}

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_REPEAT_H_
