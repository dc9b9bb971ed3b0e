// Clock: what has ended before something starts, per pipe of one core. The instructions of a pipe
// are numbered from 1 in the order in which it gets them, and a clock holds for each pipe how many
// of the first ones are known to have ended. pipe_queue.h keeps one per pipe.
#ifndef CC_ASCENDC_CHECKS_CLOCKS_H_
#define CC_ASCENDC_CHECKS_CLOCKS_H_

#include <algorithm>
#include <cstdint>

#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::checks {

constexpr uint32_t kPipes = kAscendcTwinPipes;

struct Clock {
  uint32_t at[kPipes] = {};

  void Join(const Clock& other) {
    for (uint32_t pipe = 0; pipe < kPipes; ++pipe) {
      at[pipe] = std::max(at[pipe], other.at[pipe]);
    }
  }
  bool Covers(uint32_t pipe, uint32_t number) const { return number <= at[pipe]; }
};

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_CLOCKS_H_
