// GmEpochs: what each core did to global memory between two SyncAlls, to find bytes that two cores
// touch without an order. Byte precise.
#ifndef CC_ASCENDC_CHECKS_GM_EPOCHS_H_
#define CC_ASCENDC_CHECKS_GM_EPOCHS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "cc/ascendc/checks/gm_intervals.h"

namespace attnres::checks {

// One core's accesses of one kind to contiguous bytes, from one site of its SiteTable.
struct CoreAccess {
  uint64_t begin;
  uint64_t end;
  uint32_t core;
  uint32_t site;
  GmAccess access;
};

// The intervals of a core, neighbours of one site joined.
std::vector<CoreAccess> Flatten(const GmIntervals& intervals, uint32_t core);

// Two accesses that share bytes; `second` begins at the same byte or later.
using CrossReport = std::function<void(const CoreAccess& first, const CoreAccess& second)>;

// For each access of a core that conflicts with one of another core that begins no later, at least
// one such pair is reported.
void FindCrossConflicts(std::vector<CoreAccess> accesses, const CrossReport& report);

// Thread-safe.
class GmEpochs {
 public:
  GmEpochs(uint32_t cores, CrossReport report) : cores_(cores), report_(std::move(report)) {}

  // A core leaves its epoch `epoch` (0: before its first SyncAll). When all have, they are
  // compared.
  void Leave(uint32_t epoch, std::vector<CoreAccess> accesses);
  // Compares what is left, of a launch that ended early.
  void Finish();

 private:
  struct Epoch {
    uint32_t left = 0;
    std::vector<CoreAccess> accesses;
  };

  uint32_t cores_;
  CrossReport report_;
  std::mutex mutex_;
  std::map<uint32_t, Epoch> epochs_;
};

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_GM_EPOCHS_H_
