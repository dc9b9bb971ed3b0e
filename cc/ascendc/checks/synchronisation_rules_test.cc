// Flags, queues and SyncAll: each rule broken, then kept.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cc/ascendc/checks/finding.h"
#include "cc/ascendc/checks/options.h"
#include "cc/ascendc/checks/played_kernel.h"

namespace attnres::checks {
namespace {

TEST(SynchronisationRules, WaitThatNobodyEndsNamesWhereEveryPipeStands) {
  PlayedKernel kernel;
  kernel.Pipe();
  kernel.Wait(10, kMte2, kV, 3);
  kernel.Fill(11, 0, 64);
  kernel.Set(12, kV, kMte3);
  kernel.Wait(13, kV, kMte3);
  const std::vector<Finding> findings = kernel.Finish();
  ASSERT_EQ(PlayedKernel::RulesOf(findings), "flag-never-set 10");
  EXPECT_EQ(findings[0].pipe, "vector");
  EXPECT_EQ(findings[0].other_pipe, "copy-in");
  EXPECT_EQ(findings[0].sentence,
            "WaitFlag<MTE2_V>(3) waits for a flag that nobody sets: put SetFlag<MTE2_V> with the "
            "same id before it, or remove the wait (scalar at the kernel's end; vector at "
            "WaitFlag<MTE2_V>(3) of kernel.h:10 with 2 behind it; copy-in has nothing to do; "
            "copy-out at WaitFlag<V_MTE3>(0) of kernel.h:13 with 0 behind it)");
  EXPECT_EQ(kernel.failure(), "WaitFlag<MTE2_V>(3) at kernel.h:10 never ends");
}

TEST(SynchronisationRules, ScalarWaitThatNobodyEndsStopsTheCore) {
  PlayedKernel kernel;
  kernel.Pipe();
  kernel.Wait(10, kV, kS, 1);
  kernel.Fill(11, 0, 64);  // ignored
  EXPECT_EQ(kernel.Rules(), "flag-never-set 10");
}

TEST(SynchronisationRules, WaitsInACircle) {
  PlayedKernel kernel;
  kernel.Pipe();
  kernel.Wait(10, kMte2, kV);
  kernel.Set(11, kV, kMte2);
  kernel.Wait(12, kV, kMte2);
  kernel.Set(13, kMte2, kV);
  EXPECT_EQ(kernel.Rules(), "wait-cycle 10/13");
}

TEST(SynchronisationRules, SetAfterItsWaitInTheSourceIsNoDeadlock) {
  PlayedKernel kernel;
  kernel.Pipe();
  kernel.Wait(10, kMte2, kV);
  kernel.Add(11, 64, 0, 64);
  kernel.Order(12, kV, kMte3);
  kernel.Out(13, 0, 64, 64);
  kernel.In(14, 0, 0, 64);
  kernel.Set(15, kMte2, kV);
  EXPECT_EQ(kernel.Rules(), "");
  EXPECT_EQ(kernel.output()[0], static_cast<uint8_t>(kernel.input()[0] + 1));
}

TEST(SynchronisationRules, FlagSetTwice) {
  PlayedKernel twice;
  twice.Pipe();
  twice.Set(10, kV, kMte3, 2);
  twice.Set(11, kV, kMte3, 2);
  twice.Wait(12, kV, kMte3, 2);
  twice.Wait(13, kV, kMte3, 2);
  const std::vector<Finding> findings = twice.Finish();
  ASSERT_EQ(PlayedKernel::RulesOf(findings), "flag-set-twice 11/10");
  EXPECT_EQ(findings[0].sentence,
            "SetFlag<V_MTE3>(2) while the flag set at kernel.h:10 is not awaited: put "
            "WaitFlag<V_MTE3> between them, or use another id");
  PlayedKernel kernel;
  kernel.Pipe();
  kernel.Order(10, kV, kMte3, 2);
  kernel.Order(11, kV, kMte3, 2);
  kernel.Set(12, kV, kMte3, 1);
  kernel.Set(12, kV, kMte3, 2);
  kernel.Wait(13, kV, kMte3, 1);
  kernel.Wait(13, kV, kMte3, 2);
  EXPECT_EQ(kernel.Rules(), "");
}

TEST(SynchronisationRules, FlagLeftOver) {
  PlayedKernel kernel;
  kernel.Pipe();
  kernel.Set(10, kV, kMte3, 2);
  const std::vector<Finding> findings = kernel.Finish();
  ASSERT_EQ(PlayedKernel::RulesOf(findings), "flag-left-over 10");
  EXPECT_EQ(findings[0].sentence,
            "SetFlag<V_MTE3>(2) is not awaited when the kernel ends, and the next kernel finds the "
            "flag set: put WaitFlag<V_MTE3> before the end, or remove the set");
}

TEST(SynchronisationRules, EventIds) {
  PlayedKernel kernel;
  kernel.Pipe();
  kernel.Order(10, kV, kMte3, 7);
  kernel.Order(11, kV, kMte3, 8);
  const std::vector<Finding> findings = kernel.Finish();
  ASSERT_EQ(findings.size(), 1u);  // the wait stands in the same line
  EXPECT_EQ(PlayedKernel::RulesOf(findings), "event-id-out-of-range 11");
  EXPECT_EQ(findings[0].sentence,
            "SetFlag<V_MTE3> of id 8, ids are 0 to 7: take one from AllocEventID or FetchEventID");
  PlayedKernel no_pipe;
  no_pipe.Order(10, kV, kMte3, 5);
  no_pipe.Order(11, kV, kMte3, 6);
  EXPECT_EQ(no_pipe.Rules(), "event-id-out-of-range 11");
}

TEST(SynchronisationRules, QueueTensorsLeft) {
  PlayedKernel kernel;
  kernel.Pipe();
  kernel.Buffer(5, 0, 64);
  kernel.Buffer(6, 64, 64);
  kernel.Queue(10, kAscendcTwinQueueAlloc, kMte2, kV, 0);
  kernel.Queue(11, kAscendcTwinQueueEnQue, kMte2, kV, 0);
  kernel.Queue(12, kAscendcTwinQueueAlloc, kV, kMte3, 64);
  const std::vector<Finding> findings = kernel.Finish();
  ASSERT_EQ(PlayedKernel::RulesOf(findings), "tensor-left-in-queue 11, tensor-not-freed 12");
  EXPECT_EQ(findings[1].buffer, "UB buffer 1, made at kernel.h:6");
  PlayedKernel reset;
  reset.Pipe();
  reset.Queue(10, kAscendcTwinQueueAlloc, kMte2, kV, 0);
  reset.Queue(11, kAscendcTwinQueueEnQue, kMte2, kV, 0);
  reset.Queue(12, kAscendcTwinQueueDeQue, kMte2, kV, 0);
  reset.Queue(13, kAscendcTwinQueueFree, kMte2, kV, 0);
  reset.Pipe();
  EXPECT_EQ(reset.Rules(), "");
}

TEST(SynchronisationRules, QueuesMayHoldEightEventIdsOfAPair) {
  for (const uint32_t buffers : {8u, 9u}) {
    PlayedKernel kernel;
    kernel.Pipe();
    for (const int kind : {kAscendcTwinQueueAlloc, kAscendcTwinQueueEnQue, kAscendcTwinQueueDeQue,
                           kAscendcTwinQueueFree}) {
      for (uint32_t i = 0; i < buffers; ++i) {
        kernel.Queue(10 + static_cast<uint32_t>(kind), kind, kMte2, kV, i * 64);
      }
    }
    EXPECT_EQ(kernel.Rules(), buffers == 8 ? "" : "event-ids-exhausted 11, event-ids-exhausted 13");
  }
}

TEST(SynchronisationRules, SyncAllThatOneCoreDoesNotReach) {
  PlayedKernel kernel({}, 2);
  const AscendcTwinPlace place = PlayedKernel::At(10);
  kernel.observer()->sync_all(&kernel.core(), 0, 0, &place);
  kernel.OnCore(1);
  kernel.End();
  kernel.SetFailure("SyncAll reached by 1 of 2 cores");
  const std::vector<Finding> findings = kernel.FinishEarly();
  ASSERT_EQ(PlayedKernel::RulesOf(findings), "sync-all-not-reached 10");
  EXPECT_EQ(findings[0].sentence,
            "core 0 waits in its SyncAll 1, core 1 has ended after 0: all cores must call SyncAll "
            "equally often");
}

TEST(SynchronisationRules, HardSyncAllNeedsAKernelTypeWithMatrixCores) {
  for (const bool is_vector_only : {true, false}) {
    PlayedKernel kernel;
    kernel.observer()->kernel_type(&kernel.core(), is_vector_only ? 1 : 0);
    EXPECT_TRUE(kernel.HardSyncAll(10));
    kernel.observer()->synchronised(&kernel.core());
    EXPECT_EQ(kernel.Rules(), is_vector_only ? "hard-sync-all 10" : "");
  }
}

TEST(SynchronisationRules, AnInstructionsOwnRulesAreToldApartByTheirSentence) {
  PlayedKernel kernel;
  const AscendcTwinPlace place = PlayedKernel::At(10);
  for (const char* message : {"one", "two", "one"}) {
    kernel.observer()->violation(&kernel.core(), "memory", message, &place);
  }
  const std::vector<Finding> findings = kernel.Finish();
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].sentence, "one");
  EXPECT_EQ(findings[0].count, 2u);
  EXPECT_EQ(findings[0].rule, "instruction-rule");
}

