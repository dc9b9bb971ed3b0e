// CallUses: one call in the source that many functions reach, told apart by what came before. A use
// is named by the last place in another file and by how often the call has come since then: the
// copies of a helper for rows differ by the vector instruction that its caller ran last.
#ifndef CC_ASCENDC_CHECKS_CALL_USES_H_
#define CC_ASCENDC_CHECKS_CALL_USES_H_

#include <cstdint>
#include <vector>

#include "cc/ascendc/checks/options.h"
#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::checks {

// Of one core, in program order.
class CallUses {
 public:
  // Later ones since a place are the same use: loops may be long.
  static constexpr uint32_t kMostOrdinal = 16;

  // The core does something at `place`.
  void Visit(const AscendcTwinPlace& place) {
    if (place.file == nullptr) {
      return;
    }
    if (place.file != last_.file) {
      after_ = last_;
      counts_.clear();
    }
    last_ = place;
  }

  // Visits the place of a call; from 1 on.
  uint32_t Next(CallKind kind, const AscendcTwinPlace& place) {
    Visit(place);
    for (Count& count : counts_) {
      if (count.kind == kind && count.line == place.line && count.column == place.column) {
        count.calls += count.calls < kMostOrdinal ? 1 : 0;
        return count.calls;
      }
    }
    counts_.push_back({kind, place.line, place.column, 1});
    return 1;
  }

  // The last place in another file than that of the last visit.
  const AscendcTwinPlace& after() const { return after_; }

 private:
  struct Count {
    CallKind kind;
    uint32_t line;
    uint32_t column;
    uint32_t calls;
  };

  AscendcTwinPlace last_ = {nullptr, 0, 0};
  AscendcTwinPlace after_ = {nullptr, 0, 0};
  std::vector<Count> counts_;  // since after_
};

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_CALL_USES_H_
