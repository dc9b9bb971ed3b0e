// The engine runs a kernel on virtual vector cores: one call is one launch. Cores are fibers on a warm pool of host
// threads, so any number of cores runs on any number of threads and SyncAll cannot deadlock. The kernel's side of the
// agreement is kernel_abi.h; execution.h holds the state of one launch.
#ifndef CC_ASCENDC_LAUNCH_ENGINE_H_
#define CC_ASCENDC_LAUNCH_ENGINE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "cc/ascendc/launch/kernel_abi.h"

namespace attnres::launch {

struct Launch {
  AscendcTwinKernelEntry entry = nullptr;
  uint32_t block_num = 0;
  uint64_t ub_bytes = 0;        // of each core
  void* const* args = nullptr;  // as AscendcTwinKernelEntry says
  size_t arg_count = 0;
  uint32_t threads = 0;  // host threads at most, the caller included; 0: one per CPU that this process may use
  uint64_t tiling_key = 0;
  uint8_t* system_workspace = nullptr;
  const char* op_name = "kernel";
  // Receives what kernels print, line by line, from any thread; null drops it.
  void (*print)(void* context, uint32_t block_idx, const char* text) = nullptr;
  void* print_context = nullptr;
};

struct LaunchStats {
  uint64_t gm_bytes_read = 0;
  uint64_t gm_bytes_written = 0;
  uint32_t threads = 0;  // that ran at least one core
};

struct Status {
  std::string message;  // empty: success

  bool ok() const { return message.empty(); }
};

// Runs every core of the launch and returns when all have ended. Many threads may call it at once. The result does not
// depend on `threads` for a kernel that is free of races. On failure some cores have not run to their end, and the
// message is that of the lowest failing core. `stats` may be null; it is filled on failure too.
Status Run(const Launch& launch, LaunchStats* stats);

// CPUs in the affinity mask of the calling thread, at least 1.
uint32_t AvailableCpus();

}  // namespace attnres::launch

#endif  // CC_ASCENDC_LAUNCH_ENGINE_H_