CheckOptions Drop(CallKind kind, uint32_t line) {
  CheckOptions options;
  options.mutation.site.kind = kind;
  options.mutation.site.place = {"kernel.h", line, 0};
  options.record_call_sites = true;
  return options;
}

std::string PlayMutated(const CheckOptions& options, uint64_t* mutated) {
  PlayedKernel kernel(options);
  kernel.Pipe();
  kernel.Queue(1, kAscendcTwinQueueAlloc, kMte2, kV, 0);
  kernel.In(2, 0, 0, 64);
  kernel.Queue(3, kAscendcTwinQueueEnQue, kMte2, kV, 0);
  kernel.Queue(4, kAscendcTwinQueueDeQue, kMte2, kV, 0);
  kernel.Add(5, 64, 0, 64);
  kernel.Queue(6, kAscendcTwinQueueFree, kMte2, kV, 0);
  kernel.Set(7, kV, kMte3);
  kernel.Wait(8, kV, kMte3);
  kernel.Out(9, 0, 64, 64);
  kernel.Barrier(10, kMte3);
  kernel.Out(11, 0, 64, 32);
  kernel.SyncAll(12);
  const std::string rules = kernel.Rules();
  *mutated = kernel.result().mutated;
  EXPECT_EQ(kernel.result().call_sites.size(), 5u);
  return rules;
}

