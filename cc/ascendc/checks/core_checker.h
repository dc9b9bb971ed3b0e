// CoreChecker: all rules for one core of one launch. checker.h makes one per core and hands it what
// the kernel tells the observer; pipe_queue.h decides when instructions run, core_memory.h looks at
// what they touch.
//
// A core whose pipes are stuck reports that and fails, which ends the launch; afterwards it ignores
// whatever it is told.
#ifndef CC_ASCENDC_CHECKS_CORE_CHECKER_H_
#define CC_ASCENDC_CHECKS_CORE_CHECKER_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cc/ascendc/checks/call_uses.h"
#include "cc/ascendc/checks/core_memory.h"
#include "cc/ascendc/checks/core_reporter.h"
#include "cc/ascendc/checks/finding.h"
#include "cc/ascendc/checks/gm_epochs.h"
#include "cc/ascendc/checks/gm_regions.h"
#include "cc/ascendc/checks/options.h"
#include "cc/ascendc/checks/order.h"
#include "cc/ascendc/checks/pipe_queue.h"
#include "cc/ascendc/checks/queue_rules.h"
#include "cc/ascendc/launch/kernel_abi.h"
#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::checks {

// What the cores of a launch share. It outlives them.
struct LaunchRules {
  const CheckOptions* options;
  Pass pass;
  const GmRegions* regions;
  FindingList* findings;
  GmEpochs* epochs;
};

class CoreChecker : public Performer {
 public:
  enum class Phase : uint8_t { kRunning, kInSyncAll, kEnded, kStuck };

  CoreChecker(AscendcTwinCore* core, const LaunchRules& rules);

  // As the functions of AscendcTwinObserver.
  void Issue(const AscendcTwinInstruction& instruction);
  bool VectorAccess(const AscendcTwinAccess& access, const AscendcTwinPlace& place) {
    if (function_ == nullptr && !OpenScope(place)) {
      return false;
    }
    return memory_.VectorAccess(function_, access, place);
  }
  void VectorEnd() { Enter(); }
  void VectorBarrier(uint8_t source, uint8_t target);
  bool ScalarAccess(const AscendcTwinAccess& access, const AscendcTwinPlace& place);
  void AwaitVector(const AscendcTwinPlace& place);
  void AdjustCopy(AscendcTwinCopy* copy, const AscendcTwinPlace& place);
  void SetFlag(uint8_t source, uint8_t target, int32_t id, const AscendcTwinPlace& place);
  void WaitFlag(uint8_t source, uint8_t target, int32_t id, const AscendcTwinPlace& place);
  void Barrier(uint8_t pipe, const AscendcTwinPlace& place);
  void QueueStep(const AscendcTwinQueueStep& step, const AscendcTwinPlace& place);
  bool SyncAll(bool is_hard, const AscendcTwinPlace& place);
  void Synchronised();
  void Buffer(uint32_t ub_offset, uint32_t bytes, const AscendcTwinPlace& place);
  void PipeReset();
  void TilingData(uint64_t address, uint64_t bytes, const AscendcTwinPlace& place);
  void KernelType(bool is_vector_only) { is_vector_only_ = is_vector_only; }
  void Violation(const char* category, const char* message, const AscendcTwinPlace& place) {
    reporter_.ReportInstruction(category, message, place);
  }
  void End();

  // Of a launch that is over.
  Phase phase() const { return phase_; }
  uint32_t core() const { return reporter_.core(); }
  uint32_t syncs() const { return syncs_; }
  const AscendcTwinPlace& sync_place() const { return sync_place_; }
  const SiteTable& sites() const { return memory_.sites(); }
  std::vector<SourcePlace> PartlyWrittenLoads() const {
    std::vector<SourcePlace> places;
    for (const AscendcTwinPlace& place : memory_.PartlyWrittenLoads()) {
      places.push_back(CopyPlace(place));
    }
    return places;
  }
  const std::vector<CallSite>& call_sites() const { return call_sites_; }
  const std::vector<Dump>& dumps() const { return dumps_; }
  uint64_t mutated() const { return mutated_; }
  uint32_t Instructions(uint32_t pipe) const { return pipes_.Begun(pipe); }
  // Hands over what the core did to global memory since its last SyncAll, or before the one in
  // which it stands.
  void LeaveEpoch();

  void Perform(const AscendcTwinInstruction& instruction, uint32_t number,
               const Clock& known) override;

 private:
  static constexpr int32_t kEventIds = 8;
  static constexpr int32_t kStaticEventIds = 6;  // without a TPipe two are reserved

  // Ends an open scope; false if the core is stuck and must be left alone.
  bool Enter() {
    if (scope_open_) {
      CloseScope();
    }
    return phase_ != Phase::kStuck;
  }
  bool OpenScope(const AscendcTwinPlace& place);
  void CloseScope();
  // Reports where the pipes stand and fails the core. `flag`: for which the scalar unit waits.
  void Stop(const Flag* flag, const AscendcTwinPlace& place);
  void ReportStuck(const Flag* flag, const AscendcTwinPlace& place);

  Flag* FindFlag(uint8_t source, uint8_t target, int32_t id, const char* call,
                 const AscendcTwinPlace& place);
  void WaitFor(Flag* flag, const AscendcTwinPlace& place);
  void ReportSetTwice(const Flag& flag, const AscendcTwinPlace& place);
  void ReportLeftFlags();
  void ReportLeftTensors();
  // What the last turn of a queue's buffer left there is gone.
  void ForgetLastTurn(const AscendcTwinQueueStep& step);
  void ReportHeldEvents(uint8_t source, uint8_t target, const AscendcTwinPlace& place);

  // Calls are recorded, or one is mutated.
  bool TellsCallsApart() const {
    return rules_->options->record_call_sites ||
           rules_->options->mutation.site.kind != CallKind::kNone;
  }
  // Which use of the call comes now; it is recorded if that is wanted.
  void BeginCall(CallKind kind, const AscendcTwinPlace& place);
  // A mutation takes this call away. Begins the call.
  bool IsDropped(CallKind kind, const AscendcTwinPlace& place);
  // The mutation changes the call that has begun.
  bool IsMutated(CallKind kind, const AscendcTwinPlace& place);
  void NoteCall(CallKind kind, const AscendcTwinPlace& place);
  // The tensors that the recorded copy moves.
  void NoteTensors(const AscendcTwinInstruction& instruction);
  void TakeDumps(const AscendcTwinPlace& place);

  AscendcTwinCore* core_;
  const LaunchRules* rules_;
  CoreReporter reporter_;
  CoreMemory memory_;
  PipeQueue pipes_;
  std::array<Flag, kPipes * kPipes * kEventIds> flags_;
  QueueRules queues_;
  Phase phase_ = Phase::kRunning;
  bool scope_open_ = false;
  bool has_pipe_ = false;  // a TPipe
  bool is_vector_only_ = false;
  const char* function_ = nullptr;  // the vector function that runs
  Moment scope_ = {};
  uint32_t syncs_ = 0;                   // that the core has passed
  std::vector<CoreAccess> before_sync_;  // of the SyncAll in which the core stands
  AscendcTwinPlace sync_place_ = kNoPlace;
  std::string failure_;  // here, not on the stack: a core that fails never returns to it
  CallUses uses_;
  uint32_t use_ = 0;  // of the call that has begun
  std::vector<CallSite> call_sites_;
  CallSite* noted_copy_ = nullptr;  // until it is issued
  std::vector<Dump> dumps_;
  uint64_t mutated_ = 0;
};

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_CORE_CHECKER_H_
