// KernelTest: a kernel, its arguments and what check mode must find, as a table of plain values
// that ascendc_kernel_test (tools/build_defs/ascendc_kernel_test.bzl) writes. checked_runner.h runs
// it.
#ifndef CC_ASCENDC_TESTING_KERNEL_TEST_H_
#define CC_ASCENDC_TESTING_KERNEL_TEST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "cc/ascendc/checks/options.h"
#include "cc/ascendc/checks/order.h"
#include "cc/ascendc/launch/kernel_abi.h"

namespace attnres::testing {

enum class ArgumentKind : uint8_t { kInput, kOutput, kWorkspace, kTiling, kValue, kNull };

enum class Fill : uint8_t {
  kNothing,  // outputs: nobody has written them yet
  kUniform,  // from low to high
  kValues,   // those of `values`, from the start again where they end
  kFile,     // a .npy file
};

struct KernelTestArgument {
  ArgumentKind kind;
  const char* name;
  const char* dtype;  // "float16"; of workspace "uint8"
  uint64_t elements;
  Fill fill;
  uint64_t seed;
  double low;
  double high;
  std::vector<double> values;
  const char* file;  // below the test's runfiles
  // Of outputs: what they must be, within tolerance * max(1, |expected|).
  Fill expected;
  std::vector<double> expected_values;
  const char* expected_file;
  double tolerance;
  // Of tiling data and values: the bytes themselves.
  const void* data;
  uint64_t data_bytes;
};

struct KernelTest {
  const char* name;  // of the kernel
  AscendcTwinKernelEntry entry;
  const char* soc;
  uint32_t blocks;
  uint64_t tiling_key;
  bool auto_sync;
  std::vector<checks::Order> orders;
  std::vector<KernelTestArgument> arguments;
  std::vector<const char*> expected_findings;  // "rule@file:line", "rule@" where there is no place
};

// "" if the findings are the expected ones and the outputs right, else what is wrong: all findings
// that were not expected, in full. What ran is printed.
//
// With ASCENDC_TRACE=FILE in the environment the kernel runs in time mode instead and its trace
// goes to that file. With ASCENDC_DUMP, requests as "3@kernel.cpp:120" with commas between them,
// these buffers go to .npy files of bytes in the test's folder of outputs, or the current one.
std::string RunKernelTest(const KernelTest& test);

// ASCENDC_TRACE is there: nothing is checked.
bool IsTraceAskedFor();

}  // namespace attnres::testing

#endif  // CC_ASCENDC_TESTING_KERNEL_TEST_H_