TEST(Mutation, DropsTheCallsOfOnePlace) {
  uint64_t mutated = 0;
  EXPECT_EQ(PlayMutated(Drop(CallKind::kNone, 0), &mutated), "");
  EXPECT_EQ(mutated, 0u);
  EXPECT_EQ(PlayMutated(Drop(CallKind::kSetFlag, 8), &mutated), "");  // nothing is set there
  EXPECT_EQ(mutated, 0u);
  EXPECT_EQ(PlayMutated(Drop(CallKind::kWaitFlag, 8), &mutated),
            "ub-race 9/5, ub-race 11/5, flag-left-over 7");
  EXPECT_EQ(mutated, 1u);
  EXPECT_EQ(PlayMutated(Drop(CallKind::kFlagPair, 7), &mutated), "ub-race 9/5, ub-race 11/5");
  EXPECT_EQ(mutated, 1u);
  EXPECT_EQ(PlayMutated(Drop(CallKind::kQueuePair, 3), &mutated), "ub-race 5/2");
  EXPECT_EQ(mutated, 1u);
  EXPECT_EQ(PlayMutated(Drop(CallKind::kPipeBarrier, 10), &mutated), "gm-race 11/9");
  EXPECT_EQ(PlayMutated(Drop(CallKind::kSyncAll, 12), &mutated), "");
  EXPECT_EQ(mutated, 1u);
}

