// See timeline.h.
#include "cc/ascendc/timeline/timeline.h"

#include "cc/ascendc/timeline/result_json.h"

namespace attnres::timeline {
namespace {

CoreRecorder& Of(AscendcTwinCore* core) { return *static_cast<CoreRecorder*>(core->observed); }

}  // namespace

Timeline::Timeline(const CostProfile& profile) : profile_(profile), table_{MakeTable(), this} {}

AscendcTwinObserver Timeline::MakeTable() {
  AscendcTwinObserver table = {};
  table.begin = &Timeline::Begin;
  table.end = [](AscendcTwinCore* core) { Of(core).End(); };
  table.issue = [](AscendcTwinCore* core, const AscendcTwinInstruction* instruction) {
    Of(core).Issue(*instruction);
  };
  table.vector_access = [](AscendcTwinCore* core, uint64_t address, uint64_t bytes, int is_write,
                           uint32_t, const AscendcTwinPlace*) {
    Of(core).VectorAccess(address, bytes, is_write != 0);
    return 1;
  };
  table.scalar_access = [](AscendcTwinCore* core, uint64_t address, uint64_t bytes, int, int is_gm,
                           const AscendcTwinPlace* place) {
    Of(core).ScalarAccess(address, bytes, is_gm != 0, *place);
    return 1;
  };
  table.await_vector = [](AscendcTwinCore* core, const AscendcTwinPlace* place) {
    Of(core).AwaitVector(*place);
  };
  table.register_operation = [](AscendcTwinCore* core, const char* name, uint32_t element_bytes) {
    Of(core).RegisterOperation(name, element_bytes);
  };
  table.vector_end = [](AscendcTwinCore* core) { Of(core).VectorEnd(); };
  table.set_flag = [](AscendcTwinCore* core, uint8_t source, uint8_t target, int32_t id,
                      const AscendcTwinPlace* place) {
    Of(core).SetFlag(source, target, id, *place);
  };
  table.wait_flag = [](AscendcTwinCore* core, uint8_t source, uint8_t target, int32_t id,
                       const AscendcTwinPlace* place) {
    Of(core).WaitFlag(source, target, id, *place);
  };
  table.pipe_barrier = [](AscendcTwinCore* core, uint8_t pipe, const AscendcTwinPlace* place) {
    Of(core).PipeBarrier(pipe, *place);
  };
  table.queue_step = [](AscendcTwinCore* core, const AscendcTwinQueueStep* step,
                        const AscendcTwinPlace* place) { Of(core).QueueStep(*step, *place); };
  table.sync_all = [](AscendcTwinCore* core, uint32_t count, int, const AscendcTwinPlace* place) {
    Of(core).SyncAll(count, *place);
    return 1;
  };
  table.pipe_reset = [](AscendcTwinCore* core) { Of(core).PipeReset(); };
  return table;
}

void Timeline::Begin(AscendcTwinCore* core) {
  const Table* table = reinterpret_cast<const Table*>(core->observer);
  core->observed = table->timeline->AddCore(*core);
}

CoreRecorder* Timeline::AddCore(const AscendcTwinCore& core) {
  auto recorder = std::make_unique<CoreRecorder>(profile_, core);
  CoreRecorder* const added = recorder.get();
  std::lock_guard<std::mutex> lock(mutex_);
  if (recorders_.size() <= core.block_idx) recorders_.resize(core.block_idx + 1);
  recorders_[core.block_idx] = std::move(recorder);
  return added;
}

void Timeline::AddGlobalBuffer(const void* address, uint64_t bytes, bool bypasses_l2) {
  map_.Add(reinterpret_cast<uint64_t>(address), bytes, bypasses_l2);
}

const TimelineResult& Timeline::Finish() {
  std::vector<const CoreTrace*> traces;
  for (const auto& recorder : recorders_) {
    if (recorder != nullptr) traces.push_back(&recorder->trace());
  }
  simulation_ = std::make_unique<Simulation>(profile_, traces, map_);
  std::string error;
  if (simulation_->Run(&error)) {
    result_ = MakeResult(profile_, *simulation_);
  } else {
    result_.profile = &profile_;
    result_.cores = static_cast<uint32_t>(traces.size());
    result_.error = error;
  }
  return result_;
}

std::string Timeline::ResultText() const { return ResultJson(result_); }

std::string Timeline::TraceText(const TraceOptions& options) const {
  return ChromeTrace(profile_, *simulation_, options, ResultText());
}

}  // namespace attnres::timeline
