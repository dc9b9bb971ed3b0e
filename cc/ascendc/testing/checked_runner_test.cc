// A kernel that speaks the observer's C interface by hand: what RunKernelChecked makes of its
// arguments shows in what is found.
#include "cc/ascendc/testing/checked_runner.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "cc/ascendc/checks/finding.h"
#include "cc/ascendc/launch/kernel_abi.h"
#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::testing {
namespace {

struct Move {
  void* to;
  const void* from;
  uint64_t bytes;
};

void RunMove(const void* closure) {
  const Move& move = *static_cast<const Move*>(closure);
  std::memcpy(move.to, move.from, move.bytes);
}

// One copy between UB and global memory, said to stand at `line` of kernel.cpp.
void Copy(AscendcTwinCore* core, uint8_t pipe, const Move& move, uint32_t line) {
  const bool is_out = pipe == kAscendcTwinPipeMte3;
  const AscendcTwinAccess accesses[] = {{reinterpret_cast<uint64_t>(move.to), move.bytes, "dst", 1,
                                         1, is_out ? uint8_t{1} : uint8_t{0}},
                                        {reinterpret_cast<uint64_t>(move.from), move.bytes, "src",
                                         1, 0, is_out ? uint8_t{0} : uint8_t{1}}};
  AscendcTwinInstruction instruction = {};
  instruction.name = "DataCopy";
  instruction.place = {"samples/kernel.cpp", line, 1};
  instruction.pipe = pipe;
  instruction.accesses = accesses;
  instruction.access_count = 2;
  instruction.run = RunMove;
  instruction.closure = &move;
  instruction.closure_bytes = sizeof(move);
  core->observer->issue(core, &instruction);
}

// y = x by way of UB, `*bytes` of them; ordered by a flag unless the tiling says no.
struct CopyTiling {
  uint32_t ordered;
};

void CopyKernel(AscendcTwinCore* core, void* const* args) {
  const uint64_t bytes = *static_cast<const uint64_t*>(args[2]);
  const auto& tiling = *static_cast<const CopyTiling*>(args[3]);
  core->observer->begin(core);
  Copy(core, kAscendcTwinPipeMte2, {core->ub, args[0], bytes}, 10);
  const AscendcTwinPlace place = {"samples/kernel.cpp", 11, 1};
  if (tiling.ordered != 0) {
    core->observer->set_flag(core, kAscendcTwinPipeMte2, kAscendcTwinPipeMte3, 0, &place);
    core->observer->wait_flag(core, kAscendcTwinPipeMte2, kAscendcTwinPipeMte3, 0, &place);
  }
  Copy(core, kAscendcTwinPipeMte3, {args[1], core->ub, bytes}, 12);
  core->observer->end(core);
}

class RunKernelCheckedTest : public ::testing::Test {
 protected:
  CheckedRun Run(uint64_t bytes, CopyTiling tiling, uint32_t blocks = 1) {
    CheckedOptions options;
    options.blocks = blocks;
    return RunKernelChecked(CopyKernel, options,
                            {Input("x", x_.data(), x_.size()), Output("y", y_.data(), y_.size()),
                             Value(&bytes), Tiling(&tiling)});
  }

  std::vector<float> x_ = std::vector<float>(64, 1.5f);
  std::vector<float> y_ = std::vector<float>(64, 0.0f);
};

TEST_F(RunKernelCheckedTest, RightKernelHasNoFinding) {
  const CheckedRun run = Run(256, {1});
  EXPECT_EQ(run.Text(), "");
  EXPECT_TRUE(run.result.status.ok()) << run.result.status.message;
  EXPECT_EQ(y_, x_);
}

TEST_F(RunKernelCheckedTest, NamesTensorsByTheirArguments) {
  const CheckedRun run = Run(260, {1});
  EXPECT_TRUE(run.Has("gm-out-of-bounds", "kernel.cpp", 10)) << run.Text();
  EXPECT_TRUE(run.Has("gm-out-of-bounds", "samples/kernel.cpp", 12)) << run.Text();
  EXPECT_NE(run.Text().find("GM input x"), std::string::npos) << run.Text();
  EXPECT_NE(run.Text().find("GM output y"), std::string::npos) << run.Text();
}

TEST_F(RunKernelCheckedTest, FindsTheRace) {
  const CheckedRun run = Run(256, {0});
  EXPECT_TRUE(run.Has("ub-race", "kernel.cpp", 12)) << run.Text();
  EXPECT_FALSE(run.Has("ub-race", "kernel.cpp", 10));
  EXPECT_FALSE(run.Has("ub-race", "ernel.cpp", 12)) << "whole names of files only";
}

TEST_F(RunKernelCheckedTest, NamesTheBytesOfAnOutputThatNobodyWrote) {
  const CheckedRun run = Run(192, {1});
  ASSERT_EQ(run.result.findings.size(), 1u) << run.Text();
  const checks::Finding& finding = run.result.findings[0];
  EXPECT_EQ(finding.rule, "output-not-written");
  EXPECT_EQ(finding.begin, 192u);
  EXPECT_EQ(finding.end, 256u);
  EXPECT_EQ(finding.sentence,
            "the kernel has ended and no core has written 64 bytes of GM output y, which has 256 "
            "bytes; bytes 192 to 255 are the first of them: write them, or let the host fill the "
            "output before");
}

TEST_F(RunKernelCheckedTest, TheSocSaysHowManyBlocksThereMayBe) {
  EXPECT_EQ(Run(0, {1}, 48).Text().find("too-many-blocks"), std::string::npos);
  EXPECT_NE(Run(0, {1}, 49).Text().find("too-many-blocks"), std::string::npos);
}

}  // namespace
}  // namespace attnres::testing
