// Splitting of intervals, and which accesses conflict.
#include "cc/ascendc/checks/gm_intervals.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "cc/ascendc/checks/clocks.h"
#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::checks {
namespace {

constexpr uint8_t kIn = kAscendcTwinPipeMte2;
constexpr uint8_t kOut = kAscendcTwinPipeMte3;

// "site:begin-end" of each conflict.
std::string Touch(GmIntervals* intervals, uint8_t pipe, GmAccess access, uint32_t number,
                  uint64_t begin, uint64_t end, const Clock& known = {}) {
  std::string conflicts;
  intervals->Touch(
      pipe, access, number, begin, end, number, known, [&](const GmIntervals::Conflict& conflict) {
        conflicts += conflicts.empty() ? "" : " ";
        conflicts += std::to_string(conflict.site) + ":" + std::to_string(conflict.begin) + "-" +
                     std::to_string(conflict.end);
      });
  return conflicts;
}

TEST(GmIntervals, ConflictsAreBytePrecise) {
  GmIntervals intervals;
  EXPECT_EQ(Touch(&intervals, kOut, GmAccess::kWrite, 1, 100, 200), "");
  EXPECT_EQ(Touch(&intervals, kOut, GmAccess::kWrite, 2, 200, 300), "");
  EXPECT_EQ(Touch(&intervals, kIn, GmAccess::kRead, 1, 0, 100), "");
  EXPECT_EQ(Touch(&intervals, kIn, GmAccess::kRead, 2, 0, 101), "1:100-101");
  EXPECT_EQ(Touch(&intervals, kIn, GmAccess::kRead, 3, 150, 400), "1:150-200 2:200-300");
  EXPECT_EQ(Touch(&intervals, kIn, GmAccess::kRead, 4, 300, 400), "");
}

TEST(GmIntervals, ClocksOrder) {
  GmIntervals intervals;
  Touch(&intervals, kOut, GmAccess::kWrite, 5, 0, 10);
  Clock known;
  known.at[kOut] = 4;
  EXPECT_EQ(Touch(&intervals, kIn, GmAccess::kRead, 1, 0, 10, known), "5:0-10");
  known.at[kOut] = 5;
  EXPECT_EQ(Touch(&intervals, kIn, GmAccess::kRead, 2, 0, 10, known), "");
}

TEST(GmIntervals, AccumulationConflictsWithWritesAndReadsOnly) {
  GmIntervals intervals;
  EXPECT_EQ(Touch(&intervals, kOut, GmAccess::kAtomic, 1, 0, 10), "");
  EXPECT_EQ(Touch(&intervals, kOut, GmAccess::kAtomic, 2, 0, 10), "");
  EXPECT_EQ(Touch(&intervals, kOut, GmAccess::kWrite, 3, 0, 5), "2:0-5");
  EXPECT_EQ(Touch(&intervals, kIn, GmAccess::kRead, 1, 5, 10), "2:5-10");
}

TEST(GmIntervals, OneInstructionMayTouchBytesTwice) {
  GmIntervals intervals;
  EXPECT_EQ(Touch(&intervals, kOut, GmAccess::kWrite, 1, 0, 10), "");
  EXPECT_EQ(Touch(&intervals, kOut, GmAccess::kWrite, 1, 5, 15), "");
  EXPECT_EQ(intervals.map().size(), 3u);
}

}  // namespace
}  // namespace attnres::checks