TEST(Mutation, DroppedSetIsADeadlock) {
  PlayedKernel kernel(Drop(CallKind::kSetFlag, 7));
  kernel.Pipe();
  kernel.Set(7, kV, kMte3);
  kernel.Wait(8, kV, kMte3);
  EXPECT_EQ(kernel.Rules(), "flag-never-set 8");
}

TEST(Mutation, DropsOneUse) {
  for (const uint32_t ordinal : {1u, 2u}) {
    CheckOptions options = Drop(CallKind::kSetFlag, 7);
    options.mutation.site.ordinal = ordinal;
    PlayedKernel kernel(options);
    kernel.Pipe();
    kernel.Set(7, kV, kMte3);
    kernel.Wait(8, kV, kMte3);
    kernel.Set(7, kV, kMte2);
    kernel.Wait(9, kV, kMte2);
    EXPECT_EQ(kernel.Rules(), ordinal == 1 ? "flag-never-set 8" : "flag-never-set 9");
    options.mutation.site.after = {"other.h", 1, 1};
    PlayedKernel other(options);
    other.Pipe();
    other.Set(7, kV, kMte3);
    other.Wait(8, kV, kMte3);
    EXPECT_EQ(other.Rules(), "");
  }
}

TEST(Mutation, OfAGapNeedsTwoBlocks) {
  CheckOptions options = Drop(CallKind::kCopy, 10);
  options.mutation.field = CopyField::kSrcGap;
  options.mutation.delta = 32;
  PlayedKernel kernel(options);
  const AscendcTwinPlace place = PlayedKernel::At(10);
  for (const uint64_t blocks : {1u, 2u}) {
    AscendcTwinCopy copy = {};
    copy.block_count = blocks;
    kernel.observer()->adjust_copy(&kernel.core(), &copy, &place);
    EXPECT_EQ(copy.src_gap, blocks == 1 ? 0 : 32);
  }
  kernel.Finish();
  EXPECT_EQ(kernel.result().mutated, 1u);
  ASSERT_EQ(kernel.result().call_sites.size(), 2u);
  EXPECT_EQ(kernel.result().call_sites[1].ordinal, 2u);
  EXPECT_EQ(kernel.result().call_sites[1].most_blocks, 2u);
}

TEST(Mutation, RecordedCopiesNameTheirTensors) {
  PlayedKernel kernel(Drop(CallKind::kNone, 0));
  const AscendcTwinPlace place = PlayedKernel::At(10);
  AscendcTwinCopy copy = {};
  kernel.observer()->adjust_copy(&kernel.core(), &copy, &place);
  kernel.In(10, 0, 0, 64);
  kernel.Out(11, 0, 0, 64);
  kernel.Finish();
  ASSERT_EQ(kernel.result().call_sites.size(), 1u);
  EXPECT_EQ(kernel.result().call_sites[0].tensors, std::vector<std::string>{"GM input x"});
}

TEST(Mutation, ChangesACopy) {
  CheckOptions options = Drop(CallKind::kCopy, 10);
  options.mutation.field = CopyField::kBlockBytes;
  options.mutation.delta = -32;
  PlayedKernel kernel(options);
  AscendcTwinCopy copy = {};
  copy.block_bytes = 96;
  AscendcTwinPlace place = PlayedKernel::At(11);
  kernel.observer()->adjust_copy(&kernel.core(), &copy, &place);
  EXPECT_EQ(copy.block_bytes, 96u);
  place.line = 10;
  kernel.observer()->adjust_copy(&kernel.core(), &copy, &place);
  EXPECT_EQ(copy.block_bytes, 64u);
}

}  // namespace
}  // namespace attnres::checks
