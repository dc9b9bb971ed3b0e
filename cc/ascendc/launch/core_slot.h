// CoreSlot: what one virtual core needs while it runs: a fiber, a Unified Buffer and the record the
// kernel sees. CoreSlots holds those of one launch and keeps them for the next, so that a repeated
// launch allocates nothing and the memory is that of the launch's cores, however many threads run
// them.
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

// Invariant: only the thread that took the slot touches it, except `released`, which the core that
// ends a wait sets.
struct CoreSlot {
  ~CoreSlot();

  // Maps what is missing of stack and UB. False if there is no memory. The UB keeps what was in it.
  bool Reserve(uint64_t ub_bytes);

  Fiber fiber;
  AscendcTwinCore core = {};
  Execution* execution = nullptr;
  CorePhase phase = CorePhase::kEnded;
  bool waits_for_epoch = false;  // otherwise for `released`
  uint32_t epoch = 0;            // of the launch when this core reached its SyncAll
  std::atomic<bool> released{false};
  uint32_t flag_waits[16] = {};  // waits so far, by flag
  uint32_t flag_target = 0;      // sets that the current wait needs
  bool has_stack = false;
  uint8_t* ub = nullptr;
  uint64_t ub_capacity = 0;
  CoreSlot* next = nullptr;  // in the list of idle slots of a thread
};

class CoreSlots {
 public:
  // Before a launch of `count` cores; all slots are idle.
  void Begin(uint32_t count);
  // A slot that no core of this launch has used yet, or null if there is no memory. Threads may
  // call it at the same time. Precondition: at most `count` calls in a launch.
  CoreSlot* TakeUnused(uint64_t ub_bytes);

 private:
  std::vector<std::unique_ptr<CoreSlot>> slots_;
  std::atomic<uint32_t> taken_{0};
};

}  // namespace attnres::launch

#endif  // CC_ASCENDC_LAUNCH_CORE_SLOT_H_
