// Instruction streams written by hand, and the times that they must take to the cycle.
#include "cc/ascendc/timeline/timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "cc/ascendc/timeline/critical_path.h"
#include "cc/ascendc/timeline/result.h"
#include "cc/ascendc/timeline/testing/fake_core.h"

namespace attnres::timeline {
namespace {

constexpr uint8_t kS = FakeCore::kS;
constexpr uint8_t kV = FakeCore::kV;
constexpr uint8_t kIn = FakeCore::kIn;
constexpr uint8_t kOut = FakeCore::kOut;
constexpr uint64_t kFar = uint64_t{1} << 21;  // bytes between what must not share lines of L2

template <typename Body>
TimelineResult RunOne(const CostProfile& profile, Body body) {
  Timeline timeline(profile);
  FakeCore core(timeline, 0);
  body(core);
  core.End();
  return timeline.Finish();
}

// The same on several cores: body(core, block).
template <typename Body>
TimelineResult RunMany(const CostProfile& profile, uint32_t cores, Body body) {
  Timeline timeline(profile);
  std::vector<std::unique_ptr<FakeCore>> all;
  for (uint32_t block = 0; block < cores; ++block) {
    all.push_back(std::make_unique<FakeCore>(timeline, block));
    body(*all.back(), block);
    all.back()->End();
  }
  return timeline.Finish();
}

const LineResult* FindLine(const TimelineResult& result, uint32_t number) {
  for (const LineResult& line : result.lines) {
    if (line.line.second == number) return &line;
  }
  return nullptr;
}

double PathSum(const TimelineResult& result) {
  return std::accumulate(result.path.begin(), result.path.end(), 0.0);
}

TEST(Timeline, PipesWithoutFlagsOverlap) {
  const TimelineResult result = RunOne(PlainProfile(), [](FakeCore& core) {
    core.CopyIn(1, 1000);
    core.Vector(2, 70, 4096, 8192);
    core.CopyOut(3, 600, kGm + kFar);
  });
  EXPECT_DOUBLE_EQ(result.cycles, 100);
  EXPECT_DOUBLE_EQ(result.busy[kIn], 100);
  EXPECT_DOUBLE_EQ(result.busy[kV], 70);
  EXPECT_DOUBLE_EQ(result.busy[kOut], 60);
}

TEST(Timeline, FlagsPutPipesInOrder) {
  const TimelineResult result = RunOne(PlainProfile(), [](FakeCore& core) {
    core.CopyIn(1, 1000);
    core.Set(2, kIn, kV);
    core.Wait(3, kIn, kV);
    core.Vector(4, 70, 0, 0);
    core.Set(5, kV, kOut);
    core.Wait(6, kV, kOut);
    core.CopyOut(7, 600, kGm + kFar);
  });
  EXPECT_DOUBLE_EQ(result.cycles, 100 + 70 + 60);
  EXPECT_DOUBLE_EQ(result.path[kPathCopyIn], 100);
  EXPECT_DOUBLE_EQ(result.path[kPathVector], 70);
  EXPECT_DOUBLE_EQ(result.path[kPathCopyOut], 60);
  ASSERT_EQ(result.waits.size(), 2u);
  EXPECT_EQ(result.waits[0].line.second, 6u);  // copy-out stood still longest: since the start
  EXPECT_EQ(result.waits[0].for_line.second, 4u);
  EXPECT_DOUBLE_EQ(result.waits[0].cycles, 170);
  EXPECT_EQ(result.waits[1].for_pipe, kIn);
}

// Two buffers: copy-in of the next overlaps with the vector unit's work on this one.
TEST(Timeline, DoubleBuffersHideTheShorterPipe) {
  const TimelineResult result = RunOne(PlainProfile(), [](FakeCore& core) {
    for (int i = 0; i < 10; ++i) {
      const int buffer = i % 2;
      if (i >= 2) core.Wait(1, kV, kIn, buffer);
      core.CopyIn(2, 1000, kGm + i * kFar);
      core.Set(3, kIn, kV, buffer);
      core.Wait(4, kIn, kV, buffer);
      core.Vector(5, 70, 4096 + 64 * buffer, 8192);
      core.Set(6, kV, kIn, buffer);
    }
  });
  EXPECT_DOUBLE_EQ(result.cycles, 10 * 100 + 70);
}

TEST(Timeline, OneBufferHidesNothing) {
  const TimelineResult result = RunOne(PlainProfile(), [](FakeCore& core) {
    for (int i = 0; i < 10; ++i) {
      if (i > 0) core.Wait(1, kV, kIn);
      core.CopyIn(2, 1000, kGm + i * kFar);
      core.Set(3, kIn, kV);
      core.Wait(4, kIn, kV);
      core.Vector(5, 70, 4096, 8192);
      core.Set(6, kV, kIn);
    }
  });
  EXPECT_DOUBLE_EQ(result.cycles, 10 * 170);
}

TEST(Timeline, QueuesActAsTheirFlags) {
  const TimelineResult result = RunOne(PlainProfile(), [](FakeCore& core) {
    for (int i = 0; i < 3; ++i) {
      core.Queue(1, kAscendcTwinQueueAlloc, kIn, kV);
      core.CopyIn(2, 1000, kGm + i * kFar);
      core.Queue(3, kAscendcTwinQueueEnQue, kIn, kV);
      core.Queue(4, kAscendcTwinQueueDeQue, kIn, kV);
      core.Vector(5, 70, 4096, 8192);
      core.Queue(6, kAscendcTwinQueueFree, kIn, kV);
    }
  });
  EXPECT_DOUBLE_EQ(result.cycles, 3 * 170);
}

TEST(Timeline, ScalarUnitIssuesInOrder) {
  CostProfile profile = PlainProfile();
  profile.scalar_issue_cycles = 50;
  const TimelineResult result = RunOne(profile, [](FakeCore& core) {
    core.Vector(1, 10, 0, 1024);
    core.Vector(2, 10, 2048, 4096);
    core.Vector(3, 10, 6144, 8192);
  });
  EXPECT_DOUBLE_EQ(result.cycles, 3 * 50 + 10);
  EXPECT_DOUBLE_EQ(result.busy[kV], 30);
}

TEST(Timeline, DependentVectorWorkWaitsForTheDrain) {
  CostProfile profile = PlainProfile();
  profile.vector_drain_cycles = 16;
  const auto cycles = [&](uint32_t second_source) {
    return RunOne(profile,
                  [&](FakeCore& core) {
                    core.Vector(1, 10, 0, 1024);
                    core.Vector(2, 10, 4096, second_source);
                  })
        .cycles;
  };
  EXPECT_DOUBLE_EQ(cycles(2048), 10 + 10 + 16);
  EXPECT_DOUBLE_EQ(cycles(0), 10 + 16 + 10 + 16);
  const TimelineResult result = RunOne(profile, [](FakeCore& core) {
    core.Vector(1, 10, 0, 1024);
    core.Vector(2, 10, 4096, 0);
  });
  EXPECT_DOUBLE_EQ(FindLine(result, 2)->path[kPathVector], 10);
  EXPECT_DOUBLE_EQ(FindLine(result, 2)->path[kPathDependency], 16);
}

TEST(Timeline, ScalarReadsAwaitWhatTheyRead) {
  const auto cycles = [](uint32_t read) {
    return RunOne(PlainProfile(),
                  [&](FakeCore& core) {
                    core.CopyIn(1, 320, kGm, 0);  // 32 cycles
                    core.Vector(2, 70, 4096, 8192);
                    core.ReadScalar(3, read);
                    core.CopyOut(4, 600, kGm + kFar);
                  })
        .cycles;
  };
  EXPECT_DOUBLE_EQ(cycles(16384), 70);
  EXPECT_DOUBLE_EQ(cycles(64), 32 + 60);
  EXPECT_DOUBLE_EQ(cycles(4096), 70 + 60);
}

TEST(Timeline, AFlagToTheScalarUnitMakesItsReadFree) {
  const TimelineResult result = RunOne(PlainProfile(), [](FakeCore& core) {
    core.CopyIn(1, 320, kGm, 0);
    core.Set(2, kIn, kS);
    core.CopyIn(3, 1000, kGm + kFar, 1024);
    core.Wait(4, kIn, kS);
    core.ReadScalar(5, 0);
    core.Vector(6, 10, 4096, 8192);
  });
  EXPECT_DOUBLE_EQ(result.cycles, 132);
  EXPECT_EQ(FindLine(result, 6)->path_total(), 0);
}

TEST(Timeline, BarriersWaitForResults) {
  CostProfile profile = PlainProfile();
  profile.read_latency_cycles = 25;
  const auto cycles = [&](bool barrier) {
    return RunOne(profile,
                  [&](FakeCore& core) {
                    core.CopyIn(1, 100);
                    if (barrier) core.Barrier(2, kIn);
                    core.CopyIn(3, 100, kGm + kFar);
                  })
        .cycles;
  };
  EXPECT_DOUBLE_EQ(cycles(false), 10 + 10 + 25);
  EXPECT_DOUBLE_EQ(cycles(true), 10 + 25 + 10 + 25);
}

TEST(Timeline, ABarrierOfAllPipesHoldsTheScalarUnit) {
  const TimelineResult result = RunOne(PlainProfile(), [](FakeCore& core) {
    core.CopyIn(1, 1000);
    core.Barrier(2, kAscendcTwinPipeAll);
    core.Vector(3, 70, 4096, 8192);
  });
  EXPECT_DOUBLE_EQ(result.cycles, 170);
}

TEST(Timeline, CopiesPayIssueAndLatency) {
  CostProfile profile = PlainProfile();
  profile.copy_issue_cycles = 7;
  profile.read_latency_cycles = 25;
  const TimelineResult result = RunOne(profile, [](FakeCore& core) {
    core.CopyIn(1, 100);
    core.CopyIn(2, 100, kGm + kFar);
  });
  EXPECT_DOUBLE_EQ(result.cycles, 2 * (7 + 10) + 25);
  EXPECT_DOUBLE_EQ(result.path[kPathLatency], 25);
}

TEST(Timeline, ShortBlocksTakeTheirLeastTime) {
  CostProfile profile = PlainProfile();
  profile.copy_block_cycles = 8;
  const auto cycles = [&](uint64_t bytes) {
    return RunOne(profile, [&](FakeCore& core) { core.CopyIn(1, bytes); }).cycles;
  };
  EXPECT_DOUBLE_EQ(cycles(32), 8);
  EXPECT_DOUBLE_EQ(cycles(320), 32);
}

TEST(Timeline, CopiesThatBeginInsideALineTouchOneMore) {
  const auto cycles = [](uint64_t offset) {
    return RunOne(PlainProfile(), [&](FakeCore& core) { core.CopyIn(1, 5120, kGm + offset); })
        .cycles;
  };
  EXPECT_DOUBLE_EQ(cycles(0), 512);
  EXPECT_NEAR(cycles(32), 512 + 51.2, 1e-9);
}

TEST(Timeline, CoresShareGlobalMemory) {
  const auto cycles = [](uint32_t cores) {
    return RunMany(PlainProfile(), cores,
                   [](FakeCore& core, uint32_t block) { core.CopyIn(1, 1000, kGm + block * kFar); })
        .cycles;
  };
  EXPECT_DOUBLE_EQ(cycles(1), 100);
  EXPECT_DOUBLE_EQ(cycles(4), 100);  // 4 * 10 is what there is
  EXPECT_DOUBLE_EQ(cycles(8), 200);
}

TEST(Timeline, ACoreThatEndsLeavesItsShareToOthers) {
  const TimelineResult result = RunMany(PlainProfile(), 8, [](FakeCore& core, uint32_t block) {
    core.CopyIn(1, block < 4 ? 500 : 1000, kGm + block * kFar);
  });
  // 8 cores at 5 per cycle for 100 cycles, then 4 at 10 for the other 500 bytes.
  EXPECT_DOUBLE_EQ(result.core_cycles[0], 100);
  EXPECT_DOUBLE_EQ(result.core_cycles[7], 150);
  EXPECT_DOUBLE_EQ(result.path[kPathBandwidth], 50);
  EXPECT_DOUBLE_EQ(PathSum(result), 150);
}

TEST(Timeline, WhatL2HoldsIsReadFaster) {
  const TimelineResult result = RunOne(PlainProfile(), [](FakeCore& core) {
    core.CopyIn(1, 5120);
    core.CopyIn(2, 5120);
  });
  EXPECT_DOUBLE_EQ(result.cycles, 512 + 256);
  EXPECT_DOUBLE_EQ(result.traffic.read, 5120);
  EXPECT_DOUBLE_EQ(result.traffic.hit, 5120);
  EXPECT_EQ(result.gm_bytes_read, 10240u);
}

TEST(Timeline, SyncAllJoinsCores) {
  CostProfile profile = PlainProfile();
  profile.sync_all_cycles = 30;
  const TimelineResult result = RunMany(profile, 3, [](FakeCore& core, uint32_t block) {
    core.Vector(1, 100 * (block + 1), 0, 1024);
    core.SyncAll(2);
    core.Vector(3, 10 * (3 - block), 0, 1024);
  });
  EXPECT_DOUBLE_EQ(result.core_cycles[0], 300 + 30 + 30);
  EXPECT_DOUBLE_EQ(result.core_cycles[2], 300 + 30 + 10);
  EXPECT_DOUBLE_EQ(result.path[kPathVector], 330);
  EXPECT_DOUBLE_EQ(result.path[kPathSyncAll], 30);
}

TEST(Timeline, SomeCoresCanJoinAlone) {
  const TimelineResult result = RunMany(PlainProfile(), 3, [](FakeCore& core, uint32_t block) {
    core.CopyIn(1, 1000 * (block + 1), kGm + block * kFar);
    if (block < 2) core.SyncAll(2, 2);
    core.Vector(3, 10, 0, 4096);
  });
  EXPECT_DOUBLE_EQ(result.core_cycles[0], 200 + 10);
  EXPECT_DOUBLE_EQ(result.core_cycles[2], 300);
}

TEST(Timeline, ADeadlockNamesWhatEachPipeWaitsFor) {
  const TimelineResult result = RunMany(PlainProfile(), 2, [](FakeCore& core, uint32_t block) {
    core.CopyIn(1, 1000);
    if (block == 0) core.Set(2, kIn, kV, 3);
    core.Wait(4, kIn, kV, 3);
    core.Vector(5, 10, 0, 4096);
  });
  EXPECT_EQ(result.error,
            "the kernel waits for something that never happens:\n"
            "  core 1: the scalar unit has ended; pipe V is at kernel.cpp:4, waiting for flag "
            "MTE2->V 3, with 1 steps behind it");
}

TEST(Timeline, VectorFunctionsCostTheirScarcestUnit) {
  CostProfile profile = PlainProfile();
  profile.vf_startup_cycles = 23;
  const auto cycles = [&](uint32_t loads, uint32_t stores, uint32_t operations, const char* name) {
    return RunOne(profile,
                  [&](FakeCore& core) { core.Function(1, loads, stores, operations, name); })
        .cycles;
  };
  EXPECT_DOUBLE_EQ(cycles(10, 10, 4, "Add"), 23 + 10);
  EXPECT_DOUBLE_EQ(cycles(20, 4, 4, "Add"), 23 + 12);
  EXPECT_DOUBLE_EQ(cycles(2, 1, 100, "Add"), 23 + 50);
  EXPECT_DOUBLE_EQ(cycles(2, 1, 20, "Exp"), 23 + 80);
}

// Everything that can hold a core at once, and still each moment of the path has one owner.
TEST(Timeline, ThePathAddsUpToTheTime) {
  CostProfile profile = PlainProfile();
  profile.scalar_issue_cycles = 3;
  profile.flag_cycles = 1;
  profile.copy_issue_cycles = 5;
  profile.read_latency_cycles = 11;
  profile.write_latency_cycles = 13;
  profile.vector_drain_cycles = 7;
  profile.sync_all_cycles = 40;
  profile.task_overhead_us = 0.1;
  const TimelineResult result = RunMany(profile, 6, [](FakeCore& core, uint32_t block) {
    for (uint32_t i = 0; i < 20; ++i) {
      const int32_t buffer = i % 2;
      if (i >= 2) core.Wait(1, kV, kIn, buffer);
      core.CopyIn(2, 640 + 32 * ((block * 7 + i) % 5), kGm + (block * 20 + i) * kFar);
      core.Set(3, kIn, kV, buffer);
      core.Wait(4, kIn, kV, buffer);
      if (i >= 2) core.Wait(5, kOut, kV, buffer);
      core.Vector(6, 20 + (i * 13 + block) % 40, 4096 + 64 * buffer, 8192);
      core.Vector(7, 10, 4096 + 64 * buffer, 4096 + 64 * buffer);
      core.Set(8, kV, kIn, buffer);
      core.Set(9, kV, kOut, buffer);
      core.Wait(10, kV, kOut, buffer);
      core.CopyOut(11, 320, kGm + (1000 + block * 20 + i) * kFar);
      core.Set(12, kOut, kV, buffer);
      if (i == 7) core.ReadScalar(13, 4096);
      if (i == 11) core.SyncAll(14);
      if (i == 15) core.Barrier(15, kOut);
    }
  });
  EXPECT_GT(result.cycles, 1000);
  EXPECT_NEAR(PathSum(result), result.cycles, 1e-6);
}

TEST(Timeline, CoresBeginOneAfterTheOther) {
  CostProfile profile = PlainProfile();
  profile.task_overhead_us = 0.2;  // 200 cycles
  const TimelineResult result =
      RunMany(profile, 4, [](FakeCore& core, uint32_t) { core.Vector(1, 100, 0, 1024); });
  EXPECT_EQ(result.core_cycles, (std::vector<double>{100, 150, 200, 250}));
  EXPECT_DOUBLE_EQ(result.path[kPathStart], 150);
  EXPECT_DOUBLE_EQ(PathSum(result), 250);
  EXPECT_DOUBLE_EQ(FindLine(result, 1)->path_total(), 100);
}

TEST(Timeline, FilesHaveOneName) {
  EXPECT_EQ(LineOf({"op/arch35/../rows.h", 3, 1}), SourceLine("op/rows.h", 3));
  EXPECT_EQ(LineOf({"a/b/../../rows.h", 3, 1}), SourceLine("rows.h", 3));
  EXPECT_EQ(LineOf({"../rows.h", 3, 1}), SourceLine("../rows.h", 3));
  EXPECT_EQ(LineOf({nullptr, 0, 0}), SourceLine("", 0));
}

TEST(Timeline, TheSameStreamsTakeTheSameTime) {
  const auto run = [] {
    return RunMany(PlainProfile(), 7, [](FakeCore& core, uint32_t block) {
      for (uint32_t i = 0; i < 9; ++i) core.CopyIn(1, 100 + 32 * (block ^ i), kGm + i * kFar);
    });
  };
  EXPECT_EQ(run().core_cycles, run().core_cycles);
}

}  // namespace
}  // namespace attnres::timeline
