// The observer's table of functions, and what is only known when all cores have ended.
#include "cc/ascendc/checks/checker.h"

#include <algorithm>
#include <string>
#include <utility>

#include "cc/ascendc/checks/race_text.h"
#include "cc/ascendc/launch/kernel_abi.h"

namespace attnres::checks {

namespace {

CoreChecker& StateOf(AscendcTwinCore* core) { return *static_cast<CoreChecker*>(core->observed); }

// C++ lambdas without captures, as a table of C functions.
AscendcTwinObserver Functions() {
  AscendcTwinObserver functions = {};
  functions.end = [](AscendcTwinCore* core) { StateOf(core).End(); };
  functions.issue = [](AscendcTwinCore* core, const AscendcTwinInstruction* instruction) {
    StateOf(core).Issue(*instruction);
  };
  functions.vector_access = [](AscendcTwinCore* core, uint64_t address, uint64_t bytes,
                               int is_write, uint32_t alignment, const AscendcTwinPlace* place) {
    const AscendcTwinAccess access = {address,
                                      bytes,
                                      is_write != 0 ? "store" : "load",
                                      static_cast<uint16_t>(alignment),
                                      static_cast<uint8_t>(is_write != 0 ? 1 : 0),
                                      0};
    return StateOf(core).VectorAccess(access, *place) ? 1 : 0;
  };
  functions.scalar_access = [](AscendcTwinCore* core, uint64_t address, uint64_t bytes,
                               int is_write, int is_gm, const AscendcTwinPlace* place) {
    const AscendcTwinAccess access = {address,
                                      bytes,
                                      nullptr,
                                      1,
                                      static_cast<uint8_t>(is_write != 0 ? 1 : 0),
                                      static_cast<uint8_t>(is_gm != 0 ? 1 : 0)};
    return StateOf(core).ScalarAccess(access, *place) ? 1 : 0;
  };
  functions.await_vector = [](AscendcTwinCore* core, const AscendcTwinPlace* place) {
    StateOf(core).AwaitVector(*place);
  };
  functions.adjust_copy = [](AscendcTwinCore* core, AscendcTwinCopy* copy,
                             const AscendcTwinPlace* place) {
    StateOf(core).AdjustCopy(copy, *place);
  };
  functions.set_flag = [](AscendcTwinCore* core, uint8_t source, uint8_t target, int32_t id,
                          const AscendcTwinPlace* place) {
    StateOf(core).SetFlag(source, target, id, *place);
  };
  functions.wait_flag = [](AscendcTwinCore* core, uint8_t source, uint8_t target, int32_t id,
                           const AscendcTwinPlace* place) {
    StateOf(core).WaitFlag(source, target, id, *place);
  };
  functions.pipe_barrier = [](AscendcTwinCore* core, uint8_t pipe, const AscendcTwinPlace* place) {
    StateOf(core).Barrier(pipe, *place);
  };
  functions.queue_step = [](AscendcTwinCore* core, const AscendcTwinQueueStep* step,
                            const AscendcTwinPlace* place) {
    StateOf(core).QueueStep(*step, *place);
  };
  functions.sync_all = [](AscendcTwinCore* core, uint32_t, int is_hard,
                          const AscendcTwinPlace* place) {
    return StateOf(core).SyncAll(is_hard != 0, *place) ? 1 : 0;
  };
  functions.synchronised = [](AscendcTwinCore* core) { StateOf(core).Synchronised(); };
  functions.buffer = [](AscendcTwinCore* core, uint32_t ub_offset, uint32_t bytes,
                        const AscendcTwinPlace* place) {
    StateOf(core).Buffer(ub_offset, bytes, *place);
  };
  functions.pipe_reset = [](AscendcTwinCore* core) { StateOf(core).PipeReset(); };
  functions.violation = [](AscendcTwinCore* core, const char* category, const char* message,
                           const AscendcTwinPlace* place) {
    StateOf(core).Violation(category, message, *place);
  };
  functions.tiling_data = [](AscendcTwinCore* core, uint64_t address, uint64_t bytes,
                             const AscendcTwinPlace* place) {
    StateOf(core).TilingData(address, bytes, *place);
  };
  functions.kernel_type = [](AscendcTwinCore* core, int is_vector_only) {
    StateOf(core).KernelType(is_vector_only != 0);
  };
  functions.vector_end = [](AscendcTwinCore* core) { StateOf(core).VectorEnd(); };
  functions.vector_barrier = [](AscendcTwinCore* core, uint8_t source, uint8_t target,
                                const AscendcTwinPlace*) {
    StateOf(core).VectorBarrier(source, target);
  };
  return functions;
}

}  // namespace

Checker::Checker(const CheckOptions& options, const Pass& pass, const GmRegions& regions,
                 uint32_t cores)
    : regions_(regions),
      findings_(options.most_findings),
      epochs_(cores, [this](const CoreAccess& first,
                            const CoreAccess& second) { ReportCross(first, second); }),
      rules_{&options, pass, &regions, &findings_, &epochs_},
      table_{Functions(), this},
      cores_(cores) {
  table_.functions.begin = &Checker::Begin;
}

Checker* Checker::Of(const AscendcTwinCore* core) {
  return reinterpret_cast<const Table*>(core->observer)->checker;
}

void Checker::Begin(AscendcTwinCore* core) {
  Checker* self = Of(core);
  auto state = std::make_unique<CoreChecker>(core, self->rules_);
  core->observed = state.get();
  const std::lock_guard<std::mutex> lock(self->mutex_);
  self->cores_[core->block_idx] = std::move(state);
}

void Checker::ReportCross(const CoreAccess& first, const CoreAccess& second) {
  const Site& first_site = cores_[first.core]->sites().At(first.site);
  const Site& second_site = cores_[second.core]->sites().At(second.site);
  CoreReporter reporter(second.core, &findings_);
  reporter.Report("race", "gm-race-between-cores", second_site.place, first_site.place,
                  [&](Finding* finding) {
                    size_t hint = 0;
                    const GmRegions::Entry* region = regions_.Find(second.begin, &hint);
                    finding->instruction = second_site.name;
                    finding->operand = second_site.operand == nullptr ? "" : second_site.operand;
                    finding->pipe = PipeName(second_site.pipe);
                    finding->other_pipe = PipeName(first_site.pipe);
                    finding->buffer = region->Name();
                    finding->begin = second.begin - region->begin;
                    finding->end = std::min(first.end, second.end) - region->begin;
                    finding->sentence =
                        CrossRaceText(first_site, first.core, first.access != GmAccess::kRead,
                                      second_site, second.core, second.access != GmAccess::kRead);
                  });
}

// Cores that wait in a SyncAll for others that have ended.
void Checker::ReportMissedSyncs() {
  const CoreChecker* ended = nullptr;
  for (const auto& core : cores_) {
    if (core != nullptr && core->phase() == CoreChecker::Phase::kEnded && ended == nullptr) {
      ended = core.get();
    }
  }
  for (const auto& core : cores_) {
    if (ended == nullptr || core == nullptr || core->phase() != CoreChecker::Phase::kInSyncAll) {
      continue;
    }
    CoreReporter reporter(core->core(), &findings_);
    reporter.Report("synchronisation", "sync-all-not-reached", core->sync_place(), kNoPlace,
                    [&](Finding* finding) {
                      finding->sentence = "core " + std::to_string(core->core()) +
                                          " waits in its SyncAll " + std::to_string(core->syncs()) +
                                          ", core " + std::to_string(ended->core()) +
                                          " has ended after " + std::to_string(ended->syncs() - 1) +
                                          ": all cores must call SyncAll equally often";
                    });
  }
}

CheckerResult Checker::Finish(const std::string& message) {
  for (const auto& core : cores_) {
    if (core != nullptr && core->phase() == CoreChecker::Phase::kInSyncAll) {
      core->LeaveEpoch();
    }
  }
  epochs_.Finish();
  bool is_stuck = false;
  CheckerResult result;
  for (const auto& core : cores_) {
    if (core == nullptr) {
      continue;
    }
    is_stuck = is_stuck || core->phase() == CoreChecker::Phase::kStuck;
    result.mutated += core->mutated();
    for (uint32_t pipe = 0; pipe < kPipes; ++pipe) {
      result.instructions[pipe] += core->Instructions(pipe);
    }
    for (const CallSite& site : core->call_sites()) {
      CallSite* known = FindSame(&result.call_sites, site);
      if (known == nullptr) {
        result.call_sites.push_back(site);
        continue;
      }
      known->most_blocks = std::max(known->most_blocks, site.most_blocks);
      for (const std::string& tensor : site.tensors) {
        AddTensor(tensor, known);
      }
    }
    for (const SourcePlace& load : core->PartlyWrittenLoads()) {
      const bool known =
          std::any_of(result.partly_written_loads.begin(), result.partly_written_loads.end(),
                      [&](const SourcePlace& other) {
                        return other.line == load.line && other.file == load.file;
                      });
      if (!known) {
        result.partly_written_loads.push_back(load);
      }
    }
    result.dumps.insert(result.dumps.end(), core->dumps().begin(), core->dumps().end());
  }
  if (!message.empty() && !is_stuck) {
    ReportMissedSyncs();
  }
  result.dropped = findings_.dropped();
  result.findings = findings_.Take();
  return result;
}

}  // namespace attnres::checks
