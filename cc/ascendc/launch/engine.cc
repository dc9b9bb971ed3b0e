// Run: checks a launch, lends it helpers if it wants more than one thread, and takes part itself.
#include "cc/ascendc/launch/engine.h"

#include <sched.h>

#include <algorithm>

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

namespace {

// A second thread pays from here on: waking a sleeping helper takes some microseconds of the
// caller, and its first core begins some tens of microseconds later. Measured with calls of 23 to
// 720 KB and pauses between them: at twice this size one thread and two take the same time.
constexpr uint64_t kBytesPerThread = 40 * 1024;

uint32_t ThreadsFor(const Launch& launch) {
  uint64_t most = launch.block_num;
  if (launch.gm_bytes > 0) {
    most = std::min(most, std::max<uint64_t>(launch.gm_bytes / kBytesPerThread, 1));
  }
  if (most == 1) {
    return 1;  // without asking the system for the number of CPUs
  }
  const uint32_t wanted = launch.threads > 0 ? launch.threads : AvailableCpus();
  return static_cast<uint32_t>(std::min<uint64_t>(most, wanted));
}

// What is wrong with a launch that cannot be run.
Status LaunchError(const Launch& launch) {
  const std::string name = launch.op_name;
  if (launch.entry == nullptr) {
    return Status{name + ": the launch has no kernel entry"};
  }
  if (launch.block_num == 0) {
    return Status{name + ": block number 0, expected at least 1"};
  }
  return Status{name + ": null argument array for " + std::to_string(launch.arg_count) +
                " arguments"};
}

}  // namespace

Status Run(const Launch& requested, LaunchStats* stats) {
  Launch launch = requested;
  if (launch.op_name == nullptr) {
    launch.op_name = "kernel";
  }
  if (stats != nullptr) {
    *stats = LaunchStats{};
  }
  if (launch.entry == nullptr || launch.block_num == 0 ||
      (launch.args == nullptr && launch.arg_count > 0)) {
    return LaunchError(launch);
  }
  HelperPool& pool = HelperPool::Instance();
  Execution* execution = pool.Take();
  execution->Begin(launch);
  const uint32_t threads = ThreadsFor(launch);
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
