// What happens on a core, in the order in which the kernel says it.
#include "cc/ascendc/checks/core_checker.h"

#include <cstring>
#include <string>
#include <utility>

#include "cc/ascendc/checks/names.h"

namespace attnres::checks {

CoreChecker::CoreChecker(AscendcTwinCore* core, const LaunchRules& rules)
    : core_(core),
      rules_(&rules),
      reporter_(core->block_idx, rules.findings),
      memory_({core->ub, core->ub_bytes}, rules.regions, rules.pass.is_full,
              !rules.options->auto_sync, &reporter_),
      pipes_(rules.pass.order, rules.options->auto_sync || rules.options->arch == 3510, this) {
  // What was left by another launch would make a fault's results differ from run to run.
  std::memset(core->ub, rules.pass.ub_fill, core->ub_bytes);
  for (uint32_t i = 0; i < flags_.size(); ++i) {
    flags_[i].id = static_cast<int32_t>(i % kEventIds);
    flags_[i].target = static_cast<uint8_t>(i / kEventIds % kPipes);
    flags_[i].source = static_cast<uint8_t>(i / kEventIds / kPipes);
  }
}

void CoreChecker::Issue(const AscendcTwinInstruction& instruction) {
  if (!Enter()) {
    return;
  }
  if (TellsCallsApart()) {
    uses_.Visit(instruction.place);
    NoteTensors(instruction);
  }
  if (instruction.discovers == kAscendcTwinDiscoversUntilEnd) {
    if (OpenScope(instruction.place)) {
      function_ = instruction.name;
    }
    return;
  }
  pipes_.Issue(instruction);
}

void CoreChecker::Perform(const AscendcTwinInstruction& instruction, uint32_t number,
                          const Clock& known) {
  if (memory_.InBounds(instruction)) {
    const Moment moment = {instruction.pipe, number, known};
    memory_.Record(instruction, moment);
    const bool discovers = instruction.discovers != kAscendcTwinDiscoversNothing;
    if (discovers) {
      function_ = instruction.name;
      scope_ = moment;  // not on the stack of a core that may fail meanwhile
    }
    instruction.run(instruction.closure);
    if (discovers) {
      function_ = nullptr;
      memory_.EndFunction(scope_);
    }
  } else {
    memory_.RecordSkipped(instruction);
  }
  if (!rules_->options->dumps.empty()) {
    TakeDumps(instruction.place);
  }
}

// A vector scope runs as the kernel comes to it: what the vector pipe was given before runs first.
bool CoreChecker::OpenScope(const AscendcTwinPlace& place) {
  if (phase_ == Phase::kStuck) {
    return false;
  }
  if (!pipes_.Drain(kAscendcTwinPipeV)) {
    Stop(nullptr, place);
    return false;
  }
  scope_.pipe = kAscendcTwinPipeV;
  scope_.number = pipes_.BeginScope(&scope_.known);
  scope_open_ = true;
  function_ = "__VEC_SCOPE__";
  return true;
}

void CoreChecker::CloseScope() {
  scope_open_ = false;
  function_ = nullptr;
  memory_.EndFunction(scope_);
}

void CoreChecker::VectorBarrier(uint8_t source, uint8_t target) {
  if (source == kAscendcTwinVecStore || source == kAscendcTwinVecAll) {
    memory_.VectorBarrier(target == kAscendcTwinVecLoad || target == kAscendcTwinVecAll,
                          target == kAscendcTwinVecStore || target == kAscendcTwinVecAll);
  }
}

bool CoreChecker::ScalarAccess(const AscendcTwinAccess& access, const AscendcTwinPlace& place) {
  if (!Enter() || !memory_.ScalarInBounds(access, place)) {
    return false;
  }
  if (memory_.IsUb(access) && rules_->options->auto_sync) {
    if (!pipes_.AwaitConflicts(access.address, access.bytes, access.is_write == 0)) {
      Stop(nullptr, place);
      return false;
    }
    for (uint32_t pipe = kAscendcTwinPipeV; pipe < kPipes; ++pipe) {
      pipes_.ScalarLearns(pipe, memory_.LatestInUb(pipe, access));
    }
  }
  Moment moment = {kAscendcTwinPipeS, 0, {}};
  moment.number = pipes_.BeginScalar(&moment.known);
  memory_.RecordScalar(access, place, moment);
  return true;
}

void CoreChecker::AwaitVector(const AscendcTwinPlace& place) {
  if (!Enter()) {
    return;
  }
  if (!pipes_.Drain(kAscendcTwinPipeV)) {
    Stop(nullptr, place);
    return;
  }
  if (rules_->options->auto_sync) {
    pipes_.ScalarLearns(kAscendcTwinPipeV, pipes_.Begun(kAscendcTwinPipeV));
  }
}

void CoreChecker::Barrier(uint8_t pipe, const AscendcTwinPlace& place) {
  if (!Enter() || IsDropped(CallKind::kPipeBarrier, place)) {
    return;
  }
  if (pipe < kPipes) {
    pipes_.Barrier(pipe, place);
  } else if (pipe == kAscendcTwinPipeAll && !pipes_.BarrierAll()) {
    Stop(nullptr, place);
  }
}

bool CoreChecker::SyncAll(bool is_hard, const AscendcTwinPlace& place) {
  if (!Enter() || IsDropped(CallKind::kSyncAll, place)) {
    return false;
  }
  if (is_hard && is_vector_only_) {
    reporter_.Report("synchronisation", "hard-sync-all", place, kNoPlace, [](Finding* finding) {
      finding->sentence =
          "SyncAll without a workspace needs a kernel type with matrix cores, this kernel's is "
          "AIV_ONLY: declare a MIX type, or give SyncAll its workspace";
    });
  }
  if (!pipes_.BarrierAll()) {
    Stop(nullptr, place);
    return false;
  }
  phase_ = Phase::kInSyncAll;
  sync_place_ = place;
  if (rules_->pass.is_full) {
    const std::vector<CoreAccess> accesses = Flatten(memory_.gm(), core());
    before_sync_.insert(before_sync_.end(), accesses.begin(), accesses.end());
  }
  memory_.gm().Clear();
  return true;
}

// What the core did between a CrossCoreSetFlag and its CrossCoreWaitFlag is ordered neither with
// what others did before their set nor with what they do after their wait: it belongs to both
// epochs.
void CoreChecker::Synchronised() {
  if (phase_ == Phase::kInSyncAll) {
    LeaveEpoch();
    phase_ = Phase::kRunning;
  }
}

void CoreChecker::LeaveEpoch() {
  if (rules_->pass.is_full) {
    const std::vector<CoreAccess> accesses = Flatten(memory_.gm(), core());
    before_sync_.insert(before_sync_.end(), accesses.begin(), accesses.end());
    rules_->epochs->Leave(syncs_, std::move(before_sync_));
    before_sync_.clear();
  }
  ++syncs_;
}

void CoreChecker::Buffer(uint32_t ub_offset, uint32_t bytes, const AscendcTwinPlace& place) {
  if (!Enter()) {
    return;
  }
  const uint64_t end = uint64_t{ub_offset} + bytes;
  if (end <= core_->ub_bytes) {
    memory_.buffers().Make(ub_offset, bytes, place);
    return;
  }
  reporter_.Report("memory", "ub-overflow", place, kNoPlace, [&](Finding* finding) {
    finding->sentence = "the buffers need " + std::to_string(end) + " bytes of UB, the core has " +
                        std::to_string(core_->ub_bytes) + ": make them smaller or fewer";
    finding->buffer = "UB";
    finding->begin = ub_offset;
    finding->end = end;
  });
}

void CoreChecker::PipeReset() {
  if (!Enter()) {
    return;
  }
  ReportLeftTensors();
  queues_.Reset();
  memory_.buffers().Reset();
  has_pipe_ = true;
}

void CoreChecker::TilingData(uint64_t address, uint64_t bytes, const AscendcTwinPlace& place) {
  size_t hint = 0;
  const GmRegions::Entry* region = rules_->regions->Find(address, &hint);
  if (region == nullptr || region->region.kind != RegionKind::kTiling ||
      region->region.bytes == bytes) {
    return;
  }
  reporter_.Report("memory", "tiling-size", place, kNoPlace, [&](Finding* finding) {
    finding->buffer = region->Name();
    finding->begin = address - region->begin;
    finding->end = finding->begin + bytes;
    finding->sentence = "the kernel's tiling struct has " + std::to_string(bytes) +
                        " bytes, the launch gives " + std::to_string(region->region.bytes) +
                        ": host and kernel must use the same struct";
  });
}

void CoreChecker::End() {
  if (!Enter()) {
    return;
  }
  if (!pipes_.BarrierAll()) {
    Stop(nullptr, kNoPlace);
    return;
  }
  ReportLeftFlags();
  ReportLeftTensors();
  phase_ = Phase::kEnded;
  LeaveEpoch();
}

void CoreChecker::Stop(const Flag* flag, const AscendcTwinPlace& place) {
  phase_ = Phase::kStuck;
  ReportStuck(flag, place);
  // No destructor runs above this line.
  core_->fail(core_, failure_.c_str());
}

void CoreChecker::ReportStuck(const Flag* flag, const AscendcTwinPlace& place) {
  const PipeQueue::Stuck stuck = pipes_.Describe(flag, place);
  const std::string wait = stuck.flag == nullptr ? "a wait" : stuck.flag->Wait();
  const std::string event =
      stuck.flag == nullptr ? "" : EventName(stuck.flag->source, stuck.flag->target);
  failure_ = wait + " at " + PlaceText(stuck.place) + " never ends";
  const AscendcTwinPlace set = stuck.is_set_behind ? stuck.flag->set : kNoPlace;
  reporter_.Report(
      "synchronisation", stuck.is_set_behind ? "wait-cycle" : "flag-never-set", stuck.place, set,
      [&](Finding* finding) {
        if (stuck.flag != nullptr) {
          finding->pipe = PipeName(stuck.flag->target);
          finding->other_pipe = PipeName(stuck.flag->source);
        }
        finding->sentence =
            stuck.is_set_behind
                ? wait +
                      " waits for a SetFlag that stands behind another wait: move the SetFlag "
                      "before it"
                : wait + " waits for a flag that nobody sets: put SetFlag<" + event +
                      "> with the same id before it, or remove the wait";
        finding->sentence += " (" + stuck.pipes + ")";
      });
}

void CoreChecker::TakeDumps(const AscendcTwinPlace& place) {
  const std::vector<DumpRequest>& requests = rules_->options->dumps;
  for (uint32_t i = 0; i < requests.size(); ++i) {
    const UbBuffer* buffer = memory_.buffers().At(requests[i].buffer);
    if (buffer == nullptr || !IsAt(place, {requests[i].file, requests[i].line, 0})) {
      continue;
    }
    Dump* dump = nullptr;
    for (Dump& known : dumps_) {
      dump = known.request == i ? &known : dump;
    }
    if (dump == nullptr) {
      dumps_.push_back({i, core(), {}});
      dump = &dumps_.back();
    }
    dump->bytes.assign(core_->ub + buffer->begin, core_->ub + buffer->end);
  }
}

}  // namespace attnres::checks
