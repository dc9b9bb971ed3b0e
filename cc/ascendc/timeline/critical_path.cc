// See critical_path.h.
#include "cc/ascendc/timeline/critical_path.h"

#include <algorithm>
#include <vector>

namespace attnres::timeline {
namespace {

constexpr uint32_t kNoStep = UINT32_MAX;

// Walks backwards. It stands at the end of a step on its pipe, or where the scalar unit had dealt
// with it.
class Walker {
 public:
  Walker(const CostProfile& profile, const Simulation& simulation)
      : profile_(profile), simulation_(simulation) {}

  CriticalPath Walk() {
    for (const CoreReplay& core : simulation_.cores()) {
      by_place_.emplace_back(core.trace().places.size(), CriticalPath::Parts{});
    }
    Start();
    while (step_ != kNoStep) {
      if (on_scalar_) {
        LeaveScalar();
      } else {
        LeavePipe();
      }
    }
    if (!simulation_.cores().empty()) path_.total[kPathStart] = core().begin();
    for (uint32_t core = 0; core < by_place_.size(); ++core) {
      const CoreTrace& trace = simulation_.cores()[core].trace();
      for (size_t place = 0; place < trace.places.size(); ++place) {
        AddPlace(LineOf(trace.places[place]), by_place_[core][place]);
      }
    }
    return std::move(path_);
  }

 private:
  const CoreReplay& core() const { return simulation_.cores()[core_]; }
  const CoreTrace& trace() const { return core().trace(); }
  const Step& step() const { return trace().steps[step_]; }
  const StepTimes& times() const { return core().times()[step_]; }

  void Start() {
    double end = -1;
    for (uint32_t i = 0; i < simulation_.cores().size(); ++i) {
      if (simulation_.cores()[i].EndTime() <= end) continue;
      end = simulation_.cores()[i].EndTime();
      core_ = i;
    }
    if (end < 0 || trace().steps.empty()) return;
    step_ = static_cast<uint32_t>(trace().steps.size() - 1);
    on_scalar_ = !core().LastStep(&step_);
    if (!on_scalar_) Add(step().place, kPathLatency, end - times().end);
  }

  void Add(uint32_t place, PathPart part, double cycles) {
    if (cycles > 0) by_place_[core_][place][part] += cycles;
  }

  void AddPlace(const SourceLine& line, const CriticalPath::Parts& parts) {
    if (std::all_of(parts.begin(), parts.end(), [](double cycles) { return cycles == 0; })) return;
    CriticalPath::Parts& sum = path_.lines[line];
    for (size_t part = 0; part < parts.size(); ++part) {
      sum[part] += parts[part];
      path_.total[part] += parts[part];
    }
  }

  void ToScalar(uint32_t step) {
    step_ = step;
    on_scalar_ = true;
  }
  void ToPipe(uint32_t step) {
    step_ = step;
    on_scalar_ = step != kNoStep && this->step().pipe == kAscendcTwinPipeS;
  }

  // Cycles of a run, shared by what its operations take of the vector unit.
  void AddVectorRun(const Run& run, double cycles) {
    if (run.vector <= 0) return Add(step().place, kPathVector, cycles);
    for (const Operation& operation : run.operations) {
      Add(operation.place, kPathVector, cycles * operation.duration / run.vector);
      Add(operation.place, kPathDependency, cycles * operation.gap / run.vector);
    }
  }
  // Of the scalar unit.
  void AddScalarRun(const Run& run, double cycles) {
    if (run.scalar <= 0) return Add(step().place, kPathScalar, cycles);
    for (const Operation& operation : run.operations) {
      Add(operation.place, kPathScalar, cycles * operation.issue / run.scalar);
    }
  }

  void LeaveScalar() {
    const Step& what = step();
    const bool blocks = what.kind == StepKind::kScalarWait || what.kind == StepKind::kSyncAll ||
                        (what.kind == StepKind::kWait && what.pipe == kAscendcTwinPipeS) ||
                        (what.kind == StepKind::kBarrier && what.pipe == kAscendcTwinPipeAll);
    if (blocks && times().cause != Cause::kPrevious) return LeaveBlockedScalar();
    const double begin = step_ == 0 ? core().begin() : core().ScalarEnd(step_ - 1);
    const double cycles = core().ScalarEnd(step_) - begin;
    if (what.kind == StepKind::kRun) {
      AddScalarRun(trace().runs[what.index], cycles);
    } else {
      Add(what.place, kPathScalar, cycles);
    }
    ToScalar(step_ == 0 ? kNoStep : step_ - 1);
  }

