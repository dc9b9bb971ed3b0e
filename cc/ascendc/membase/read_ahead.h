// Asks memory early for what copy-in will read next, while the core computes: host memory then
// works at the same time as the host's vector units, as the pipes of an NPU do.
//
// Kernels read each tensor in order, so what a copy-in reads next of it mostly begins where the
// last one ended. Vector loads and copies out, which run between copies in, each ask for a few
// lines of it, until twice as much was asked for as the last one read: memory answers late.
#ifndef CC_ASCENDC_MEMBASE_READ_AHEAD_H_
#define CC_ASCENDC_MEMBASE_READ_AHEAD_H_

#include "cc/ascendc/membase/target.h"

ASCENDC_TWIN_BEGIN

namespace twin {

constexpr uint64_t kHostLineBytes = 64;

class ReadAhead {
 public:
  // A copy-in of `bytes` that end at `end`.
  ASCENDC_TWIN_INLINE void NoteRead(const uint8_t* end, uint64_t bytes) {
    if (bytes >= kWorthwhileBytes && waiting_ < kRanges) {
      const uintptr_t begin = reinterpret_cast<uintptr_t>(end);
      ranges_[(first_ + waiting_) % kRanges] = {begin, begin + 2 * bytes};
      ++waiting_;
    }
  }

  // Into the second level of the host's cache: what UB holds needs the first.
  ASCENDC_TWIN_INLINE void AskForLines(uint32_t count) {
    if (now_.begin < now_.end) {
      for (uint32_t line = 0; line < count; ++line) {
        __builtin_prefetch(reinterpret_cast<const void*>(now_.begin + line * kHostLineBytes), 0, 2);
      }
      now_.begin += count * kHostLineBytes;
    } else if (waiting_ > 0) {
      now_ = ranges_[first_];
      first_ = (first_ + 1) % kRanges;
      --waiting_;
    }
  }

 private:
  static constexpr uint64_t kWorthwhileBytes = 2048;
  static constexpr uint32_t kRanges = 4;  // of copies in that follow each other without loads

  struct Range {
    uintptr_t begin;
    uintptr_t end;
  };

  Range now_ = {0, 0};
  Range ranges_[kRanges] = {};
  uint32_t first_ = 0;
  uint32_t waiting_ = 0;
};

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_READ_AHEAD_H_
