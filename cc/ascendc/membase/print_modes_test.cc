// What a kernel prints is the same in run mode and in check mode, on any number of threads.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "cc/ascendc/checks/order.h"
#include "cc/ascendc/membase/printing_kernel.h"
#include "cc/ascendc/membase/printing_kernel_observed.h"
#include "cc/ascendc/testing/checked_runner.h"
#include "cc/ascendc/testing/kernel_runner.h"

namespace attnres::testing {
namespace {

constexpr uint32_t kCores = 3;
constexpr char kFile[] = "cc/ascendc/membase/printing_kernel.cpp";

class PrintModes : public ::testing::Test {
 protected:
  // The halves 1, 2, 4, 8; each core the same.
  PrintModes() : x_(32 * kCores) {
    for (size_t i = 0; i < x_.size(); ++i) {
      x_[i] = static_cast<uint16_t>(0x3C00 + 0x400 * (i % 4));
    }
  }

  std::string Line(uint32_t core, int line, const std::string& text) const {
    return std::to_string(core) + ": " + kFile + ":" + std::to_string(line) + ": " + text;
  }

  std::vector<std::string> Expected() const {
    std::vector<std::string> lines;
    for (uint32_t core = 0; core < kCores; ++core) {
      const std::string head = "DumpTensor: desc=" + std::to_string(core) + ", addr=";
      char address[32];
      std::snprintf(address, sizeof(address), "%p", static_cast<const void*>(&x_[32 * core]));
      lines.push_back(Line(core, 15, head + "0x0, data_type=float16, position=UB, dump_size=4"));
      lines.push_back(Line(core, 15, "[0] 1 2 4 8"));
      lines.push_back(
          Line(core, 17, head + address + ", data_type=float16, position=GM, dump_size=2"));
      lines.push_back(Line(core, 17, "[0] 1 2"));
      lines.push_back(Line(core, 18, "after SyncAll: 2.0"));
    }
    return lines;
  }

  KernelRun Run(uint32_t threads, uint32_t limit) {
    KernelOptions options;
    options.blocks = kCores;
    options.threads = threads;
    return RunKernel(&printing_kernel_entry, options, x_.data(), uint32_t{2}, limit);
  }

  // With the order in which copies end as late as they may.
  CheckedRun Check(uint32_t dumped, uint32_t limit) {
    CheckedOptions options;
    options.blocks = kCores;
    options.check.orders = {checks::Order::kLateIn};
    return RunKernelChecked(&printing_kernel_observed_entry, options,
                            {Input("x", x_.data(), x_.size()), Value(&dumped), Value(&limit)});
  }

  std::vector<uint16_t> x_;
};

TEST_F(PrintModes, RunModeOnAnyNumberOfThreads) {
  for (uint32_t threads : {1u, 2u, 3u}) {
    EXPECT_EQ(Run(threads, kCores).lines, Expected()) << threads << " threads";
  }
}

TEST_F(PrintModes, CheckMode) {
  const CheckedRun run = Check(2, kCores);
  EXPECT_EQ(run.Text(), "");
  EXPECT_EQ(run.lines, Expected());
}

TEST_F(PrintModes, AnAssertionFailsTheLaunchInBoth) {
  const std::string sentence = std::string(kFile) + ":19: assertion failed: core < limit: core 2";
  const KernelRun run = Run(1, kCores - 1);
  EXPECT_EQ(run.status.message, "kernel: " + sentence + " (core 2 of 3)");
  ASSERT_FALSE(run.lines.empty());
  EXPECT_EQ(run.lines.back(), "2: " + sentence);
  const CheckedRun checked = Check(2, kCores - 1);
  EXPECT_NE(checked.Text().find("assertion failed: core < limit: core 2"), std::string::npos)
      << checked.Text();
}

TEST_F(PrintModes, CheckModeFindsADumpBeyondGlobalMemory) {
  const CheckedRun run = Check(1000, kCores);
  EXPECT_TRUE(run.Has("gm-out-of-bounds", "membase/printing_kernel.cpp", 17)) << run.Text();
  EXPECT_EQ(run.lines[3], Line(0, 17, "the other 1000 elements are not in GM"));
}

}  // namespace
}  // namespace attnres::testing
