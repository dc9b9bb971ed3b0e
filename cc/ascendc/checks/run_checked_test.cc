// Whole launches through the engine: several cores, all orders, failures and deadlocks.
#include "cc/ascendc/checks/run_checked.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "cc/ascendc/checks/finding.h"
#include "cc/ascendc/checks/gm_regions.h"
#include "cc/ascendc/checks/options.h"
#include "cc/ascendc/launch/engine.h"
#include "cc/ascendc/launch/kernel_abi.h"
#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::checks {
namespace {

constexpr uint32_t kCores = 5;
constexpr uint64_t kRow = 64;  // bytes of a core
constexpr uint8_t kV = kAscendcTwinPipeV;
constexpr uint8_t kIn = kAscendcTwinPipeMte2;
constexpr uint8_t kOut = kAscendcTwinPipeMte3;

struct Faults {
  bool no_flag_in = false;  // between copy-in and vector
  bool no_set = false;      // on core 3
  bool skips_sync = false;  // core 2
  bool overlap = false;     // of the cores' outputs
  bool fails = false;
};
Faults faults;

struct Move {
  uint8_t* dst;
  const uint8_t* src;
  uint8_t add;
};

void Issue(AscendcTwinCore* core, uint8_t pipe, uint32_t line, const Move& move) {
  const auto is_gm = [core](const uint8_t* at) {
    return static_cast<uint8_t>(at < core->ub || at >= core->ub + core->ub_bytes ? 1 : 0);
  };
  const AscendcTwinAccess accesses[] = {
      {reinterpret_cast<uint64_t>(move.dst), kRow, "dst", 1, 1, is_gm(move.dst)},
      {reinterpret_cast<uint64_t>(move.src), kRow, "src", 1, 0, is_gm(move.src)}};
  AscendcTwinInstruction instruction = {};
  instruction.name = "Move";
  instruction.place = {"kernel.h", line, 1};
  instruction.pipe = pipe;
  instruction.accesses = accesses;
  instruction.access_count = 2;
  instruction.closure = &move;
  instruction.closure_bytes = sizeof(move);
  instruction.run = [](const void* closure) {
    const auto* to_do = static_cast<const Move*>(closure);
    for (uint64_t i = 0; i < kRow; ++i) {
      to_do->dst[i] = static_cast<uint8_t>(to_do->src[i] + to_do->add);
    }
  };
  core->observer->issue(core, &instruction);
}

void Order(AscendcTwinCore* core, uint8_t source, uint8_t target, uint32_t line, bool sets) {
  const AscendcTwinPlace place = {"kernel.h", line, 1};
  if (sets) {
    core->observer->set_flag(core, source, target, 0, &place);
  }
  core->observer->wait_flag(core, source, target, 0, &place);
}

// y = x + 2, by way of the workspace of the next core.
void Kernel(AscendcTwinCore* core, void* const* args) {
  const AscendcTwinObserver* observer = core->observer;
  observer->begin(core);
  const uint64_t row = core->block_idx * kRow;
  const uint64_t next_row = (core->block_idx + 1) % core->block_num * kRow;
  auto* x = static_cast<uint8_t*>(args[0]);
  auto* w = static_cast<uint8_t*>(args[1]);
  auto* y = static_cast<uint8_t*>(args[2]);
  Issue(core, kIn, 10, {core->ub, x + next_row, 0});
  if (!faults.no_flag_in) {
    Order(core, kIn, kV, 11, !(faults.no_set && core->block_idx == 3));
  }
  Issue(core, kV, 12, {core->ub + 256, core->ub, 1});
  Order(core, kV, kOut, 13, true);
  Issue(core, kOut, 14, {w + next_row, core->ub + 256, 0});
  const AscendcTwinPlace sync = {"kernel.h", 15, 1};
  if (faults.fails && core->block_idx == 1) {
    core->fail(core, "the kernel gave up");
  }
  if (!(faults.skips_sync && core->block_idx == 2) && observer->sync_all(core, 0, 0, &sync) != 0) {
    core->sync_all(core);
    observer->synchronised(core);
  }
  Issue(core, kIn, 16, {core->ub + 512, w + row, 0});
  Order(core, kIn, kV, 17, true);
  Issue(core, kV, 18, {core->ub + 768, core->ub + 512, 1});
  Order(core, kV, kOut, 19, true);
  Issue(core, kOut, 20, {y + (faults.overlap ? row / 2 : row), core->ub + 768, 0});
  observer->end(core);
}

class RunCheckedTest : public ::testing::Test {
 protected:
  void SetUp() override { faults = Faults(); }