  void LeaveBlockedScalar() {
    const StepTimes& at = times();
    if (at.cause == Cause::kSyncAll) {
      const auto [core, last] = simulation_.LastToSyncAll({core_, step_});
      Add(step().place, kPathSyncAll, profile_.sync_all_cycles);
      core_ = core;
      return ToScalar(last - 1);  // the barrier before it
    }
    Add(step().place, kPathScalar, profile_.flag_cycles);
    LeaveWait(at.end - profile_.flag_cycles, kAscendcTwinPipeS);
  }

  void LeavePipe() {
    const StepTimes& at = times();
    const Step& what = step();
    switch (what.kind) {
      case StepKind::kRun: {
        const Run& run = trace().runs[what.index];
        if (at.cause != Cause::kPrevious) {
          AddVectorRun(run, at.end - at.issued);
          return ToScalar(step_ == 0 ? kNoStep : step_ - 1);
        }
        AddVectorRun(run, at.end - core().times()[at.cause_step].end);
        return ToPipe(at.cause_step);
      }
      case StepKind::kCopy: {
        const double alone = std::min(at.end - at.start, simulation_.CopyAlone(core_, step_));
        const bool is_write = trace().copies[what.index].is_write;
        Add(what.place, is_write ? kPathCopyOut : kPathCopyIn, alone);
        Add(what.place, kPathBandwidth, at.end - at.start - alone);
        break;
      }
      default:
        return LeaveWait(at.end, what.pipe);
    }
    if (at.cause == Cause::kIssue) return ToScalar(step_);
    ToPipe(at.cause == Cause::kStart ? kNoStep : at.cause_step);
  }

  // From a step that ended at `time` because of another.
  void LeaveWait(double time, uint8_t pipe) {
    const StepTimes at = times();
    const uint32_t place = step().place;
    switch (at.cause) {
      case Cause::kIssue:
        return ToScalar(step_);
      case Cause::kFlag:
      case Cause::kDone: {
        ToPipe(at.cause_step);
        AddWait(place, pipe, time - at.start);
        if (at.cause == Cause::kDone) Add(step().place, kPathLatency, time - times().end);
        return;
      }
      default:
        return ToPipe(at.cause == Cause::kStart ? kNoStep : at.cause_step);
    }
  }

  // Called where the walk has gone on to: past flags, to the work that they told of.
  void AddWait(uint32_t place, uint8_t pipe, double cycles) {
    if (cycles <= 0) return;
    uint32_t work = step_;
    while (work != kNoStep &&
           (trace().steps[work].kind == StepKind::kSet ||
            trace().steps[work].kind == StepKind::kWait) &&
           core().times()[work].cause != Cause::kStart &&
           core().times()[work].cause != Cause::kIssue) {
      work = core().times()[work].cause_step;
    }
    if (work == kNoStep) return;
    const Step& other = trace().steps[work];
    path_.waits[{LineOf(trace().places[place]), pipe, LineOf(trace().places[other.place]),
                 other.pipe}] += cycles;
  }

  const CostProfile& profile_;
  const Simulation& simulation_;
  CriticalPath path_;
  std::vector<std::vector<CriticalPath::Parts>> by_place_;  // of each core
  uint32_t core_ = 0;
  uint32_t step_ = kNoStep;
  bool on_scalar_ = false;
};

}  // namespace

const char* PathPartName(uint8_t part) {
  constexpr const char* kNames[] = {"scalar",    "vector",  "dependency", "copy_in", "copy_out",
                                    "bandwidth", "latency", "sync_all",   "start"};
  return kNames[part];
}

SourceLine LineOf(const AscendcTwinPlace& place) {
  std::string file = place.file == nullptr ? "" : place.file;
  // A header that was included as "../x.h" is the same file as x.h.
  for (size_t up = file.find("/../"); up != file.npos && up > 0; up = file.find("/../")) {
    const size_t folder = file.rfind('/', up - 1);
    file.erase(folder == file.npos ? 0 : folder + 1,
               up + 4 - (folder == file.npos ? 0 : folder + 1));
  }
  return {file, place.line};
}

CriticalPath FindCriticalPath(const CostProfile& profile, const Simulation& simulation) {
  return Walker(profile, simulation).Walk();
}

}  // namespace attnres::timeline
