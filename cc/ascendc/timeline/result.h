// TimelineResult: what time mode says of a launch. result_json.h writes it; python/attnres turns
// that into tables and a page.
#ifndef CC_ASCENDC_TIMELINE_RESULT_H_
#define CC_ASCENDC_TIMELINE_RESULT_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cc/ascendc/observe/observer_abi.h"
#include "cc/ascendc/timeline/cost_profile.h"
#include "cc/ascendc/timeline/critical_path.h"
#include "cc/ascendc/timeline/simulation.h"

namespace attnres::timeline {

using PipeCycles = std::array<double, kAscendcTwinPipes>;

// A line of the kernel, over all cores.
struct LineResult {
  SourceLine line;
  std::string instruction;  // the first that it issued; "" where it only waits
  uint64_t count = 0;       // of instructions
  uint64_t bytes = 0;       // that it copied from or to global memory
  PipeCycles busy = {};     // mean of the cores
  CriticalPath::Parts path = {};

  double busy_total() const;
  double path_total() const;
};

// Waiting on the critical path.
struct WaitResult {
  SourceLine line;
  uint8_t pipe;
  SourceLine for_line;
  uint8_t for_pipe;
  double cycles;
};

struct TimelineResult {
  std::string error;  // a deadlock; then the rest says nothing
  const CostProfile* profile = nullptr;
  uint32_t cores = 0;
  double cycles = 0;  // of the core that ends last
  std::vector<double> core_cycles;
  PipeCycles busy = {};  // mean of the cores
  uint64_t instructions = 0;
  uint64_t gm_bytes_read = 0;  // by copies, from L2 or beyond
  uint64_t gm_bytes_written = 0;
  MemoryTraffic traffic;
  double vector_elements = 0;  // that vector instructions worked on
  double vector_bytes = 0;     // of these elements
  CriticalPath::Parts path = {};
  std::vector<LineResult> lines;  // costliest on the critical path first
  std::vector<WaitResult> waits;  // longest first

  double microseconds() const;  // on the device, as a profiler gives a task's duration
  double busy_share(uint8_t pipe) const;
  // Bytes that cross the edge of global memory at least, by the time that their limit takes.
  double gm_bytes() const { return static_cast<double>(gm_bytes_read + gm_bytes_written); }
  double gm_limit_microseconds() const;
  double gm_share() const;  // of the bandwidth of global memory that the copies' bytes make
};

// Precondition: the simulation has been run, with success.
TimelineResult MakeResult(const CostProfile& profile, const Simulation& simulation);

}  // namespace attnres::timeline

#endif  // CC_ASCENDC_TIMELINE_RESULT_H_
