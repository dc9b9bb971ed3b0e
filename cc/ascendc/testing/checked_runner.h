// RunKernelChecked: kernel_runner.h for check mode. The kernel must be the observed one of
// ascendc_kernel_library (name_observed); its arguments say what each piece of global memory is
// for.
//
//   const CheckedRun run = RunKernelChecked(&add_custom_observed_entry, {8},
//                                           {Input("x", x.data(), x.size()),
//                                            Input("y", y.data(), y.size()),
//                                            Output("z", z.data(), z.size()), Value(&length)});
//   EXPECT_EQ(run.Text(), "");
//
// kernel_test.h does the same from a description, for ascendc_kernel_test.
#ifndef CC_ASCENDC_TESTING_CHECKED_RUNNER_H_
#define CC_ASCENDC_TESTING_CHECKED_RUNNER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "cc/ascendc/checks/gm_regions.h"
#include "cc/ascendc/checks/options.h"
#include "cc/ascendc/checks/run_checked.h"
#include "cc/ascendc/launch/kernel_abi.h"

namespace attnres::testing {

// One kernel argument; the functions below make them.
struct CheckedArgument {
  checks::GmRegion region;  // no bytes: a value or a null pointer
  void* address = nullptr;  // what the kernel gets, as AscendcTwinKernelEntry says
};

CheckedArgument GlobalMemory(const char* name, checks::RegionKind kind, void* data, uint64_t bytes);

// `count` elements.
template <typename T>
CheckedArgument Input(const char* name, const T* data, size_t count) {
  return GlobalMemory(name, checks::RegionKind::kInput, const_cast<T*>(data), count * sizeof(T));
}
template <typename T>
CheckedArgument Output(const char* name, T* data, size_t count) {
  return GlobalMemory(name, checks::RegionKind::kOutput, data, count * sizeof(T));
}
// An output that has values before the launch, which the kernel may read or add to.
template <typename T>
CheckedArgument FilledOutput(const char* name, T* data, size_t count) {
  CheckedArgument argument = Output(name, data, count);
  argument.region.is_filled = true;
  return argument;
}
inline CheckedArgument Workspace(void* data, uint64_t bytes) {
  return GlobalMemory("of the launch", checks::RegionKind::kWorkspace, data, bytes);
}
// The struct that the kernel reads with GET_TILING_DATA.
template <typename T>
CheckedArgument Tiling(T* data) {
  return GlobalMemory("of the launch", checks::RegionKind::kTiling, data, sizeof(T));
}
// A parameter by value, of the parameter's exact type.
template <typename T>
CheckedArgument Value(T* value) {
  static_assert(std::is_trivially_copyable_v<T>, "kernel arguments are pointers or plain data");
  CheckedArgument argument;
  argument.address = const_cast<std::remove_const_t<T>*>(value);
  return argument;
}
inline CheckedArgument NullPointer() { return {}; }

struct CheckedOptions {
  uint32_t blocks = 1;
  const char* soc = "ascend910b";  // gives cores, UB and architecture
  uint32_t threads = 1;            // 0: one per CPU
  uint64_t tiling_key = 0;
  checks::CheckOptions check;  // arch and soc_cores are the SoC's
};

struct CheckedRun {
  checks::CheckResult result;
  std::vector<std::string> lines;  // printed by the kernel, order by order: "core: text"

  // All findings, "" if there is none.
  std::string Text() const;
  // Whether one has this rule, at this line of a file whose path ends so.
  bool Has(const char* rule, const char* file, uint32_t line) const;
};

// Precondition: the SoC has a profile.
CheckedRun RunKernelChecked(AscendcTwinKernelEntry entry, const CheckedOptions& options,
                            const std::vector<CheckedArgument>& arguments);

}  // namespace attnres::testing

#endif  // CC_ASCENDC_TESTING_CHECKED_RUNNER_H_
