// RunKernel: one launch of one kernel from a test, without runtime or operator. The entry comes
// from ascendc_kernel_library's generated header (name_entry), or from AscendcTwinEntry<&kernel>
// where the test defines it.
//
//   const KernelRun run = RunKernel(&add_custom_entry, {8}, x.data(), y.data(), z.data(), length);
//   ASSERT_TRUE(run.status.ok()) << run.status.message;
#ifndef CC_ASCENDC_TESTING_KERNEL_RUNNER_H_
#define CC_ASCENDC_TESTING_KERNEL_RUNNER_H_

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "cc/ascendc/launch/engine.h"
#include "cc/ascendc/launch/kernel_abi.h"

namespace attnres::testing {

struct KernelOptions {
  uint32_t blocks = 1;
  uint32_t threads = 1;  // 0: one per CPU
  uint64_t ub_bytes = 196608;
  uint64_t tiling_key = 0;
};

struct KernelRun {
  launch::Status status;
  launch::LaunchStats stats;
  std::vector<std::string> lines;  // printed by the kernel, "core: text", sorted by core
};

namespace internal {

template <typename T>
void* ArgumentAddress(T& argument) {
  if constexpr (std::is_pointer_v<T>) {
    return const_cast<void*>(static_cast<const void*>(argument));
  } else {
    static_assert(std::is_trivially_copyable_v<T>, "kernel arguments are pointers or plain data");
    return &argument;
  }
}

}  // namespace internal

// Arguments in the order of the kernel's parameters: pointers to global memory, values for
// parameters by value (of the parameter's exact type).
template <typename... Args>
KernelRun RunKernel(AscendcTwinKernelEntry entry, const KernelOptions& options, Args... args) {
  KernelRun run;
  void* addresses[sizeof...(Args) + 1] = {internal::ArgumentAddress(args)..., nullptr};
  launch::Launch launch;
  launch.entry = entry;
  launch.block_num = options.blocks;
  launch.ub_bytes = options.ub_bytes;
  launch.args = addresses;
  launch.arg_count = sizeof...(Args);
  launch.threads = options.threads;
  launch.tiling_key = options.tiling_key;
  launch.print_context = &run;
  launch.print = [](void* context, uint32_t block, const char* text) {
    static_cast<KernelRun*>(context)->lines.push_back(std::to_string(block) + ": " + text);
  };
  run.status = launch::Run(launch, &run.stats);
  return run;
}

}  // namespace attnres::testing

#endif  // CC_ASCENDC_TESTING_KERNEL_RUNNER_H_
