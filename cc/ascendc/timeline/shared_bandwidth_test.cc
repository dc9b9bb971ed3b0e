#include "cc/ascendc/timeline/shared_bandwidth.h"

#include <gtest/gtest.h>

#include <limits>

namespace attnres::timeline {
namespace {

using Ids = std::vector<uint32_t>;

TEST(SharedBandwidth, OneTransferIsAsFastAsItsCore) {
  SharedBandwidth memory(100, 1000);
  memory.Begin(5, {200, 10, 1, 7});
  EXPECT_DOUBLE_EQ(memory.NextEnd(), 25);
  EXPECT_EQ(memory.End(25), Ids{7});
  EXPECT_EQ(memory.NextEnd(), std::numeric_limits<double>::infinity());
}

TEST(SharedBandwidth, WhatSlowCoresLeaveGoesToOthers) {
  SharedBandwidth memory(30, 1000);
  memory.Begin(0, {100, 5, 1, 0});
  memory.Begin(0, {100, 100, 1, 1});
  // 5 for the first, 25 for the second.
  EXPECT_DOUBLE_EQ(memory.NextEnd(), 4);
  EXPECT_EQ(memory.End(4), Ids{1});
  EXPECT_DOUBLE_EQ(memory.NextEnd(), 20);
}

TEST(SharedBandwidth, HitsOfL2DoNotTakeGlobalMemory) {
  SharedBandwidth memory(10, 60);
  memory.Begin(0, {100, 100, 1, 0});
  memory.Begin(0, {100, 100, 0, 1});
  // Global memory gives the first 10; L2 has 50 left for the second.
  EXPECT_DOUBLE_EQ(memory.NextEnd(), 2);
  EXPECT_EQ(memory.End(2), Ids{1});
  EXPECT_DOUBLE_EQ(memory.NextEnd(), 10);
}

TEST(SharedBandwidth, ATransferThatBeginsLaterSlowsOthersFromThenOn) {
  SharedBandwidth memory(10, 1000);
  memory.Begin(0, {100, 10, 1, 0});
  memory.Begin(4, {30, 10, 1, 1});
  // 40 bytes alone, then 5 each: the second ends at 10, with 30 of the first left.
  EXPECT_DOUBLE_EQ(memory.NextEnd(), 10);
  EXPECT_EQ(memory.End(10), Ids{1});
  EXPECT_DOUBLE_EQ(memory.NextEnd(), 13);
}

TEST(SharedBandwidth, EqualTransfersEndTogetherInTheirOrder) {
  SharedBandwidth memory(10, 1000);
  for (uint32_t id : {3u, 1u, 2u}) memory.Begin(0, {50, 10, 1, id});
  EXPECT_DOUBLE_EQ(memory.NextEnd(), 15);
  EXPECT_EQ(memory.End(15), (Ids{3, 1, 2}));
}

}  // namespace
}  // namespace attnres::timeline
