// UbBuffers: which stretches of a core's Unified Buffer the kernel has made into buffers, and
// where.
#ifndef CC_ASCENDC_CHECKS_UB_BUFFERS_H_
#define CC_ASCENDC_CHECKS_UB_BUFFERS_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "cc/ascendc/checks/names.h"
#include "cc/ascendc/checks/ub_races.h"
#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::checks {

struct UbBuffer {
  uint64_t begin;
  uint64_t end;
  AscendcTwinPlace place;
  bool is_gone;  // its pipe was reset
};

class UbBuffers {
 public:
  explicit UbBuffers(uint64_t ub_bytes) : end_of_((ub_bytes + kUbBlockBytes - 1) / kUbBlockBytes) {}

  // Precondition: the bytes lie in UB.
  void Make(uint64_t begin, uint64_t bytes, const AscendcTwinPlace& place) {
    const uint64_t end = begin + bytes;
    buffers_.push_back({begin, end, place, false});
    for (uint64_t block = begin / kUbBlockBytes; block * kUbBlockBytes < end; ++block) {
      // Where buffers lie in each other (pools), the largest limits what an access may touch.
      end_of_[block] = std::max(end_of_[block], static_cast<uint32_t>(end));
    }
  }

  void Reset() {
    for (UbBuffer& buffer : buffers_) {
      buffer.is_gone = true;
    }
    std::fill(end_of_.begin(), end_of_.end(), 0);
  }

  // Where the buffer ends that holds the byte; 0 if none does.
  uint64_t EndOf(uint64_t offset) const { return end_of_[offset / kUbBlockBytes]; }

  // The buffer made last of those that hold the byte, preferably one that is still there. Null if
  // none does. Its index is what a finding calls it.
  const UbBuffer* Find(uint64_t offset, uint32_t* index) const {
    const UbBuffer* found = nullptr;
    for (uint32_t i = static_cast<uint32_t>(buffers_.size()); i-- > 0;) {
      const UbBuffer& buffer = buffers_[i];
      if (buffer.begin <= offset && offset < buffer.end && (found == nullptr || !buffer.is_gone)) {
        found = &buffer;
        *index = i;
        if (!buffer.is_gone) {
          break;
        }
      }
    }
    return found;
  }

  // "UB buffer 3, made at file:line", or "UB" where there is no buffer.
  std::string Name(uint64_t offset) const {
    uint32_t index = 0;
    const UbBuffer* buffer = Find(offset, &index);
    if (buffer == nullptr) {
      return "UB";
    }
    return "UB buffer " + std::to_string(index) + ", made at " + PlaceText(buffer->place);
  }

  const UbBuffer* At(uint32_t index) const {
    return index < buffers_.size() ? &buffers_[index] : nullptr;
  }

 private:
  std::vector<UbBuffer> buffers_;
  std::vector<uint32_t> end_of_;  // by block
};

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_UB_BUFFERS_H_
