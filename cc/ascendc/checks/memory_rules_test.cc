// Bounds, alignment, initialisation, sizes and dumps: each rule broken, then kept.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "cc/ascendc/checks/finding.h"
#include "cc/ascendc/checks/options.h"
#include "cc/ascendc/checks/played_kernel.h"

namespace attnres::checks {
namespace {

constexpr uint64_t kUb = PlayedKernel::kUbBytes;
constexpr uint64_t kGm = PlayedKernel::kGmBytes;

TEST(MemoryRules, UbOutOfBoundsIsReportedAndNotPerformed) {
  PlayedKernel kernel;
  kernel.In(10, kUb - 32, 0, 64);
  const std::vector<Finding> findings = kernel.Finish();
  ASSERT_EQ(PlayedKernel::RulesOf(findings), "ub-out-of-bounds 10");
  EXPECT_EQ(findings[0].category, "memory");
  EXPECT_EQ(findings[0].instruction, "DataCopy");
  EXPECT_EQ(findings[0].operand, "dst");
  EXPECT_EQ(findings[0].begin, kUb - 32);
  EXPECT_EQ(findings[0].end, kUb + 32);
  EXPECT_EQ(findings[0].sentence,
            "DataCopy writes 64 bytes (dst) from byte 4064 of UB, which has 4096 bytes: lower the "
            "count or the offset");
  EXPECT_EQ(kernel.ub()[kUb - 1], 0xFF);
  PlayedKernel last;
  last.In(10, kUb - 64, 0, 64);
  EXPECT_EQ(last.Rules(), "");
}

TEST(MemoryRules, UbAccessFarAway) {
  PlayedKernel kernel;
  EXPECT_EQ(kernel.Vector(10, uint64_t{1} << 40, 256, true), 0);
  EXPECT_EQ(kernel.Scalar(11, 0 - uint64_t{64}, 4, true), 0);
  EXPECT_EQ(kernel.Rules(), "ub-out-of-bounds 10, ub-out-of-bounds 11");
}

TEST(MemoryRules, BytesBeyondTheBuffer) {
  PlayedKernel kernel;
  kernel.Buffer(5, 0, 64);
  kernel.Buffer(6, 64, 64);
  kernel.In(10, 0, 0, 64);
  kernel.In(11, 64, 0, 64);
  kernel.In(12, 256, 0, 96);
  kernel.Barrier(13, kPipeAll);
  kernel.In(14, 0, 0, 96);
  const std::vector<Finding> findings = kernel.Finish();
  ASSERT_EQ(PlayedKernel::RulesOf(findings), "ub-buffer-overrun 14/5");
  EXPECT_EQ(findings[0].sentence,
            "DataCopy writes 96 bytes (dst), 32 bytes beyond the end of UB buffer 0, made at "
            "kernel.h:5: lower the count or make the buffer larger");
}

TEST(MemoryRules, MisalignedUbAddress) {
  PlayedKernel kernel;
  kernel.In(10, 64, 0, 32);
  kernel.In(11, 136, 0, 32);
  EXPECT_EQ(kernel.Vector(12, 260, 8, true, 4), 1);
  EXPECT_EQ(kernel.Vector(13, 292, 8, true, 32), 1);
  EXPECT_EQ(kernel.Vector(14, 512, 0, false, 32), 1);  // nothing is read there
  const std::vector<Finding> findings = kernel.Finish();
  ASSERT_EQ(PlayedKernel::RulesOf(findings), "ub-misaligned 11, ub-misaligned 13");
  EXPECT_EQ(findings[0].sentence,
            "DataCopy writes 32 bytes (dst) from byte 136 of UB: begin at a multiple of 32 bytes");
}

TEST(MemoryRules, MisalignedGlobalMemory) {
  PlayedKernel kernel;
  for (const uint64_t offset : {4u, 6u}) {
    const AscendcTwinAccess accesses[] = {
        kernel.UbAccess("dst", 0, 32, true, 32),
        {reinterpret_cast<uint64_t>(kernel.input()) + offset, 32, "src", 4, 0, 1}};
    kernel.Issue(kMte2, "DataCopy", 10 + static_cast<uint32_t>(offset), accesses, 2,
                 {kernel.ub(), kernel.input(), 32, 0}, false);
    kernel.Barrier(9, kMte2);
  }
  EXPECT_EQ(kernel.Rules(), "gm-misaligned 16");
}

TEST(MemoryRules, GlobalMemoryOutOfBounds) {
  PlayedKernel kernel;
  kernel.In(10, 0, kGm - 32, 33);
  kernel.In(11, 64, kGm - 32, 32);
  const std::vector<Finding> findings = kernel.Finish();
  ASSERT_EQ(PlayedKernel::RulesOf(findings), "gm-out-of-bounds 10");
  EXPECT_EQ(findings[0].buffer, "GM input x");
  EXPECT_EQ(findings[0].begin, kGm - 32);
  EXPECT_EQ(findings[0].end, kGm + 1);
  EXPECT_EQ(findings[0].sentence,
            "DataCopy reads 33 bytes (src) from byte 992 of GM input x, which has 1024 bytes: "
            "lower the count, or copy the tail with DataCopyPad");
}

TEST(MemoryRules, GlobalMemoryOfNoArgument) {
  PlayedKernel kernel;
  kernel.In(10, 0, kGm + 48, 32);
  EXPECT_EQ(kernel.ScalarGm(11, nullptr, 4, false), 0);
  const std::vector<Finding> findings = kernel.Finish();
  ASSERT_EQ(PlayedKernel::RulesOf(findings), "gm-unknown-address 10, gm-unknown-address 11");
  EXPECT_EQ(findings[0].sentence,
            "DataCopy reads 32 bytes (src) of global memory that is no argument's, 48 bytes after "
            "the end of GM input x: correct the offset");
}

TEST(MemoryRules, WriteToAnInputIsNotPerformed) {
  PlayedKernel kernel;
  const uint8_t before = kernel.input()[0];
  kernel.Fill(9, 0, 32);
  kernel.Order(9, kV, kMte3);
  kernel.Out(10, 0, 0, 32, kernel.input());
  EXPECT_EQ(kernel.ScalarGm(11, kernel.tiling(), 4, true), 0);
  EXPECT_EQ(kernel.ScalarGm(12, kernel.tiling(), 4, false), 1);
  EXPECT_EQ(kernel.Rules(), "write-to-input 10, write-to-input 11");
  EXPECT_EQ(kernel.input()[0], before);
}

TEST(MemoryRules, ReadOfUbThatNobodyWroteNamesTheFirstSuchByte) {
  PlayedKernel kernel;
  kernel.Buffer(5, 0, 256);
  kernel.In(10, 0, 0, 40);
  kernel.Order(10, kMte2, kV);
  kernel.Add(11, 128, 0, 64);
  const std::vector<Finding> findings = kernel.Finish();
  ASSERT_EQ(PlayedKernel::RulesOf(findings), "never-written 11");
  EXPECT_EQ(findings[0].category, "initialisation");
  EXPECT_EQ(findings[0].buffer, "UB buffer 0, made at kernel.h:5");
  EXPECT_EQ(findings[0].begin, 40u);
  EXPECT_EQ(findings[0].end, 64u);
  EXPECT_EQ(findings[0].sentence,
            "Add reads 64 bytes (src) of UB, of which nobody has written byte 40: fill it first "
            "(Duplicate, padding of DataCopyPad) or read less");
}

TEST(MemoryRules, AnInstructionsOwnResultIsNotThereForItToRead) {
  PlayedKernel kernel;
  kernel.Add(11, 0, 0, 64);
  EXPECT_EQ(kernel.Rules(), "never-written 11");
}

TEST(MemoryRules, ReadsInVectorFunctionsAndOfTheScalarUnit) {
  PlayedKernel kernel;
  kernel.Vector(10, 0, 256, true);
  kernel.VectorEnd();
  kernel.Vector(11, 0, 256, false);
  kernel.Vector(12, 128, 256, false);  // lanes that a mask may leave out
  kernel.Scalar(13, 256, 4, false);
  kernel.Scalar(14, 260, 4, true);
  kernel.Scalar(15, 260, 4, false);
  kernel.Vector(16, 512, 256, false);
  kernel.VectorEnd();
  EXPECT_EQ(kernel.Rules(), "never-written 13, never-written 16");
}

TEST(MemoryRules, OutputsAndWorkspaceAreNotZeroed) {
  PlayedKernel kernel;
  kernel.InFromWorkspace(10, 0, 0, 32);
  kernel.Fill(11, 64, 32);
  kernel.Order(11, kV, kMte3);
  kernel.Accumulate(12, kernel.output(), 64, 32);
  kernel.Accumulate(13, kernel.sum(), 64, 32);  // filled by the host
  kernel.OutToWorkspace(14, 64, 64, 32);
  kernel.Order(15, kMte3, kMte2);
  kernel.InFromWorkspace(16, 128, 64, 32);
  const std::vector<Finding> findings = kernel.Finish();
  ASSERT_EQ(PlayedKernel::RulesOf(findings), "never-written 10, never-written 12");
  EXPECT_EQ(findings[1].sentence,
            "DataCopy writes 32 bytes (dst) by accumulating from byte 0 of GM output y, of which "
            "nobody has written byte 0: global memory is not zeroed, write it first");
}

TEST(MemoryRules, SkippedInstructionCountsAsHavingWritten) {
  PlayedKernel kernel;
  kernel.In(10, 0, kGm, 64);
  kernel.Order(10, kMte2, kV);
  kernel.Add(11, 64, 0, 64);
  EXPECT_EQ(kernel.Rules(), "gm-unknown-address 10");
}

TEST(MemoryRules, BuffersBeyondUb) {
  PlayedKernel kernel;
  kernel.Buffer(5, 0, kUb);
  kernel.Buffer(6, kUb, 32);
  EXPECT_EQ(kernel.Rules(), "ub-overflow 6");
}

TEST(MemoryRules, TilingDataOfAnotherSize) {
  PlayedKernel kernel;
  const AscendcTwinPlace place = PlayedKernel::At(10);
  const AscendcTwinPlace other = PlayedKernel::At(11);
  const auto address = reinterpret_cast<uint64_t>(kernel.tiling());
  kernel.observer()->tiling_data(&kernel.core(), address, 48, &place);
  kernel.observer()->tiling_data(&kernel.core(), address, 56, &other);
  const std::vector<Finding> findings = kernel.Finish();
  ASSERT_EQ(PlayedKernel::RulesOf(findings), "tiling-size 11");
  EXPECT_EQ(findings[0].sentence,
            "the kernel's tiling struct has 56 bytes, the launch gives 48: host and kernel must "
            "use the same struct");
}

TEST(MemoryRules, EachFaultIsReportedOnceAndCounted) {
  PlayedKernel kernel;
  for (int i = 0; i < 5; ++i) {
    kernel.In(10, kUb, 0, 64);
  }
  const std::vector<Finding> findings = kernel.Finish();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].count, 5u);
}

