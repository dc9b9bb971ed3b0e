// A launch as Chrome trace-event JSON, which Perfetto and chrome://tracing show: a process per
// core, a thread per pipe, an arrow from the work that set a flag to the one that waited for it.
#ifndef CC_ASCENDC_TIMELINE_CHROME_TRACE_H_
#define CC_ASCENDC_TIMELINE_CHROME_TRACE_H_

#include <cstdint>
#include <string>

#include "cc/ascendc/timeline/cost_profile.h"
#include "cc/ascendc/timeline/simulation.h"

namespace attnres::timeline {

struct TraceOptions {
  uint32_t cores = 4;        // written; spread over those of the launch, the first and the last too
  uint32_t events = 200000;  // in all, about. Half of a core's share shows each instruction, then
                             // neighbouring vector instructions are one event, then it ends
};

// `summary`: a JSON object that becomes otherData.
std::string ChromeTrace(const CostProfile& profile, const Simulation& simulation,
                        const TraceOptions& options, const std::string& summary);

}  // namespace attnres::timeline

#endif  // CC_ASCENDC_TIMELINE_CHROME_TRACE_H_
