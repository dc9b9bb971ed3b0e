// Accesses of several cores against all pairs of them.
#include "cc/ascendc/checks/gm_epochs.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "cc/ascendc/checks/clocks.h"
#include "cc/ascendc/checks/gm_intervals.h"

namespace attnres::checks {
namespace {

bool Conflict(const CoreAccess& a, const CoreAccess& b) {
  return a.core != b.core && a.begin < b.end && b.begin < a.end && MayConflict(a.access, b.access);
}

TEST(GmEpochs, FindsAConflictOfEveryAccessThatHasOneBeforeIt) {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    std::vector<CoreAccess> accesses;
    for (uint32_t i = 0; i < 12; ++i) {
      const uint64_t begin = random() % 100;
      accesses.push_back({begin, begin + 1 + random() % 20, static_cast<uint32_t>(random() % 3), i,
                          static_cast<GmAccess>(random() % 3)});
    }
    std::set<uint32_t> found;
    FindCrossConflicts(accesses, [&](const CoreAccess& first, const CoreAccess& second) {
      EXPECT_TRUE(Conflict(first, second));
      EXPECT_LE(first.begin, second.begin);
      found.insert(second.site);
    });
    for (const CoreAccess& access : accesses) {
      bool expected = false;
      bool optional = false;  // the other one begins at the same byte
      for (const CoreAccess& other : accesses) {
        expected = expected || (other.begin < access.begin && Conflict(other, access));
        optional = optional || (other.begin == access.begin && Conflict(other, access));
      }
      if (expected || !optional) {
        EXPECT_EQ(found.count(access.site), expected ? 1u : 0u);
      }
    }
  }
}

TEST(GmEpochs, ComparesWhenAllCoresHaveLeftAnEpoch) {
  int reports = 0;
  GmEpochs epochs(2, [&](const CoreAccess&, const CoreAccess&) { ++reports; });
  const CoreAccess write = {0, 10, 0, 1, GmAccess::kWrite};
  const CoreAccess read = {5, 6, 1, 1, GmAccess::kRead};
  epochs.Leave(0, {write});
  epochs.Leave(0, {});
  epochs.Leave(1, {read});
  EXPECT_EQ(reports, 0);
  epochs.Leave(1, {write});
  EXPECT_EQ(reports, 1);
  epochs.Leave(2, {write, read});
  EXPECT_EQ(reports, 1);
  epochs.Finish();
  EXPECT_EQ(reports, 2);
}

TEST(GmEpochs, JoinsNeighboursOfOneSite) {
  GmIntervals intervals;
  const auto touch = [&](uint32_t number, uint64_t begin, uint64_t end, uint32_t site) {
    intervals.Touch(3, GmAccess::kWrite, number, begin, end, site, Clock(),
                    [](const GmIntervals::Conflict&) {});
  };
  touch(1, 0, 10, 1);
  touch(2, 10, 20, 1);
  touch(3, 20, 30, 2);
  touch(4, 31, 40, 2);
  const std::vector<CoreAccess> flat = Flatten(intervals, 5);
  ASSERT_EQ(flat.size(), 3u);
  EXPECT_EQ(flat[0].end, 20u);
  EXPECT_EQ(flat[0].core, 5u);
  EXPECT_EQ(flat[1].end, 30u);
}

}  // namespace
}  // namespace attnres::checks
