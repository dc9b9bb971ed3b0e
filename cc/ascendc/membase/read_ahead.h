// Asks memory early for what copy-in will read next, while the core computes: host memory then
// works at the same time as the host's vector units, as the pipes of an NPU do.
//
// Kernels read a large tensor in order, so what a large copy-in reads next mostly begins where the
// last one ended. Vector loads and copies out, which run between two copies in, each ask for a few
// lines of it, until as much was asked for as the last one read.
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
    // A row of another tensor in between is shorter and does not count.
    if (bytes >= kWorthwhileBytes && 2 * bytes > last_bytes_) {
      next_ = reinterpret_cast<uintptr_t>(end);
      end_ = next_ + bytes;
      last_bytes_ = bytes;
    }
  }

  // Into the second level of the host's cache: what UB holds needs the first.
  ASCENDC_TWIN_INLINE void AskForLines(uint32_t count) {
    if (next_ < end_) {
      for (uint32_t line = 0; line < count; ++line) {
        __builtin_prefetch(reinterpret_cast<const void*>(next_ + line * kHostLineBytes), 0, 2);
      }
      next_ += count * kHostLineBytes;
    }
  }

 private:
  static constexpr uint64_t kWorthwhileBytes = 2048;

  uintptr_t next_ = 0;
  uintptr_t end_ = 0;
  uint64_t last_bytes_ = 0;
};

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_READ_AHEAD_H_