  CheckResult Run(const CheckOptions& options = {}, uint32_t threads = 2) {
    for (size_t i = 0; i < x_.size(); ++i) {
      x_[i] = static_cast<uint8_t>(i * 11);
    }
    void* args[] = {x_.data(), w_.data(), y_.data()};
    launch::Launch launch;
    launch.entry = &Kernel;
    launch.block_num = kCores;
    launch.ub_bytes = 8192;
    launch.args = args;
    launch.arg_count = 3;
    launch.threads = threads;
    return RunChecked(launch,
                      {{"x", RegionKind::kInput, x_.data(), x_.size(), false},
                       {"w", RegionKind::kWorkspace, w_.data(), w_.size(), false},
                       {"y", RegionKind::kOutput, y_.data(), y_.size(), false}},
                      options);
  }
  static std::string Rules(const CheckResult& result) {
    std::string rules;
    for (const Finding& finding : result.findings) {
      rules += rules.empty() ? "" : ", ";
      rules += finding.rule + " " + std::to_string(finding.place.line);
    }
    return rules;
  }

  std::vector<uint8_t> x_ = std::vector<uint8_t>(kCores * kRow);
  std::vector<uint8_t> w_ = std::vector<uint8_t>(kCores * kRow);
  std::vector<uint8_t> y_ = std::vector<uint8_t>(kCores * kRow);
};

TEST_F(RunCheckedTest, FindsNothingInARightKernelAndKeepsItsResults) {
  for (const uint32_t threads : {1u, 2u, 0u}) {
    const CheckResult result = Run({}, threads);
    ASSERT_TRUE(result.status.ok()) << result.status.message;
    EXPECT_EQ(Rules(result), "");
    for (size_t i = 0; i < y_.size(); ++i) {
      ASSERT_EQ(y_[i], static_cast<uint8_t>(x_[i] + 2)) << i;
    }
  }
}

TEST_F(RunCheckedTest, ARaceAlsoShowsInTheOutputsOfALateOrder) {
  faults.no_flag_in = true;
  const CheckResult result = Run();
  ASSERT_EQ(Rules(result), "ub-race 12, order-dependent 0");
  EXPECT_EQ(result.findings[1].sentence,
            "GM output y differs between the orders eager and late-copies, both of which the "
            "flags allow: add the order that the races name");
  EXPECT_EQ(result.findings[1].begin, 0u);
  EXPECT_EQ(result.findings[1].end, y_.size());
  EXPECT_EQ(result.findings[0].count, kCores);
  for (size_t i = 0; i < y_.size(); ++i) {
    ASSERT_EQ(y_[i], static_cast<uint8_t>(x_[i] + 2)) << i;  // of the eager order
  }
}

TEST_F(RunCheckedTest, ADeadlockOfOneCoreEndsTheLaunch) {
  faults.no_set = true;
  const CheckResult result = Run();
  EXPECT_FALSE(result.status.ok());
  ASSERT_EQ(Rules(result), "flag-never-set 11");
  EXPECT_EQ(result.findings[0].core, 3u);
}

TEST_F(RunCheckedTest, ASyncAllThatOneCoreSkips) {
  faults.skips_sync = true;
  const CheckResult result = Run({}, 1);
  EXPECT_FALSE(result.status.ok());
  EXPECT_NE(Rules(result).find("sync-all-not-reached 15"), std::string::npos) << Rules(result);
}

TEST_F(RunCheckedTest, CoresThatWriteTheSameBytes) {
  faults.overlap = true;
  const CheckResult result = Run({}, 1);
  ASSERT_EQ(Rules(result), "output-not-written 0, gm-race-between-cores 20");
  EXPECT_EQ(result.findings[1].end - result.findings[1].begin, kRow / 2);
  EXPECT_EQ(result.findings[0].begin, (kCores + 1) * kRow / 2);
  EXPECT_EQ(result.findings[0].end, kCores * kRow);
  EXPECT_EQ(result.findings[0].sentence,
            "the kernel has ended and no core has written 128 bytes of GM output y, which has 320 "
            "bytes; bytes 192 to 319 are the first of them: write them, or let the host fill the "
            "output before");
}

TEST_F(RunCheckedTest, AKernelThatFailsIsAFindingWithItsMessage) {
  faults.fails = true;
  const CheckResult result = Run();
  ASSERT_EQ(Rules(result), "launch-failed 0");
  EXPECT_NE(result.findings[0].sentence.find("the kernel gave up"), std::string::npos);
}

// y = x behind a vector load of twice as many bytes as were written, of which `lane` goes to y[0].
void LoadBeyondRow(AscendcTwinCore* core, uint64_t lane, uint8_t* x, uint8_t* y) {
  static thread_local AscendcTwinCore* current;
  static thread_local uint64_t counted;
  current = core;
  counted = lane;
  core->observer->begin(core);
  Issue(core, kIn, 10, {core->ub, x, 0});
  Order(core, kIn, kV, 11, true);
  AscendcTwinInstruction function = {};
  function.name = "VF_CALL";
  function.place = {"kernel.h", 12, 1};
  function.pipe = kV;
  function.discovers = kAscendcTwinDiscoversInRun;
  const uint8_t nothing = 0;
  function.closure = &nothing;
  function.closure_bytes = sizeof(nothing);
  function.run = [](const void*) {
    const uint64_t ub = reinterpret_cast<uint64_t>(current->ub);
    const AscendcTwinPlace load = {"kernel.h", 13, 1};
    const AscendcTwinPlace store = {"kernel.h", 14, 1};
    current->observer->vector_access(current, ub, 2 * kRow, 0, 32, &load);
    current->observer->vector_access(current, ub + 256, kRow, 1, 32, &store);
    std::memcpy(current->ub + 256, current->ub, kRow);
    current->ub[256] = current->ub[counted];
  };
  core->observer->issue(core, &function);
  Order(core, kV, kOut, 15, true);
  Issue(core, kOut, 16, {y, core->ub + 256, 0});
  core->observer->end(core);
}

TEST_F(RunCheckedTest, LanesThatNobodyWroteMayBeLoadedButNotCount) {
  uint64_t lane = 0;
  void* args[] = {x_.data(), y_.data(), &lane};
  launch::Launch launch;
  launch.entry = [](AscendcTwinCore* core, void* const* arguments) {
    LoadBeyondRow(core, *static_cast<uint64_t*>(arguments[2]), static_cast<uint8_t*>(arguments[0]),
                  static_cast<uint8_t*>(arguments[1]));
  };
  launch.block_num = 1;
  launch.ub_bytes = 8192;
  launch.args = args;
  launch.arg_count = 3;
  launch.threads = 1;
  const std::vector<GmRegion> regions = {{"x", RegionKind::kInput, x_.data(), x_.size(), false},
                                         {"y", RegionKind::kOutput, y_.data(), kRow, false}};
  EXPECT_EQ(Rules(RunChecked(launch, regions, {})), "");
  lane = kRow;
  const CheckResult result = RunChecked(launch, regions, {});
  ASSERT_EQ(Rules(result), "unwritten-lanes-count 13");
  EXPECT_EQ(result.findings[0].sentence,
            "GM output y depends on bytes of UB that nobody wrote: a mask must leave out the lanes "
            "behind the row's end that kernel.h:13 loads");
  EXPECT_EQ(result.findings[0].begin, 0u);
  EXPECT_EQ(result.findings[0].end, 1u);
}

TEST_F(RunCheckedTest, MoreBlocksThanTheSocHasCores) {
  CheckOptions options;
  options.soc_cores = kCores;
  EXPECT_EQ(Rules(Run(options)), "");
  options.soc_cores = kCores - 1;
  EXPECT_EQ(Rules(Run(options)), "too-many-blocks 0");
}

TEST_F(RunCheckedTest, AMutationIsCaught) {
  CheckOptions options;
  options.record_call_sites = true;
  const CheckResult sites = Run(options);
  EXPECT_EQ(sites.call_sites.size(), 9u);
  for (const CallSite& site : sites.call_sites) {
    CheckOptions mutated;
    mutated.mutation.site = site;
    const CheckResult result = Run(mutated);
    EXPECT_GT(result.mutated, 0u) << site.place.line;
    EXPECT_FALSE(result.findings.empty()) << site.place.line;
  }
}

}  // namespace
}  // namespace attnres::checks
