// The engine runs a kernel on virtual vector cores: one call is one launch. Cores are fibers on a
// warm pool of host threads, so any number of cores runs on any number of threads and SyncAll
// cannot deadlock. The kernel's side of the agreement is kernel_abi.h; execution.h holds the state
// of one launch.
#ifndef CC_ASCENDC_LAUNCH_ENGINE_H_
#define CC_ASCENDC_LAUNCH_ENGINE_H_

#include <cstdint>

#include "cc/ascendc/launch/launch.h"

namespace attnres::launch {

// Runs every core of the launch and returns when all have ended. Many threads may call it at once.
// The result does not depend on `threads` for a kernel that is free of races. On failure some cores
// have not run to their end, and the message is that of the lowest failing core. `stats` may be
// null; it is filled on failure too.
Status Run(const Launch& launch, LaunchStats* stats);

// CPUs in the affinity mask of the calling thread, at least 1.
uint32_t AvailableCpus();

}  // namespace attnres::launch

#endif  // CC_ASCENDC_LAUNCH_ENGINE_H_
