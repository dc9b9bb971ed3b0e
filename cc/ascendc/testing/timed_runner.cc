// One launch under cc/ascendc/timeline.
#include "cc/ascendc/testing/timed_runner.h"

#include "cc/ascendc/launch/engine.h"
#include "cc/ascendc/timeline/cost_profile.h"
#include "cc/ascendc/timeline/timeline.h"
#include "cc/host/platform/soc_profiles.h"

namespace attnres::testing {

TimedRun RunKernelTimed(AscendcTwinKernelEntry entry, const TimedOptions& options,
                        const std::vector<CheckedArgument>& arguments) {
  timeline::Timeline timeline(*timeline::FindCostProfile(options.soc));
  std::vector<void*> addresses;
  for (const CheckedArgument& argument : arguments) {
    addresses.push_back(argument.address);
    if (argument.region.bytes > 0) {
      timeline.AddGlobalBuffer(argument.region.data, argument.region.bytes);
    }
  }
  launch::Launch launch;
  launch.entry = entry;
  launch.block_num = options.blocks;
  launch.ub_bytes = host::FindSocProfile(options.soc)->ub_bytes;
  launch.args = addresses.data();
  launch.arg_count = addresses.size();
  launch.threads = options.threads;
  launch.tiling_key = options.tiling_key;
  launch.observer = timeline.observer();
  TimedRun run;
  run.error = launch::Run(launch, nullptr).message;
  if (!run.error.empty()) return run;
  run.result = timeline.Finish();
  run.error = run.result.error;
  if (run.error.empty()) run.trace = timeline.TraceText(options.trace);
  return run;
}

}  // namespace attnres::testing
