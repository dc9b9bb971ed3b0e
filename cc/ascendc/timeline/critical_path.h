// The critical path of a launch: from its end back to its beginning, each moment belongs to the
// step that the end had to wait for, and through it to a line of the kernel. The parts add up to
// the time that the cores take.
#ifndef CC_ASCENDC_TIMELINE_CRITICAL_PATH_H_
#define CC_ASCENDC_TIMELINE_CRITICAL_PATH_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "cc/ascendc/timeline/cost_profile.h"
#include "cc/ascendc/timeline/simulation.h"

namespace attnres::timeline {

// What the time of a line on the path was spent with.
enum PathPart : uint8_t {
  kPathScalar,      // the scalar unit: issuing, its own accesses
  kPathVector,      // the vector unit's work
  kPathDependency,  // its waits for its own results
  kPathCopyIn,      // as fast as the core could
  kPathCopyOut,     // likewise
  kPathBandwidth,   // copies slower than that, because cores share the memory
  kPathLatency,     // from the end of copies and vector work until their results can be used
  kPathSyncAll,     // joining the cores
  kPathStart,       // until the core began; belongs to no line
  kPathParts,
};
const char* PathPartName(uint8_t part);

// File and line in the kernel's source; file "" where it is unknown.
using SourceLine = std::pair<std::string, uint32_t>;
SourceLine LineOf(const AscendcTwinPlace& place);

struct CriticalPath {
  using Parts = std::array<double, kPathParts>;
  // The line and pipe that stood still, and those it waited for.
  using Wait = std::tuple<SourceLine, uint8_t, SourceLine, uint8_t>;

  std::map<SourceLine, Parts> lines;  // cycles
  std::map<Wait, double> waits;
  Parts total = {};
};

// Precondition: the simulation has been run, with success.
CriticalPath FindCriticalPath(const CostProfile& profile, const Simulation& simulation);

}  // namespace attnres::timeline

#endif  // CC_ASCENDC_TIMELINE_CRITICAL_PATH_H_
