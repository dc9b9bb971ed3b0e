// CoreSlot: what one virtual core needs while it runs: a fiber, a Unified Buffer and the record the
// kernel sees. CoreSlots keeps the idle ones of one thread, so that a repeated launch allocates
// nothing and finds its UB in cache.
#ifndef CC_ASCENDC_LAUNCH_CORE_SLOT_H_
#define CC_ASCENDC_LAUNCH_CORE_SLOT_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "cc/ascendc/launch/fiber.h"
#include "cc/ascendc/launch/kernel_abi.h"

namespace attnres::launch {

class Execution;

// How a core left its thread.
enum class CorePhase : uint8_t { kRunning, kWaiting, kEnded, kAbandoned };

// Invariant: only the thread that acquired the slot touches it, except `released`, which the core
// that ends a wait sets.
struct CoreSlot {
  ~CoreSlot();

  Fiber fiber;
  AscendcTwinCore core = {};
  Execution* execution = nullptr;
  CorePhase phase = CorePhase::kEnded;
  bool waits_for_epoch = false;  // otherwise for `released`
  uint32_t epoch = 0;            // of the launch when this core reached its SyncAll
  std::atomic<bool> released{false};
  uint32_t flag_waits[16] = {};  // waits so far, by flag
  uint32_t flag_target = 0;      // sets that the current wait needs
  uint8_t* ub = nullptr;
  uint64_t ub_capacity = 0;
};

class CoreSlots {
 public:
  // An idle slot with at least `ub_bytes` of UB, or null if there is no memory. The UB keeps what
  // was in it.
  CoreSlot* Acquire(uint64_t ub_bytes);
  void Release(CoreSlot* slot) { idle_.push_back(slot); }

 private:
  std::vector<std::unique_ptr<CoreSlot>> all_;
  std::vector<CoreSlot*> idle_;
};

}  // namespace attnres::launch

#endif  // CC_ASCENDC_LAUNCH_CORE_SLOT_H_
