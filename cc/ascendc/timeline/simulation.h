// Simulation: the cores of a launch replayed together. Copies that go on at the same time share the
// bandwidth of global memory and of the L2 cache, and SyncAll joins the cores. It is sequential and
// orders equal times by core, so the result is a function of the traces alone. A core is simulated
// by itself, however many are alike: the work is per step and per copy, not per instruction.
#ifndef CC_ASCENDC_TIMELINE_SIMULATION_H_
#define CC_ASCENDC_TIMELINE_SIMULATION_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cc/ascendc/timeline/core_replay.h"
#include "cc/ascendc/timeline/core_trace.h"
#include "cc/ascendc/timeline/cost_profile.h"
#include "cc/ascendc/timeline/gm_map.h"
#include "cc/ascendc/timeline/l2_cache.h"
#include "cc/ascendc/timeline/shared_bandwidth.h"

namespace attnres::timeline {

// Bytes that crossed the edge of global memory, which L2 makes fewer than those copied.
struct MemoryTraffic {
  double read = 0;
  double written = 0;
  double hit = 0;  // copied in from L2
};

class Simulation {
 public:
  using CoreStep = std::pair<uint32_t, uint32_t>;

  // All must outlive it.
  Simulation(const CostProfile& profile, const std::vector<const CoreTrace*>& traces,
             const GmMap& map);

  // Replays to the end. On failure, a deadlock, the message says what each core waits for.
  bool Run(std::string* message);

  const std::vector<CoreReplay>& cores() const { return cores_; }
  const MemoryTraffic& traffic() const { return traffic_; }
  // Cycles that the copy of this step would take, had it the memory for itself.
  double CopyAlone(uint32_t core, uint32_t step) const;
  // The core that came last to the SyncAll that this step passed.
  CoreStep LastToSyncAll(CoreStep passed) const;

 private:
  struct Start {
    double time;
    uint32_t core;
    uint32_t step;

    bool operator>(const Start& other) const {
      if (time != other.time) return time > other.time;
      return core != other.core ? core > other.core : step > other.step;
    }
  };

  // Of a copy so far: bytes with what lines cost beside them, cycles that its core takes for them,
  // bytes that cross the edge of global memory.
  struct Demand {
    double bytes = 0;
    double cycles = 0;
    double moved = 0;
    double written_back = 0;
  };

  void Advance(uint32_t core);
  void Begin(const Start& start);
  Transfer Measure(const CoreTrace& trace, const Copy& copy);
  void AddBlock(uint64_t host_address, uint64_t bytes, const Copy& copy, Demand* demand);
  void EndCopies(double time);
  bool PassSyncAlls();
  void Pass(std::vector<uint32_t> cores);
  std::string DescribeDeadlock() const;

  const CostProfile& profile_;
  const GmMap& map_;
  std::vector<CoreReplay> cores_;
  std::vector<std::vector<float>> alone_;  // by core and copy
  SharedBandwidth bandwidth_;
  L2Cache l2_;
  MemoryTraffic traffic_;
  std::vector<Start> starts_;  // a heap, the earliest on top
  std::vector<CopyStart> new_starts_;
  std::vector<CoreStep> transfers_;  // by transfer id
  std::vector<uint32_t> free_ids_;
  std::map<CoreStep, CoreStep> last_to_sync_all_;
  bool joins_some_ = false;  // a SyncAll of a part of the cores has been seen
};

}  // namespace attnres::timeline

#endif  // CC_ASCENDC_TIMELINE_SIMULATION_H_