TEST(Dumps, HoldTheBufferAfterTheLastInstructionOfTheLine) {
  CheckOptions options;
  options.dumps = {{1, "kernel.h", 10}, {0, "", 99}};
  PlayedKernel kernel(options);
  kernel.Buffer(5, 0, 64);
  kernel.Buffer(6, 64, 32);
  for (uint64_t i = 0; i < 2; ++i) {
    kernel.In(10, 64, i * 32, 32);
    kernel.Barrier(11, kMte2);
  }
  kernel.In(12, 64, 128, 32);
  EXPECT_EQ(kernel.Rules(), "");
  ASSERT_EQ(kernel.result().dumps.size(), 1u);
  const Dump& dump = kernel.result().dumps[0];
  EXPECT_EQ(dump.request, 0u);
  EXPECT_EQ(dump.bytes, std::vector<uint8_t>(kernel.input() + 32, kernel.input() + 64));
}

// Each turn of a queue's buffer begins with bytes that nobody wrote.
TEST(MemoryRules, AQueueBufferKeepsNothingOfItsLastTurn) {
  for (const uint64_t second : {64, 32}) {
    PlayedKernel kernel;
    for (const uint64_t bytes : {uint64_t{64}, second}) {
      kernel.Queue(1, kAscendcTwinQueueAlloc, kMte2, kV, 0);
      kernel.In(2, 0, 0, bytes);
      kernel.Queue(3, kAscendcTwinQueueEnQue, kMte2, kV, 0);
      kernel.Queue(4, kAscendcTwinQueueDeQue, kMte2, kV, 0);
      kernel.Add(5, 64, 0, 64);
      kernel.Queue(6, kAscendcTwinQueueFree, kMte2, kV, 0);
    }
    const std::vector<Finding> findings = kernel.Finish();
    EXPECT_EQ(PlayedKernel::RulesOf(findings), second == 64 ? "" : "never-written 5");
    EXPECT_TRUE(findings.empty() || findings[0].begin == 32u);
  }
}

// Where the last turn is not read yet, its bytes stay for the copy that is late.
TEST(MemoryRules, AQueueBufferIsKeptForACopyThatIsLate) {
  PlayedKernel kernel({}, 1, Order::kLateOut);
  for (uint32_t i = 0; i < 2; ++i) {
    kernel.Queue(1, kAscendcTwinQueueAlloc, kV, kMte3, 0);
    kernel.Fill(2, 0, 64);
    kernel.Queue(3, kAscendcTwinQueueEnQue, kV, kMte3, 0);
    kernel.Queue(4, kAscendcTwinQueueDeQue, kV, kMte3, 0);
    kernel.Out(5, i * 64, 0, 64);
    kernel.Queue(6, kAscendcTwinQueueFree, kV, kMte3, 0);
  }
  EXPECT_EQ(kernel.Rules(), "");
  EXPECT_EQ(std::memcmp(kernel.output(), kernel.input(), 64), 0);
}

}  // namespace
}  // namespace attnres::checks
