// A kernel that is compiled with ASCENDC_DUMP=0 prints and asserts nothing.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "cc/ascendc/membase/printing_kernel_off.h"
#include "cc/ascendc/testing/kernel_runner.h"

namespace attnres::testing {
namespace {

TEST(PrintOff, NothingIsPrintedOrAsserted) {
  std::vector<uint16_t> x(32);
  const KernelRun run = RunKernel(&printing_kernel_entry, {}, x.data(), /*dumped=*/uint32_t{2},
                                  /*limit=*/uint32_t{0});
  EXPECT_EQ(run.status.message, "");
  EXPECT_TRUE(run.lines.empty());
}

}  // namespace
}  // namespace attnres::testing
