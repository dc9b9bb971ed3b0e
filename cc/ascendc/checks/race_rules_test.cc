// Races of one core and between cores: each pattern with the order missing, then with it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cc/ascendc/checks/finding.h"
#include "cc/ascendc/checks/options.h"
#include "cc/ascendc/checks/order.h"
#include "cc/ascendc/checks/played_kernel.h"

namespace attnres::checks {
namespace {

TEST(RaceRules, VectorReadsBeforeTheCopyInHasEnded) {
  PlayedKernel kernel;
  kernel.Buffer(5, 0, 128);
  kernel.In(10, 0, 0, 64);
  kernel.Add(12, 64, 0, 64);
  const std::vector<Finding> findings = kernel.Finish();
  ASSERT_EQ(findings.size(), 1u);
  const Finding& finding = findings[0];
  EXPECT_EQ(finding.category, "race");
  EXPECT_EQ(finding.rule, "ub-race");
  EXPECT_EQ(finding.place.line, 12u);
  EXPECT_EQ(finding.other_place.line, 10u);
  EXPECT_EQ(finding.pipe, "vector");
  EXPECT_EQ(finding.other_pipe, "copy-in");
  EXPECT_EQ(finding.buffer, "UB buffer 0, made at kernel.h:5");
  EXPECT_EQ(finding.begin, 0u);
  EXPECT_EQ(finding.end, 64u);
  EXPECT_EQ(finding.operand, "src");
  EXPECT_EQ(finding.sentence,
            "`Add` at kernel.h:12 (vector) reads what `DataCopy` at kernel.h:10 (copy-in) writes, "
            "with no flag, barrier or queue between them: put SetFlag<MTE2_V> after the `DataCopy` "
            "of line 10 and WaitFlag<MTE2_V> before the `Add` of line 12, or a queue between them");
}

TEST(RaceRules, FlagOrdersCopyInAndVector) {
  PlayedKernel kernel;
  kernel.In(10, 0, 0, 64);
  kernel.Order(11, kMte2, kV);
  kernel.Add(12, 64, 0, 64);
  EXPECT_EQ(kernel.Rules(), "");
}

TEST(RaceRules, CopyInOverwritesWhatTheVectorPipeStillReads) {
  PlayedKernel kernel;
  kernel.In(10, 0, 0, 64);
  kernel.Order(11, kMte2, kV);
  kernel.Add(12, 64, 0, 64);
  kernel.In(13, 0, 64, 64);
  EXPECT_EQ(kernel.Rules(), "ub-race 13/12, ub-race 13/10");  // the flag that lacks orders both
}

TEST(RaceRules, FlagBackOrdersTheNextCopyInAndEarlierCopiesThroughIt) {
  PlayedKernel kernel;
  kernel.In(10, 0, 0, 64);
  kernel.Order(11, kMte2, kV);
  kernel.Add(12, 64, 0, 64);
  kernel.Order(13, kV, kMte2);
  kernel.In(14, 0, 64, 64);  // after the first copy too, by the chain of flags
  EXPECT_EQ(kernel.Rules(), "");
}

TEST(RaceRules, CopyOutBeforeTheVectorPipeHasWritten) {
  PlayedKernel kernel;
  kernel.Fill(10, 0, 64);
  kernel.Out(11, 0, 0, 64);
  EXPECT_EQ(kernel.Rules(), "ub-race 11/10");
}

TEST(RaceRules, VectorOverwritesWhatIsBeingCopiedOut) {
  PlayedKernel kernel;
  kernel.Fill(10, 0, 64);
  kernel.Order(11, kV, kMte3);
  kernel.Out(12, 0, 0, 64);
  kernel.Fill(13, 0, 64);
  EXPECT_EQ(kernel.Rules(), "ub-race 13/12");
}

TEST(RaceRules, CopiesOfOnePipeAreNotOrderedWithoutABarrier) {
  PlayedKernel missing;
  missing.In(10, 0, 0, 64);
  missing.In(11, 32, 0, 64);
  EXPECT_EQ(missing.Rules(), "ub-race 11/10");
  PlayedKernel kernel;
  kernel.In(10, 0, 0, 64);
  kernel.Barrier(11, kMte2);
  kernel.In(12, 32, 0, 64);
  EXPECT_EQ(kernel.Rules(), "");
}

TEST(RaceRules, VectorInstructionsOfArch22NeedAutoSyncOrABarrier) {
  CheckOptions off;
  off.auto_sync = false;
  PlayedKernel missing(off);
  missing.Fill(10, 0, 64);
  missing.Add(11, 64, 0, 64);
  EXPECT_EQ(missing.Rules(), "ub-race 11/10");
  PlayedKernel barrier(off);
  barrier.Fill(10, 0, 64);
  barrier.Barrier(11, kV);
  barrier.Add(12, 64, 0, 64);
  EXPECT_EQ(barrier.Rules(), "");
  PlayedKernel automatic;
  automatic.Fill(10, 0, 64);
  automatic.Add(11, 64, 0, 64);
  EXPECT_EQ(automatic.Rules(), "");
  off.arch = 3510;
  PlayedKernel in_order(off);
  in_order.Fill(10, 0, 64);
  in_order.Add(11, 64, 0, 64);
  EXPECT_EQ(in_order.Rules(), "");
}

TEST(RaceRules, ScalarAccessesNeedFlagsWithoutAutoSync) {
  CheckOptions off;
  off.auto_sync = false;
  PlayedKernel missing(off);
  missing.Fill(10, 0, 64);
  missing.Scalar(11, 4, 4, false);
  missing.Scalar(12, 64, 4, true);
  missing.Out(13, 0, 64, 4);
  EXPECT_EQ(missing.Rules(), "ub-race 11/10, ub-race 13/12");
  PlayedKernel kernel(off);
  kernel.Fill(10, 0, 64);
  kernel.Order(11, kV, kS);
  kernel.Scalar(12, 4, 4, false);
  kernel.Scalar(13, 64, 4, true);
  kernel.Order(14, kS, kMte3);
  kernel.Out(15, 0, 64, 4);
  EXPECT_EQ(kernel.Rules(), "");
}

TEST(RaceRules, AutoSyncOrdersScalarAccessesAndWhatFollowsThem) {
  PlayedKernel kernel;
  kernel.Fill(10, 0, 64);
  kernel.Scalar(11, 4, 4, false);
  kernel.Out(12, 0, 0, 64);  // the scalar unit has seen the vector pipe end
  EXPECT_EQ(kernel.Rules(), "");
}

TEST(RaceRules, BarrierOfAllPipesOrdersEverything) {
  PlayedKernel kernel;
  kernel.In(10, 0, 0, 64);
  kernel.Barrier(11, kPipeAll);
  kernel.Add(12, 64, 0, 64);
  kernel.Barrier(13, kPipeAll);
  kernel.Out(14, 0, 64, 64);
  kernel.Barrier(15, kPipeAll);
  kernel.In(16, 64, 0, 64);
  EXPECT_EQ(kernel.Rules(), "");
}

TEST(RaceRules, VectorFunctionRacesLikeAnInstruction) {
  PlayedKernel missing;
  missing.In(10, 0, 0, 256);
  EXPECT_EQ(missing.Vector(11, 0, 256, false), 1);
  EXPECT_EQ(missing.Vector(12, 256, 256, true), 1);
  missing.Out(13, 0, 256, 256);
  EXPECT_EQ(missing.Rules(), "ub-race 11/10, ub-race 13/12");
  PlayedKernel kernel;
  kernel.In(10, 0, 0, 256);
  kernel.Order(10, kMte2, kV);
  kernel.Vector(11, 0, 256, false);
  kernel.Vector(12, 256, 256, true);
  kernel.Order(12, kV, kMte3);
  kernel.Out(13, 0, 256, 256);
  EXPECT_EQ(kernel.Rules(), "");
}

TEST(RaceRules, AVectorFunctionsLoadsAreNotOrderedAfterItsStores) {
  for (const bool has_barrier : {false, true}) {
    PlayedKernel kernel;
    kernel.VectorBegin(9);
    kernel.Vector(10, 0, 256, true);
    kernel.VectorBarrier(11, kAscendcTwinVecLoad, kAscendcTwinVecStore);  // the other way
    if (has_barrier) {
      kernel.VectorBarrier(12, kAscendcTwinVecStore, kAscendcTwinVecLoad);
    }
    kernel.Vector(13, 0, 256, false);
    kernel.VectorEnd();
    kernel.VectorBegin(14);
    kernel.Vector(15, 0, 256, false);
    kernel.VectorEnd();
    const std::vector<Finding> findings = kernel.Finish();
    ASSERT_EQ(PlayedKernel::RulesOf(findings), has_barrier ? "" : "vector-function-race 13/10");
    if (!has_barrier) {
      EXPECT_EQ(findings[0].sentence,
                "the load at kernel.h:13 reads what the store at kernel.h:10 of the same vector "
                "function `__VEC_SCOPE__` writes, with no LocalMemBar between them, and may get "
                "what was there before: put LocalMemBar<VEC_STORE, VEC_LOAD> between the two, or "
                "keep the value in a register");
    }
  }
}

TEST(RaceRules, VectorFunctionStoresTwiceToTheSameBytes) {
  for (const uint8_t target : {kAscendcTwinVecLoad, kAscendcTwinVecStore, kAscendcTwinVecAll}) {
    PlayedKernel kernel;
    kernel.VectorBegin(9);
    for (int turn = 0; turn < 3; ++turn) {  // one register's stores keep their order
      kernel.Vector(10, 0, 256, true);
    }
    kernel.VectorBarrier(11, kAscendcTwinVecStore, target);
    kernel.Vector(12, 254, 4, true, 1);
    kernel.Vector(13, 258, 2, true, 1);  // beside it
    kernel.VectorEnd();
    kernel.VectorBegin(14);
    kernel.Vector(15, 0, 256, true);
    kernel.VectorEnd();
    const std::vector<Finding> findings = kernel.Finish();
    const bool is_ordered = target != kAscendcTwinVecLoad;
    ASSERT_EQ(PlayedKernel::RulesOf(findings), is_ordered ? "" : "vector-function-race 12/10");
    if (!is_ordered) {
      EXPECT_EQ(findings[0].begin, 254u);
      EXPECT_EQ(findings[0].sentence,
                "the store at kernel.h:12 overwrites what the store at kernel.h:10 of the same "
                "vector function `__VEC_SCOPE__` writes, with no LocalMemBar between them, and may "
                "come first: put LocalMemBar<VEC_STORE, VEC_STORE> between the two, or store once");
    }
  }
}

TEST(RaceRules, QueueStepsOrderLikeFlags) {
  PlayedKernel kernel;
  for (int i = 0; i < 2; ++i) {
    kernel.Queue(1, kAscendcTwinQueueAlloc, kMte2, kV, 0);
    kernel.In(2, 0, 0, 64);
    kernel.Queue(3, kAscendcTwinQueueEnQue, kMte2, kV, 0);
    kernel.Queue(4, kAscendcTwinQueueDeQue, kMte2, kV, 0);
    kernel.Add(5, 64, 0, 64);
    kernel.Queue(6, kAscendcTwinQueueFree, kMte2, kV, 0);
  }
  EXPECT_EQ(kernel.Rules(), "");
}

TEST(RaceRules, GlobalMemoryOfOneCore) {
  PlayedKernel missing;
  missing.Fill(9, 0, 64);
  missing.Order(9, kV, kMte3);
  missing.OutToWorkspace(10, 0, 0, 64);
  missing.InFromWorkspace(11, 128, 32, 32);
  const std::vector<Finding> findings = missing.Finish();
  ASSERT_EQ(PlayedKernel::RulesOf(findings), "gm-race 11/10");
  EXPECT_EQ(findings[0].buffer, "GM workspace w");
  EXPECT_EQ(findings[0].begin, 32u);
  EXPECT_EQ(findings[0].end, 64u);
  EXPECT_EQ(findings[0].pipe, "copy-in");
  EXPECT_EQ(findings[0].other_pipe, "copy-out");
  PlayedKernel kernel;
  kernel.Fill(9, 0, 64);
  kernel.Order(9, kV, kMte3);
  kernel.OutToWorkspace(10, 0, 0, 64);
  kernel.Order(11, kMte3, kMte2);
  kernel.InFromWorkspace(12, 128, 32, 32);
  EXPECT_EQ(kernel.Rules(), "");
}

TEST(RaceRules, CopiesOutToTheSameBytesNeedABarrierUnlessTheyAccumulate) {
  PlayedKernel missing;
  missing.Fill(9, 0, 64);
  missing.Order(9, kV, kMte3);
  missing.Out(10, 0, 0, 33);
  missing.Out(11, 32, 0, 32);
  EXPECT_EQ(missing.Rules(), "gm-race 11/10");
  PlayedKernel kernel;
  kernel.Fill(9, 0, 64);
  kernel.Order(9, kV, kMte3);
  kernel.Out(10, 0, 0, 32);
  kernel.Out(11, 32, 0, 32);
  kernel.Out(12, 64, 0, 33);
  kernel.Barrier(13, kMte3);
  kernel.Out(14, 96, 0, 32);
  kernel.Accumulate(15, kernel.sum(), 0, 32);
  kernel.Accumulate(16, kernel.sum(), 0, 32);
  EXPECT_EQ(kernel.Rules(), "");
}

TEST(RaceRules, CoresNeedASyncAllBetweenThem) {
  PlayedKernel missing({}, 2);
  missing.OnCore(0);
  missing.Fill(9, 0, 64);
  missing.Order(9, kV, kMte3);
  missing.OutToWorkspace(10, 0, 0, 33);
  missing.OnCore(1);
  missing.InFromWorkspace(11, 0, 32, 1);
  const std::vector<Finding> findings = missing.Finish();
  ASSERT_EQ(PlayedKernel::RulesOf(findings), "gm-race-between-cores 11/10");
  EXPECT_EQ(findings[0].begin, 32u);
  EXPECT_EQ(findings[0].end, 33u);
  EXPECT_EQ(findings[0].sentence,
            "`DataCopy` at kernel.h:11 (copy-in of core 1) reads what `DataCopy` at kernel.h:10 "
            "(copy-out of core 0) writes, with no SyncAll between them: put one there, or give "
            "each core bytes of its own");
  PlayedKernel kernel({}, 2);
  kernel.Fill(9, 0, 64);
  kernel.Order(9, kV, kMte3);
  kernel.OutToWorkspace(10, 0, 0, 33);
  kernel.SyncAll(11);
  kernel.OnCore(1);
  kernel.InFromWorkspace(12, 0, 32, 1);
  EXPECT_EQ(kernel.Rules(), "");
}

// With flags between cores a core goes on after its set: until its wait nothing orders it with the
// others.
TEST(RaceRules, BetweenSetAndWaitOfCoresNothingIsOrdered) {
  for (const bool waits : {false, true}) {
    PlayedKernel kernel({}, 2);
    kernel.Fill(9, 0, 64);
    kernel.Order(9, kV, kMte3);
    kernel.OutToWorkspace(10, 0, 0, 64);
    kernel.CrossSet(11);
    kernel.OnCore(1);
    kernel.CrossSet(11);
    if (waits) {
      kernel.CrossWait();
    }
    kernel.InFromWorkspace(13, 0, 0, 64);
    if (!waits) {
      kernel.CrossWait();
    }
    kernel.OnCore(0);
    kernel.CrossWait();
    EXPECT_EQ(kernel.Rules(), waits ? "" : "gm-race-between-cores 13/10");
  }
}

TEST(RaceRules, CoresMayWriteNeighbouringBytesAndAccumulateInTheSame) {
  PlayedKernel kernel({}, 2);
  for (uint32_t core = 0; core < 2; ++core) {
    kernel.OnCore(core);
    kernel.Fill(9, 0, 64);
    kernel.Order(9, kV, kMte3);
    kernel.Out(10, core * 17, 0, 17);
    kernel.Accumulate(11, kernel.sum(), 0, 64);
  }
  EXPECT_EQ(kernel.Rules(), "");
}

// Without the flag a late copy shows in the values as well.
TEST(RaceRules, LateOrdersRunACopyAfterWhatShouldHaveWaited) {
  for (const bool is_ordered : {false, true}) {
    PlayedKernel kernel({}, 1, Order::kLateIn);
    kernel.Fill(9, 0, 64);
    kernel.In(10, 0, 64, 64);
    if (is_ordered) {
      kernel.Order(11, kMte2, kV);
    }
    kernel.Add(12, 64, 0, 64);
    kernel.Barrier(13, kPipeAll);
    EXPECT_EQ(kernel.ub()[64] == static_cast<uint8_t>(kernel.input()[64] + 1), is_ordered);
  }
}

}  // namespace
}  // namespace attnres::checks
