// See chrome_trace.h.
#include "cc/ascendc/timeline/chrome_trace.h"

#include <algorithm>

#include "cc/ascendc/timeline/json_writer.h"
#include "cc/ascendc/timeline/names.h"

namespace attnres::timeline {
namespace {

constexpr const char* kThreadNames[] = {"scalar (S)", "vector (V)", "copy-in (MTE2)",
                                        "copy-out (MTE3)"};

class CoreWriter {
 public:
  CoreWriter(const CostProfile& profile, const Simulation& simulation, uint32_t core,
             uint32_t budget, JsonWriter* json)
      : simulation_(simulation),
        replay_(simulation.cores()[core]),
        trace_(replay_.trace()),
        core_(core),
        budget_(budget),
        us_per_cycle_(1 / profile.clock_mhz),
        json_(*json) {}

  void Write() {
    Name("process_name", 0, "core " + std::to_string(core_));
    for (uint8_t pipe = 0; pipe < kAscendcTwinPipes; ++pipe) {
      Name("thread_name", pipe, kThreadNames[pipe]);
    }
    for (uint32_t i = 0; i < trace_.steps.size() && written_ < budget_; ++i) WriteStep(i);
  }

 private:
  void Name(const char* what, uint32_t thread, const std::string& name) {
    json_.BeginObject().Field("ph", "M").Field("name", what).Field("pid", core_);
    json_.Field("tid", thread);
    json_.Key("args").BeginObject().Field("name", name).EndObject().EndObject();
  }

  void WriteStep(uint32_t number) {
    const Step& step = trace_.steps[number];
    const StepTimes& times = replay_.times()[number];
    switch (step.kind) {
      case StepKind::kRun:
        return WriteRun(number);
      case StepKind::kCopy: {
        const Copy& copy = trace_.copies[step.index];
        Begin(step.pipe, trace_.names[copy.name], "copy", times.start, times.end, step.place);
        json_.Field("bytes", copy.bytes)
            .Field("alone_us", simulation_.CopyAlone(core_, number) * us_per_cycle_);
        return End();
      }
      case StepKind::kSet:
        return;
      default: {
        if (times.end <= times.start) return;
        const uint8_t pipe = step.pipe == kAscendcTwinPipeAll ? kAscendcTwinPipeS : step.pipe;
        Begin(pipe, WaitName(step), "wait", times.start, times.end, step.place);
        End();
        if (step.kind == StepKind::kWait && times.cause == Cause::kFlag) {
          WriteArrow(step, times);
        }
      }
    }
  }

  static std::string WaitName(const Step& step) {
    if (step.kind == StepKind::kSyncAll) return "SyncAll";
    if (step.kind == StepKind::kBarrier) return std::string("barrier ") + PipeName(step.pipe);
    return std::string("wait for ") + PipeName(step.other);
  }

  void WriteArrow(const Step& step, const StepTimes& times) {
    ++arrow_;
    // Perfetto binds an arrow to the slice around its time: just before the work's end.
    Arrow("s", step.other, LastWorkEnd(times.cause_step), nullptr);
    Arrow("f", step.pipe, times.end, "e");
  }

  double LastWorkEnd(uint32_t set) const {
    const StepTimes& times = replay_.times()[set];
    return times.cause == Cause::kDone ? replay_.times()[times.cause_step].end : times.end;
  }

  void Arrow(const char* phase, uint8_t pipe, double cycles, const char* binding) {
    json_.BeginObject().Field("ph", phase).Field("cat", "flag").Field("name", "flag");
    json_.Field("id", (static_cast<uint64_t>(core_) << 32) | arrow_).Field("pid", core_);
    json_.Field("tid", static_cast<uint32_t>(pipe));
    Time("ts", std::max(0.0, cycles - (binding == nullptr ? 1 : 0)));
    if (binding != nullptr) json_.Field("bp", binding);
    json_.EndObject();
  }

  void WriteRun(uint32_t number) {
    const Step& step = trace_.steps[number];
    const StepTimes& times = replay_.times()[number];
    const Run& run = trace_.runs[step.index];
    if (!run.has_vector()) return;
    if (written_ + run.operations.size() > budget_ / 2) return WriteWholeRun(run, step, times);
    double scalar = times.issued;
    const bool is_first = times.cause_step >= trace_.steps.size();
    double vector = is_first ? 0 : replay_.times()[times.cause_step].end;
    for (const Operation& operation : run.operations) {
      scalar += operation.issue;
      if (!operation.is_vector) continue;
      const double start = std::max(vector + operation.gap, scalar);
      vector = start + operation.duration;
      Begin(kAscendcTwinPipeV, trace_.names[operation.name], "vector", start, vector,
            operation.place);
      End();
    }
  }

  void WriteWholeRun(const Run& run, const Step& step, const StepTimes& times) {
    uint64_t count = 0;
    for (const Operation& operation : run.operations) count += operation.is_vector ? 1 : 0;
    Begin(kAscendcTwinPipeV, std::to_string(count) + " instructions", "vector", times.start,
          times.end, step.place);
    json_.Field("busy_us", run.vector_busy * us_per_cycle_);
    End();
  }

  // An event up to its arguments, to which the caller may add.
  void Begin(uint8_t pipe, const std::string& name, const char* category, double start, double end,
             uint32_t place) {
    ++written_;
    json_.BeginObject().Field("ph", "X").Field("name", name).Field("cat", category);
    json_.Field("pid", core_).Field("tid", static_cast<uint32_t>(pipe));
    Time("ts", start);
    Time("dur", end - start);
    json_.Key("args").BeginObject();
    json_.Field("line", PlaceName(trace_.places[place]));
  }
  void End() { json_.EndObject().EndObject(); }

  void Time(const char* key, double cycles) {
    char digits[40];
    std::snprintf(digits, sizeof(digits), "%.4f", cycles * us_per_cycle_);
    json_.Key(key).Raw(digits);
  }

  const Simulation& simulation_;
  const CoreReplay& replay_;
  const CoreTrace& trace_;
  const uint32_t core_;
  const uint32_t budget_;
  const double us_per_cycle_;
  JsonWriter& json_;
  uint32_t written_ = 0;
  uint64_t arrow_ = 0;
};

}  // namespace

std::string ChromeTrace(const CostProfile& profile, const Simulation& simulation,
                        const TraceOptions& options, const std::string& summary) {
  const uint32_t cores = static_cast<uint32_t>(simulation.cores().size());
  const uint32_t written = std::min(options.cores, cores);
  JsonWriter json;
  json.BeginObject().Field("displayTimeUnit", "ns");
  json.Key("traceEvents").BeginArray();
  for (uint32_t i = 0; i < written; ++i) {
    const uint32_t core =
        written < 2 ? 0 : static_cast<uint32_t>(uint64_t{i} * (cores - 1) / (written - 1));
    CoreWriter(profile, simulation, core, options.events / written, &json).Write();
  }
  json.EndArray();
  json.Key("otherData").Raw(summary).EndObject();
  return json.Take();
}

}  // namespace attnres::timeline
