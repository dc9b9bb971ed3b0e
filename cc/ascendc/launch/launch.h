// What engine.h runs and what it returns: plain records.
#ifndef CC_ASCENDC_LAUNCH_LAUNCH_H_
#define CC_ASCENDC_LAUNCH_LAUNCH_H_

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
  uint32_t threads =
      0;  // host threads at most, the caller included; 0: one per CPU that this process may use
  uint64_t gm_bytes = 0;  // that the kernel moves, about; 0: unknown. A small launch gets by with
                          // fewer threads than `threads`
  uint64_t tiling_key = 0;
  uint8_t* system_workspace = nullptr;
  const char* op_name = "kernel";
  // Receives what kernels print, line by line ("add.cpp:12: x is 3"): the lines of a core in
  // program order, those of lower cores first, whatever the threads. Calls come one at a time, from
  // any thread, those of the lowest running core at once. Null drops the text.
  void (*print)(void* context, uint32_t block_idx, const char* text) = nullptr;
  void* print_context = nullptr;
  const AscendcTwinObserver* observer = nullptr;  // of observed kernels; outlives the launch
};

struct LaunchStats {
  uint64_t gm_bytes_read = 0;
  uint64_t gm_bytes_written = 0;
  uint64_t ub_bytes_taken = 0;  // by the pipe of the core that took most
  uint32_t threads = 0;         // that ran at least one core
};

struct Status {
  std::string message;  // empty: success

  bool ok() const { return message.empty(); }
};

}  // namespace attnres::launch

#endif  // CC_ASCENDC_LAUNCH_LAUNCH_H_
