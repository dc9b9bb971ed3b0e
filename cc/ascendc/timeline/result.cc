// Sums over cores and lines; see result.h.
#include "cc/ascendc/timeline/result.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace attnres::timeline {
namespace {

template <typename Values>
double Sum(const Values& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

class LineTable {
 public:
  LineTable(const CostProfile& profile, uint32_t cores) : profile_(profile), cores_(cores) {}

  // What one core did, as lines of its own trace first: there are far fewer than steps.
  void Add(const CoreReplay& core) {
    const CoreTrace& trace = core.trace();
    std::vector<LineResult> by_place(trace.places.size());
    std::vector<uint64_t> run_counts(trace.runs.size(), 0);
    for (size_t i = 0; i < trace.steps.size(); ++i) {
      const Step& step = trace.steps[i];
      if (step.kind == StepKind::kRun) {
        ++run_counts[step.index];
        continue;
      }
      LineResult& line = by_place[step.place];
      if (step.kind != StepKind::kCopy) {
        line.busy[kAscendcTwinPipeS] += profile_.flag_cycles;
        continue;
      }
      line.busy[kAscendcTwinPipeS] += profile_.scalar_issue_cycles;
      const Copy& copy = trace.copies[step.index];
      Name(trace.names[copy.name], &line);
      ++line.count;
      line.bytes += copy.bytes;
      line.busy[step.pipe] += core.times()[i].end - core.times()[i].start;
    }
    for (size_t i = 0; i < trace.runs.size(); ++i) {
      AddRun(trace, trace.runs[i], run_counts[i], &by_place);
    }
    for (size_t place = 0; place < by_place.size(); ++place) {
      Merge(LineOf(trace.places[place]), by_place[place]);
    }
  }

  void AddPath(const CriticalPath& path) {
    for (const auto& [line, parts] : path.lines) lines_[line].path = parts;
  }

  std::vector<LineResult> Sorted() const {
    std::vector<LineResult> sorted;
    for (const auto& [key, line] : lines_) {
      sorted.push_back(line);
      sorted.back().line = key;
    }
    std::sort(sorted.begin(), sorted.end(), [](const LineResult& a, const LineResult& b) {
      if (a.path_total() != b.path_total()) return a.path_total() > b.path_total();
      if (a.busy_total() != b.busy_total()) return a.busy_total() > b.busy_total();
      return a.line < b.line;
    });
    return sorted;
  }

 private:
  static void Name(const char* name, LineResult* line) {
    if (line->instruction.empty()) line->instruction = name;
  }

  static void AddRun(const CoreTrace& trace, const Run& run, uint64_t times,
                     std::vector<LineResult>* by_place) {
    const double many = static_cast<double>(times);
    for (const Operation& operation : run.operations) {
      LineResult& line = (*by_place)[operation.place];
      line.busy[kAscendcTwinPipeS] += operation.issue * many;
      line.busy[kAscendcTwinPipeV] += operation.duration * many;
      if (!operation.is_vector) continue;
      Name(trace.names[operation.name], &line);
      line.count += times;
    }
  }

  void Merge(const SourceLine& key, const LineResult& line) {
    LineResult& sum = lines_[key];
    if (sum.instruction.empty()) sum.instruction = line.instruction;
    sum.count += line.count;
    sum.bytes += line.bytes;
    for (size_t pipe = 0; pipe < sum.busy.size(); ++pipe)
      sum.busy[pipe] += line.busy[pipe] / cores_;
  }

  const CostProfile& profile_;
  const double cores_;
  std::map<SourceLine, LineResult> lines_;
};

}  // namespace

double LineResult::busy_total() const { return Sum(busy); }
double LineResult::path_total() const { return Sum(path); }

double TimelineResult::microseconds() const { return cycles / profile->clock_mhz; }

double TimelineResult::busy_share(uint8_t pipe) const {
  return cycles > 0 ? busy[pipe] / cycles : 0;
}

double TimelineResult::gm_limit_microseconds() const {
  return gm_bytes() / profile->gm_bytes_per_second * 1e6;
}

double TimelineResult::gm_share() const {
  return microseconds() > 0 ? gm_limit_microseconds() / microseconds() : 0;
}

TimelineResult MakeResult(const CostProfile& profile, const Simulation& simulation) {
  TimelineResult result;
  result.profile = &profile;
  result.cores = static_cast<uint32_t>(simulation.cores().size());
  result.traffic = simulation.traffic();
  LineTable lines(profile, result.cores);
  for (const CoreReplay& core : simulation.cores()) {
    const CoreTrace& trace = core.trace();
    result.core_cycles.push_back(core.EndTime());
    result.cycles = std::max(result.cycles, core.EndTime());
    result.instructions += trace.instructions;
    result.gm_bytes_read += trace.gm_bytes_read;
    result.gm_bytes_written += trace.gm_bytes_written;
    result.vector_elements += trace.vector_elements;
    result.vector_bytes += trace.vector_bytes;
    lines.Add(core);
  }
  const CriticalPath path = FindCriticalPath(profile, simulation);
  lines.AddPath(path);
  result.path = path.total;
  result.lines = lines.Sorted();
  for (const LineResult& line : result.lines) {
    for (size_t pipe = 0; pipe < line.busy.size(); ++pipe) result.busy[pipe] += line.busy[pipe];
  }
  for (const auto& [wait, cycles] : path.waits) {
    const auto& [line, pipe, for_line, for_pipe] = wait;
    result.waits.push_back({line, pipe, for_line, for_pipe, cycles});
  }
  std::stable_sort(result.waits.begin(), result.waits.end(),
                   [](const WaitResult& a, const WaitResult& b) { return a.cycles > b.cycles; });
  return result;
}

}  // namespace attnres::timeline
