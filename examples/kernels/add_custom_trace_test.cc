// The sample add_custom.cpp in time mode: what it moves, and that more cores make it faster as far
// as the bandwidth goes. ATTNRES_TRACE=FILE in the environment keeps the trace of one launch.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <vector>

#include "cc/ascendc/membase/float16.h"
#include "cc/ascendc/testing/checked_runner.h"
#include "cc/ascendc/testing/timed_runner.h"
#include "examples/kernels/add_custom_observed.h"

namespace {

using attnres::testing::Input;
using attnres::testing::Output;
using attnres::testing::RunKernelTimed;
using attnres::testing::TimedOptions;
using attnres::testing::TimedRun;
using attnres::testing::Value;

constexpr uint32_t kLength = 1 << 23;

TimedRun RunAdd(uint32_t blocks, uint32_t threads = 1) {
  uint32_t length = kLength;
  const std::vector<half> x(length);
  const std::vector<half> y(length);
  std::vector<half> z(length);
  TimedOptions options;
  options.blocks = blocks;
  options.threads = threads;
  return RunKernelTimed(&add_custom_observed_entry, options,
                        {Input("x", x.data(), x.size()), Input("y", y.data(), y.size()),
                         Output("z", z.data(), z.size()), Value(&length)});
}

TEST(AddCustomTrace, CountsWhatTheKernelMoves) {
  const TimedRun run = RunAdd(8);
  ASSERT_EQ(run.error, "");
  EXPECT_EQ(run.result.cores, 8u);
  EXPECT_EQ(run.result.gm_bytes_read, uint64_t{4} * kLength);
  EXPECT_EQ(run.result.gm_bytes_written, uint64_t{2} * kLength);
  EXPECT_EQ(run.result.vector_elements, kLength);
  EXPECT_GE(run.result.microseconds(), run.result.gm_limit_microseconds());
  EXPECT_NE(run.trace.find("add_custom.cpp:"), std::string::npos);
  if (const char* file = std::getenv("ATTNRES_TRACE")) std::ofstream(file) << run.trace;
}

TEST(AddCustomTrace, CoresShareTheWorkUpToTheBandwidth) {
  const double one = RunAdd(1).result.cycles;
  const double eight = RunAdd(8).result.cycles;
  const double all = RunAdd(48).result.cycles;
  EXPECT_LT(eight, one / 6);
  EXPECT_LT(all, eight / 2);
  EXPECT_GT(all, one / 48);
}

TEST(AddCustomTrace, ThreadsDoNotMatter) { EXPECT_EQ(RunAdd(16, 1).trace, RunAdd(16, 4).trace); }

}  // namespace
