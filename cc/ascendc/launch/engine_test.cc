// The engine with hand-written entries: every core runs once, SyncAll separates phases for any
// block number on any thread count, failures end the launch with a message, and many launches run
// at once.
#include "cc/ascendc/launch/engine.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace attnres::launch {
namespace {

constexpr uint64_t kUbBytes = 196608;

Launch MakeLaunch(AscendcTwinKernelEntry entry, uint32_t blocks, uint32_t threads,
                  void* const* args) {
  Launch launch;
  launch.entry = entry;
  launch.block_num = blocks;
  launch.ub_bytes = kUbBytes;
  launch.args = args;
  launch.threads = threads;
  launch.op_name = "test_op";
  return launch;
}

void CountRun(AscendcTwinCore* core, void* const* args) {
  static_cast<uint32_t*>(args[0])[core->block_idx] += 1;
  core->gm_bytes_read += 3;
  core->gm_bytes_written += core->block_idx;
}

// Each phase reads what all cores wrote in the one before, so a missing or early release shows in
// the values.
void ShiftTwice(AscendcTwinCore* core, void* const* args) {
  auto* values = static_cast<uint64_t*>(args[0]);
  const uint32_t n = core->block_num;
  uint64_t* first = values;
  uint64_t* second = values + n;
  uint64_t* third = values + 2 * n;
  const uint32_t i = core->block_idx;
  std::memset(core->ub, static_cast<int>(i), core->ub_bytes);
  first[i] = i + 1;
  core->sync_all(core);
  second[i] = first[(i + 1) % n] * 10;
  core->sync_all(core);
  third[i] = second[(i + n - 1) % n] + 1;
  const bool own_ub = core->ub[0] == static_cast<uint8_t>(i) &&
                      core->ub[core->ub_bytes - 1] == static_cast<uint8_t>(i);
  if (!own_ub) {
    third[i] = 0;
  }
}

class EngineGrid : public ::testing::TestWithParam<std::tuple<uint32_t, uint32_t>> {};

std::string GridName(const ::testing::TestParamInfo<std::tuple<uint32_t, uint32_t>>& info) {
  return "blocks" + std::to_string(std::get<0>(info.param)) + "_threads" +
         std::to_string(std::get<1>(info.param));
}

TEST_P(EngineGrid, RunsEveryCoreOnceAndSumsItsBytes) {
  const auto [blocks, threads] = GetParam();
  std::vector<uint32_t> runs(blocks, 0);
  void* args[] = {runs.data()};
  LaunchStats stats;
  const Status status = launch::Run(MakeLaunch(&CountRun, blocks, threads, args), &stats);
  ASSERT_TRUE(status.ok()) << status.message;
  for (uint32_t block = 0; block < blocks; ++block) {
    EXPECT_EQ(runs[block], 1u) << "core " << block;
  }
  EXPECT_EQ(stats.gm_bytes_read, 3u * blocks);
  EXPECT_EQ(stats.gm_bytes_written, uint64_t{blocks} * (blocks - 1) / 2);
  EXPECT_GE(stats.threads, 1u);
  if (threads > 0) {
    EXPECT_LE(stats.threads, threads);
  }
}

TEST_P(EngineGrid, SyncAllSeparatesPhases) {
  const auto [blocks, threads] = GetParam();
  for (int repeat = 0; repeat < 5; ++repeat) {
    std::vector<uint64_t> values(3 * blocks, 0);
    void* args[] = {values.data()};
    const Status status = launch::Run(MakeLaunch(&ShiftTwice, blocks, threads, args), nullptr);
    ASSERT_TRUE(status.ok()) << status.message;
    for (uint32_t i = 0; i < blocks; ++i) {
      const uint32_t writer = (i + blocks - 1) % blocks;
      ASSERT_EQ(values[2 * blocks + i], ((writer + 1) % blocks + 1) * 10 + 1)
          << "core " << i << " repeat " << repeat;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Grid, EngineGrid,
                         ::testing::Combine(::testing::Values(1u, 2u, 3u, 7u, 48u, 64u, 257u),
                                            ::testing::Values(0u, 1u, 2u, 3u, 7u, 16u)),
                         GridName);

void SkipSyncAbove(AscendcTwinCore* core, void* const* args) {
  if (core->block_idx < *static_cast<uint32_t*>(args[0])) {
    core->sync_all(core);
  }
}

TEST(EngineFailure, SyncAllThatSomeCoresNeverReachIsAnErrorNotAHang) {
  for (uint32_t threads : {1u, 2u, 7u}) {
    uint32_t reached = 3;
    void* args[] = {&reached};
    const Status status = launch::Run(MakeLaunch(&SkipSyncAbove, 48, threads, args), nullptr);
    EXPECT_EQ(status.message, "test_op: SyncAll reached by 3 of 48 cores") << threads << " threads";
  }
}

void FailAt(AscendcTwinCore* core, void* const* args) {
  core->sync_all(core);
  if (core->block_idx % 5 == *static_cast<uint32_t*>(args[0])) {
    core->fail(core, "queue is empty");
  }
  core->sync_all(core);
}

TEST(EngineFailure, FailEndsTheLaunchWhileOthersWait) {
  for (uint32_t threads : {1u, 2u, 7u}) {
    uint32_t rest = 2;
    void* args[] = {&rest};
    const Status status = launch::Run(MakeLaunch(&FailAt, 12, threads, args), nullptr);
    EXPECT_NE(status.message.find("test_op: queue is empty (core "), std::string::npos)
        << status.message;
    uint32_t none = 9;
    void* good[] = {&none};
    EXPECT_TRUE(launch::Run(MakeLaunch(&FailAt, 12, threads, good), nullptr).ok())
        << "the next launch must be clean";
  }
}

void FailFirst(AscendcTwinCore* core, void* const*) { core->fail(core, "no"); }

TEST(EngineFailure, OneThreadReportsTheLowestCore) {
  const Status status = launch::Run(MakeLaunch(&FailFirst, 8, 1, nullptr), nullptr);
  EXPECT_EQ(status.message, "test_op: no (core 0 of 8)");
}

TEST(EngineFailure, RefusesBadLaunches) {
  EXPECT_EQ(launch::Run(MakeLaunch(nullptr, 1, 1, nullptr), nullptr).message,
            "test_op: the launch has no kernel entry");
  EXPECT_EQ(launch::Run(MakeLaunch(&FailFirst, 0, 1, nullptr), nullptr).message,
            "test_op: block number 0, expected at least 1");
  Launch launch = MakeLaunch(&FailFirst, 1, 1, nullptr);
  launch.arg_count = 2;
  EXPECT_EQ(launch::Run(launch, nullptr).message, "test_op: null argument array for 2 arguments");
}

TEST(EngineFailure, UbThatCannotBeMappedIsAnError) {
  Launch launch = MakeLaunch(&FailFirst, 1, 1, nullptr);
  launch.ub_bytes = uint64_t{1} << 60;
  const Status status = launch::Run(launch, nullptr);
  EXPECT_NE(
      status.message.find("no memory for a core's Unified Buffer of 1152921504606846976 bytes"),
      std::string::npos);
}

void FlagRound(AscendcTwinCore* core, void* const* args) {
  auto* counter = static_cast<std::atomic<uint32_t>*>(args[0]);
  auto* early = static_cast<std::atomic<uint32_t>*>(args[1]);
  for (uint32_t round = 1; round <= 3; ++round) {
    counter->fetch_add(1);
    core->set_flag(core, 5);
    core->wait_flag(core, 5);
    if (counter->load() < round * core->block_num) {
      early->fetch_add(1);
    }
  }
}

TEST(EngineFlags, WaitReturnsWhenEveryCoreHasSet) {
  for (uint32_t threads : {1u, 3u}) {
    std::atomic<uint32_t> counter{0};
    std::atomic<uint32_t> early{0};
    void* args[] = {&counter, &early};
    const Status status = launch::Run(MakeLaunch(&FlagRound, 20, threads, args), nullptr);
    EXPECT_TRUE(status.ok()) << status.message;
    EXPECT_EQ(early.load(), 0u);
  }
}

void WaitForNobody(AscendcTwinCore* core, void* const*) { core->wait_flag(core, 1); }

TEST(EngineFlags, FlagThatNobodySetsIsAnError) {
  EXPECT_EQ(launch::Run(MakeLaunch(&WaitForNobody, 4, 2, nullptr), nullptr).message,
            "test_op: every core of 4 that has not ended waits for a flag that no core will set");
}

// Appends its index in every phase; the order of the appends is what await_lower_cores promises.
void AppendInOrder(AscendcTwinCore* core, void* const* args) {
  auto* order = static_cast<std::vector<uint32_t>*>(args[0]);
  for (int phase = 0; phase < 3; ++phase) {
    core->await_lower_cores(core);
    order->push_back(core->block_idx);
    core->sync_all(core);
  }
}

TEST(EngineOrder, AwaitLowerCoresRunsCoresInIndexOrder) {
  for (uint32_t threads : {1u, 2u, 5u}) {
    for (uint32_t blocks : {1u, 2u, 48u, 100u}) {
      std::vector<uint32_t> order;
      void* args[] = {&order};
      const Status status = launch::Run(MakeLaunch(&AppendInOrder, blocks, threads, args), nullptr);
      ASSERT_TRUE(status.ok()) << status.message;
      ASSERT_EQ(order.size(), 3 * blocks);
      for (uint32_t i = 0; i < order.size(); ++i) {
        ASSERT_EQ(order[i], i % blocks)
            << "position " << i << " of " << blocks << " cores on " << threads;
      }
    }
  }
}

void SyncHalf(AscendcTwinCore* core, void* const* args) {
  auto* sum = static_cast<std::atomic<uint32_t>*>(args[0]);
  auto* wrong = static_cast<std::atomic<uint32_t>*>(args[1]);
  const uint32_t half = core->block_num / 2;
  if (core->block_idx < half) {
    sum->fetch_add(1);
    core->sync_some(core, half);
    wrong->fetch_add(sum->load() == half ? 0 : 1);
  }
}

TEST(EngineSync, SomeCoresAlone) {
  for (uint32_t threads : {1u, 2u}) {
    std::atomic<uint32_t> sum{0};
    std::atomic<uint32_t> wrong{0};
    void* args[] = {&sum, &wrong};
    const Status status = launch::Run(MakeLaunch(&SyncHalf, 10, threads, args), nullptr);
    EXPECT_TRUE(status.ok()) << status.message;
    EXPECT_EQ(wrong.load(), 0u);
  }
}

TEST(EngineConcurrency, ManyLaunchesAtOnce) {
  std::vector<std::thread> callers;
  std::atomic<uint32_t> bad{0};
  for (uint32_t caller = 0; caller < 6; ++caller) {
    callers.emplace_back([caller, &bad] {
      const uint32_t blocks = 5 + caller * 7;
      for (int repeat = 0; repeat < 30; ++repeat) {
        std::vector<uint64_t> values(3 * blocks, 0);
        void* args[] = {values.data()};
        const bool failing = repeat % 10 == 9;
        uint32_t reached = 2;
        void* failing_args[] = {&reached};
        const Status status =
            failing ? launch::Run(MakeLaunch(&SkipSyncAbove, blocks, caller, failing_args), nullptr)
                    : launch::Run(MakeLaunch(&ShiftTwice, blocks, caller, args), nullptr);
        const bool right =
            failing ? !status.ok() : status.ok() && values[2 * blocks] == (0 + 1) * 10 + 1;
        bad.fetch_add(right ? 0 : 1);
      }
    });
  }
  for (std::thread& caller : callers) {
    caller.join();
  }
  EXPECT_EQ(bad.load(), 0u);
}

// A forked child has none of the parent's helper threads.
TEST(EngineConcurrency, ForkedChildRunsLaunches) {
  if (std::getenv("ATTNRES_EMULATOR") != nullptr) {
    GTEST_SKIP() << "qemu-user dies of a forked child that starts threads";
  }
  std::vector<uint64_t> values(3 * 9, 0);
  void* args[] = {values.data()};
  const Launch launch = MakeLaunch(&ShiftTwice, 9, 2, args);
  ASSERT_TRUE(launch::Run(launch, nullptr).ok());
  const pid_t child = fork();
  if (child == 0) {
    _exit(launch::Run(launch, nullptr).ok() ? 42 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 42);
}

TEST(EngineFailure, NamelessLaunchStillHasAMessage) {
  Launch launch = MakeLaunch(&FailFirst, 1, 1, nullptr);
  launch.op_name = nullptr;
  EXPECT_EQ(launch::Run(launch, nullptr).message, "kernel: no (core 0 of 1)");
}

constexpr AscendcTwinPlace kHere = {"some/kernel.cpp", 12, 3};

std::vector<std::string> LinesOf(AscendcTwinKernelEntry entry, uint32_t blocks, uint32_t threads) {
  std::vector<std::string> lines;
  Launch launch = MakeLaunch(entry, blocks, threads, nullptr);
  launch.print_context = &lines;
  launch.print = [](void* context, uint32_t block, const char* text) {
    static_cast<std::vector<std::string>*>(context)->push_back(std::to_string(block) + "|" + text);
  };
  launch::Run(launch, nullptr);
  return lines;
}

void PrintTwice(AscendcTwinCore* core, void* const*) {
  core->print(core, &kHere, "one\ntwo\n");
  core->print(core, nullptr, "three");
}

TEST(EnginePrint, LinesReachTheLaunchWithTheirCoreAndPlace) {
  EXPECT_EQ(LinesOf(&PrintTwice, 2, 1),
            (std::vector<std::string>{"0|some/kernel.cpp:12: one", "0|some/kernel.cpp:12: two",
                                      "0|three", "1|some/kernel.cpp:12: one",
                                      "1|some/kernel.cpp:12: two", "1|three"}));
}

// Higher cores print first in each phase.
void PrintAroundSyncAll(AscendcTwinCore* core, void* const*) {
  const auto until = std::chrono::steady_clock::now() +
                     std::chrono::microseconds(200 * (core->block_num - core->block_idx));
  while (std::chrono::steady_clock::now() < until) {
  }
  core->print(core, &kHere, "before");
  core->sync_all(core);
  core->print(core, &kHere, "after");
}

TEST(EnginePrint, OrderDoesNotDependOnThreads) {
  std::vector<std::string> expected;
  for (uint32_t block = 0; block < 12; ++block) {
    expected.push_back(std::to_string(block) + "|some/kernel.cpp:12: before");
    expected.push_back(std::to_string(block) + "|some/kernel.cpp:12: after");
  }
  for (uint32_t threads : {1u, 2u, 5u, 12u}) {
    EXPECT_EQ(LinesOf(&PrintAroundSyncAll, 12, threads), expected) << threads << " threads";
  }
}

void PrintAndFail(AscendcTwinCore* core, void* const*) {
  core->print(core, &kHere, "last words");
  core->sync_all(core);
  if (core->block_idx == 1) {
    core->fail(core, "over");
  }
}

TEST(EnginePrint, AFailedLaunchLosesNoLine) {
  EXPECT_EQ(LinesOf(&PrintAndFail, 3, 1),
            (std::vector<std::string>{"0|some/kernel.cpp:12: last words",
                                      "1|some/kernel.cpp:12: last words",
                                      "2|some/kernel.cpp:12: last words"}));
}

// Spins until a second core has begun, which can only be on another thread, or for half a second.
void AwaitSecondCore(AscendcTwinCore*, void* const* args) {
  auto* begun = static_cast<std::atomic<uint32_t>*>(args[0]);
  begun->fetch_add(1);
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  while (begun->load() < 2 && std::chrono::steady_clock::now() < end) {
  }
}

TEST(EngineThreads, ASmallLaunchStaysOnItsCaller) {
  std::atomic<uint32_t> begun{2};  // nobody waits
  void* args[] = {&begun};
  Launch launch = MakeLaunch(&AwaitSecondCore, 48, 7, args);
  launch.gm_bytes = 4096;
  for (int i = 0; i < 50; ++i) {
    LaunchStats stats;
    ASSERT_TRUE(launch::Run(launch, &stats).ok());
    EXPECT_EQ(stats.threads, 1u);
  }
}

TEST(EngineThreads, ALargeOneIsSharedAndSoIsOneOfUnknownSize) {
  for (uint64_t bytes : {uint64_t{0}, uint64_t{1} << 30}) {
    std::atomic<uint32_t> begun{0};
    void* args[] = {&begun};
    Launch launch = MakeLaunch(&AwaitSecondCore, 2, 2, args);
    launch.gm_bytes = bytes;
    LaunchStats stats;
    ASSERT_TRUE(launch::Run(launch, &stats).ok());
    EXPECT_EQ(stats.threads, 2u) << bytes << " bytes";
  }
}

// Sleeping helpers and callers are woken: the pauses are longer than anyone spins.
TEST(EngineThreads, LaunchesAfterAPauseFindTheirHelpers) {
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::atomic<uint32_t> begun{0};
    void* args[] = {&begun};
    LaunchStats stats;
    ASSERT_TRUE(launch::Run(MakeLaunch(&AwaitSecondCore, 2, 2, args), &stats).ok());
    EXPECT_EQ(stats.threads, 2u);
  }
}

TEST(EngineThreads, IdleHelpersCostNothing) {
  std::atomic<uint32_t> begun{0};
  void* args[] = {&begun};
  ASSERT_TRUE(launch::Run(MakeLaunch(&AwaitSecondCore, 4, 4, args), nullptr).ok());
  const std::clock_t before = std::clock();  // of all threads
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const double busy = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  EXPECT_LT(busy, 0.1) << "three helpers that never slept would have been busy for 0.6 s or more";
}

void KeepAddress(AscendcTwinCore* core, void* const* args) {
  static_cast<std::atomic<uint8_t*>*>(args[0])[core->block_idx] = core->ub;
  core->sync_all(core);
}

TEST(EngineMemory, LaunchesReuseTheUnifiedBuffersOfEarlierOnes) {
  constexpr uint32_t kBlocks = 12;
  std::set<uint8_t*> seen;
  for (int i = 0; i < 20; ++i) {
    std::atomic<uint8_t*> addresses[kBlocks] = {};
    void* args[] = {addresses};
    ASSERT_TRUE(launch::Run(MakeLaunch(&KeepAddress, kBlocks, 3, args), nullptr).ok());
    for (const auto& address : addresses) seen.insert(address.load());
  }
  EXPECT_EQ(seen.size(), kBlocks) << "as many as cores, on any number of threads";
}

void Nothing(AscendcTwinCore*, void* const*) {}

TEST(EngineCost, LaunchOf48EmptyCoresIsCheap) {
  for (uint32_t threads : {1u, 2u}) {
    const Launch launch = MakeLaunch(&Nothing, 48, threads, nullptr);
    launch::Run(launch, nullptr);
    const auto start = std::chrono::steady_clock::now();
    constexpr int kLaunches = 200;
    for (int i = 0; i < kLaunches; ++i) {
      launch::Run(launch, nullptr);
    }
    const std::chrono::duration<double, std::micro> elapsed =
        std::chrono::steady_clock::now() - start;
    RecordProperty("microseconds_per_launch_threads" + std::to_string(threads),
                   std::to_string(elapsed.count() / kLaunches));
    EXPECT_LT(elapsed.count() / kLaunches, 2000.0);
  }
}

}  // namespace
}  // namespace attnres::launch
