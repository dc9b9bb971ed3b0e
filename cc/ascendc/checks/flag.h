// Flag: one event between two pipes, an event id of the kernel's or one that a queue uses.
#ifndef CC_ASCENDC_CHECKS_FLAG_H_
#define CC_ASCENDC_CHECKS_FLAG_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cc/ascendc/checks/clocks.h"
#include "cc/ascendc/checks/names.h"

namespace attnres::checks {

// The n-th wait takes what the n-th set knew.
class Flag {
 public:
  uint8_t source = 0;
  uint8_t target = 0;
  int32_t id = -1;                         // -1: of a queue
  int32_t ahead = 0;                       // sets minus waits that the kernel has issued
  AscendcTwinPlace set = {nullptr, 0, 0};  // the last one issued
  bool is_unordered = false;               // a mutation took the order of the next wait away

  bool IsSet() const { return taken_ < clocks_.size(); }
  void Push(const Clock& clock) { clocks_.push_back(clock); }
  // Precondition: IsSet.
  Clock Take() {
    const Clock clock = clocks_[taken_++];
    if (taken_ == clocks_.size()) {
      clocks_.clear();
      taken_ = 0;
    }
    return clock;
  }

  // "WaitFlag<MTE2_V>(3)", or what stands for it in a queue.
  std::string Wait() const {
    if (id >= 0) {
      return "WaitFlag<" + EventName(source, target) + ">(" + std::to_string(id) + ")";
    }
    return "a queue's wait of the " + std::string(PipeName(target)) + " pipe for the " +
           PipeName(source) + " pipe";
  }

 private:
  std::vector<Clock> clocks_;
  size_t taken_ = 0;
};

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_FLAG_H_
