// A kernel of another workspace runs on the twin through the generated header of
// ascendc_kernel_library.
#include <vector>

#include "cc/ascendc/testing/kernel_runner.h"
#include "double_custom.h"
#include "gtest/gtest.h"

namespace {

TEST(DoubleCustomTest, DoublesEveryElement) {
  std::vector<float> x(64), y(64, -1);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i) / 4;
  }
  const attnres::testing::KernelRun run =
      attnres::testing::RunKernel(&double_custom_entry, {}, x.data(), y.data());
  ASSERT_TRUE(run.status.ok()) << run.status.message;
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(y[i], 2 * x[i]) << i;
  }
}

}  // namespace
