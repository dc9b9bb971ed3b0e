// RunKernelTimed: checked_runner.h for time mode: how long a launch of an observed kernel
// (ascendc_kernel_library's name_observed) would take on a SoC, and why.
//
//   const TimedRun run = RunKernelTimed(&add_custom_observed_entry, {8, "ascend950"},
//                                       {Input("x", x.data(), x.size()),
//                                        Output("z", z.data(), z.size()), Value(&length)});
//   std::ofstream("trace.json") << run.trace;
//
// Perfetto opens the trace; `attnres trace --trace=trace.json --html=page.html` makes a page of it.
#ifndef CC_ASCENDC_TESTING_TIMED_RUNNER_H_
#define CC_ASCENDC_TESTING_TIMED_RUNNER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "cc/ascendc/launch/kernel_abi.h"
#include "cc/ascendc/testing/checked_runner.h"
#include "cc/ascendc/timeline/chrome_trace.h"
#include "cc/ascendc/timeline/result.h"

namespace attnres::testing {

struct TimedOptions {
  uint32_t blocks = 1;
  const char* soc = "ascend910b";  // gives UB and costs
  uint32_t threads = 0;            // 0: one per CPU; the result does not depend on it
  uint64_t tiling_key = 0;
  timeline::TraceOptions trace;
};

struct TimedRun {
  std::string error;  // of the launch, or a wait that nothing would end on a device
  timeline::TimelineResult result;
  std::string trace;  // Chrome trace-event JSON
};

// Precondition: the SoC has a profile.
TimedRun RunKernelTimed(AscendcTwinKernelEntry entry, const TimedOptions& options,
                        const std::vector<CheckedArgument>& arguments);

}  // namespace attnres::testing

#endif  // CC_ASCENDC_TESTING_TIMED_RUNNER_H_
