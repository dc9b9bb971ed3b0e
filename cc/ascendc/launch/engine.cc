// Run: checks a launch, lends it helpers if it wants more than one thread, and takes part itself.
#include "cc/ascendc/launch/engine.h"

#include <sched.h>

#include "cc/ascendc/launch/execution.h"
#include "cc/ascendc/launch/helper_pool.h"

namespace attnres::launch {

uint32_t AvailableCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) {
    return 1;
  }
  const int count = CPU_COUNT(&set);
  return count > 0 ? static_cast<uint32_t>(count) : 1;
}

Status Run(const Launch& requested, LaunchStats* stats) {
  Launch launch = requested;
  if (launch.op_name == nullptr) {
    launch.op_name = "kernel";
  }
  if (stats != nullptr) {
    *stats = LaunchStats{};
  }
  const std::string name = launch.op_name;
  if (launch.entry == nullptr) {
    return Status{name + ": the launch has no kernel entry"};
  }
  if (launch.block_num == 0) {
    return Status{name + ": block number 0, expected at least 1"};
  }
  if (launch.args == nullptr && launch.arg_count > 0) {
    return Status{name + ": null argument array for " + std::to_string(launch.arg_count) +
                  " arguments"};
  }
  const uint32_t wanted = launch.threads > 0 ? launch.threads : AvailableCpus();
  const uint32_t threads = wanted < launch.block_num ? wanted : launch.block_num;

  HelperPool& pool = HelperPool::Instance();
  Execution* execution = pool.Take();
  execution->Begin(launch);
  if (threads > 1) {
    pool.Open(execution, threads - 1);
    execution->Work();
    pool.Close(execution);
    execution->AwaitHelpers();
  } else {
    execution->Work();
  }
  Status status = execution->Finish(stats);
  pool.Give(execution);
  return status;
}

}  // namespace attnres::launch
