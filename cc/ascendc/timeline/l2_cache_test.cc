#include "cc/ascendc/timeline/l2_cache.h"

#include <gtest/gtest.h>

#include "cc/ascendc/timeline/gm_map.h"

namespace attnres::timeline {
namespace {

TEST(L2Cache, ReadsMissOnceByLine) {
  L2Cache cache(1 << 20, 128);
  EXPECT_EQ(cache.Read(0, 4).missed, 128u);
  EXPECT_EQ(cache.Read(64, 64).missed, 0u);
  EXPECT_EQ(cache.Read(64, 128).missed, 128u);
  EXPECT_EQ(cache.Read(4000, 200).missed, 2 * 128u);  // from one page into the next
}

TEST(L2Cache, WritesAreHeldUntilTheyMustMakeRoom) {
  L2Cache cache(8192, 128);
  EXPECT_EQ(cache.Write(0, 4096).written_back, 0u);
  EXPECT_EQ(cache.Read(0, 4096).missed, 0u);
  EXPECT_EQ(cache.Read(1 << 20, 4096).written_back, 0u);
  EXPECT_EQ(cache.Read(2 << 20, 4096).written_back, 4096u);
  EXPECT_EQ(cache.Read(0, 4096).missed, 4096u);
}

TEST(L2Cache, WhatWasWrittenGoesBeforeWhatWasRead) {
  L2Cache cache(8192, 128);
  cache.Read(0, 4096);
  cache.Write(4096, 128);
  EXPECT_EQ(cache.Read(8192, 4096).written_back, 128u);
  EXPECT_EQ(cache.Read(0, 4096).missed, 0u);
}

TEST(L2Cache, WritesAloneStayAsLongAsTheyFit) {
  L2Cache cache(8192, 128);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(cache.Write(0, 8192).written_back, 0u);
  EXPECT_EQ(cache.Write(8192, 256).written_back, 4096u);  // a page ages as a whole
}

TEST(L2Cache, ForgetsWhatWasTouchedLongestAgo) {
  L2Cache cache(8192, 128);
  cache.Read(0, 4096);
  cache.Read(4096, 4096);
  cache.Read(0, 128);
  cache.Read(8192, 4096);
  EXPECT_EQ(cache.Read(0, 4096).missed, 0u);
  EXPECT_EQ(cache.Read(4096, 4096).missed, 4096u);
}

TEST(GmMap, BuffersBeginAlignedWhereverTheHostPutThem) {
  GmMap map;
  map.Add(1000, 5000, false);
  map.Add(9001, 100, true);
  EXPECT_EQ(map.Find(1000).address % 4096, 0u);
  EXPECT_EQ(map.Find(9001).address % 4096, 0u);
  EXPECT_EQ(map.Find(1234).address - map.Find(1000).address, 234u);
  EXPECT_GT(map.Find(9001).address, map.Find(5999).address);
  EXPECT_EQ(map.Find(6000).address, 6000u);
  EXPECT_EQ(map.Find(10).address, 10u);
  EXPECT_TRUE(map.Find(9100).bypasses_l2);
  EXPECT_FALSE(map.Find(1234).bypasses_l2);
}

}  // namespace
}  // namespace attnres::timeline
