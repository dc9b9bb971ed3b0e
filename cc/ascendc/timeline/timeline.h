// Timeline: time mode. It observes a launch of kernels that were compiled for it (observed kernels,
// cc/ascendc/observe), and says how long it would take on a SoC, and why:
//
//   Timeline timeline(*FindCostProfile("ascend950"));
//   launch.observer = timeline.observer();
//   launch::Status status = launch::Run(launch, &stats);
//   const TimelineResult& result = timeline.Finish();
//
// The kernel computes what it always does, in program order. The result depends on the kernel and
// the profile, not on threads or the machine.
#ifndef CC_ASCENDC_TIMELINE_TIMELINE_H_
#define CC_ASCENDC_TIMELINE_TIMELINE_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cc/ascendc/launch/kernel_abi.h"
#include "cc/ascendc/timeline/chrome_trace.h"
#include "cc/ascendc/timeline/core_recorder.h"
#include "cc/ascendc/timeline/cost_profile.h"
#include "cc/ascendc/timeline/gm_map.h"
#include "cc/ascendc/timeline/result.h"
#include "cc/ascendc/timeline/simulation.h"

namespace attnres::timeline {

// Of one launch. Cores may call the observer from any threads at the same time.
class Timeline {
 public:
  // `profile` must outlive it.
  explicit Timeline(const CostProfile& profile);
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  // A tensor in global memory; before the launch. Without it the host's address decides on what
  // alignment costs.
  // `bypasses_l2`: copies of it do.
  void AddGlobalBuffer(const void* address, uint64_t bytes, bool bypasses_l2 = false);

  const AscendcTwinObserver* observer() const { return &table_.table; }

  // After the launch has ended with success: replays it. The result lives as long as this.
  const TimelineResult& Finish();

  // Precondition: Finish has been called and gave no error.
  std::string ResultText() const;
  std::string TraceText(const TraceOptions& options) const;

 private:
  // What AscendcTwinCore::observer points to, and what belongs to it.
  struct Table {
    AscendcTwinObserver table;
    Timeline* timeline;
  };

  static AscendcTwinObserver MakeTable();
  static void Begin(AscendcTwinCore* core);
  CoreRecorder* AddCore(const AscendcTwinCore& core);

  const CostProfile& profile_;
  Table table_;
  GmMap map_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<CoreRecorder>> recorders_;  // by block
  std::unique_ptr<Simulation> simulation_;
  TimelineResult result_;
};

}  // namespace attnres::timeline

#endif  // CC_ASCENDC_TIMELINE_TIMELINE_H_
