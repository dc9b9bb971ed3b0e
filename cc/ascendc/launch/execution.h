// Execution: the state of one launch that its threads share. Threads call Work until all cores have
// ended; cores call the other functions through the pointers of AscendcTwinCore. helper_pool.h
// lends the threads.
//
// Model: a core is unstarted, running, waiting or ended. `runnable_` counts those that are not
// waiting and not ended; whoever ends a wait adds the cores it wakes before it gives up its own
// place, so it reaches 0 before all cores ended only if nothing can wake the rest: then the launch
// fails instead of hanging.
#ifndef CC_ASCENDC_LAUNCH_EXECUTION_H_
#define CC_ASCENDC_LAUNCH_EXECUTION_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cc/ascendc/launch/core_slot.h"
#include "cc/ascendc/launch/kernel_abi.h"
#include "cc/ascendc/launch/launch.h"
#include "cc/ascendc/launch/print_log.h"

namespace attnres::launch {

// Reused from launch to launch, never destroyed while a helper may still be leaving.
class Execution {
 public:
  // Prepares for a launch. `launch` must live until Finish.
  void Begin(const Launch& launch);
  // Runs cores on the calling thread until none is left for it.
  void Work();
  // Precondition: every thread has returned from Work.
  Status Finish(LaunchStats* stats);

  // A helper thread announces itself before Work (the pool's lock is held) and leaves after it.
  void EnterHelper() { helpers_inside_.fetch_add(1); }
  void LeaveHelper();
  // Precondition: no further helper enters.
  void AwaitHelpers();

 private:
  static constexpr uint32_t kEnded = UINT32_MAX;
  static constexpr uint32_t kFlags = 16;

  // The cores that one thread has begun, and the slots of those that have ended, last one first:
  // the next core finds its UB in cache.
  struct ThreadCores {
    CoreSlot* idle = nullptr;
    std::vector<CoreSlot*> waiting;
  };
  static ThreadCores& ThisThread();

  // Called on fibers.
  static void RunCore(void* slot);
  static void SyncAll(AscendcTwinCore* core);
  static void SyncSome(AscendcTwinCore* core, uint32_t count);
  static void SetFlag(AscendcTwinCore* core, uint32_t flag);
  static void WaitFlag(AscendcTwinCore* core, uint32_t flag);
  static void AwaitLowerCores(AscendcTwinCore* core);
  static void FailCore(AscendcTwinCore* core, const char* message);
  static void Print(AscendcTwinCore* core, const AscendcTwinPlace* place, const char* text);
  static void Dump(AscendcTwinCore* core, const AscendcTwinPlace* place,
                   const AscendcTwinDump* dump);

  void Wait(CoreSlot* slot);
  [[noreturn]] void Abandon(CoreSlot* slot);

  bool StartNext(ThreadCores* cores);
  void PrepareCore(CoreSlot* slot, uint32_t block);
  void Resume(CoreSlot* slot, ThreadCores* cores);
  bool ResumeReady(ThreadCores* cores);
  bool IsReady(const CoreSlot& slot) const;

  void Wake(CoreSlot* slot);
  void Pass(uint32_t block, uint32_t progress);
  void AdvanceFrontier();
  void LosePlace();
  void Fail(uint32_t block, std::string message);
  void FailDeadlock();
  void Signal();
  void AwaitSignal(uint32_t seen);

  const Launch* launch_ = nullptr;
  CoreSlots slots_;
  PrintLog print_log_;
  std::atomic<uint32_t> next_block_{0};
  std::atomic<int64_t> runnable_{0};
  std::atomic<uint32_t> ended_{0};
  std::atomic<uint32_t> arrived_{0};  // cores waiting in SyncAll
  std::atomic<uint32_t> epoch_{0};    // completed SyncAlls
  std::atomic<bool> failed_{false};
  std::atomic<uint64_t> gm_bytes_read_{0};
  std::atomic<uint64_t> gm_bytes_written_{0};
  std::atomic<uint64_t> ub_bytes_taken_{0};
  std::atomic<uint32_t> threads_{0};

  std::atomic<uint32_t> signal_{0};  // changes when a waiting core may have become ready
  std::atomic<uint32_t> sleepers_{0};
  std::atomic<uint32_t> helpers_inside_{0};
  std::atomic<bool> caller_sleeps_{false};  // in AwaitHelpers

  // Rare waits: flags between cores and the order of atomics.
  std::mutex mutex_;
  std::string message_;
  uint32_t message_block_ = 0;
  uint32_t flag_sets_[kFlags] = {};
  std::vector<CoreSlot*> flag_waiters_[kFlags];
  // For each core: SyncAlls it has reached, or kEnded.
  std::unique_ptr<std::atomic<uint32_t>[]> progress_;
  uint32_t progress_capacity_ = 0;
  std::vector<CoreSlot*> order_waiters_;  // by core
  std::atomic<uint32_t> order_waiting_{0};
  uint32_t frontier_ =
      0;  // lowest core still before the SyncAll that comes after frontier_epoch_ ones
  uint32_t frontier_epoch_ = 0;
};

}  // namespace attnres::launch

#endif  // CC_ASCENDC_LAUNCH_EXECUTION_H_
