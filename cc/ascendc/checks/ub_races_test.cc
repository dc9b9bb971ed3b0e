// Accesses of UB blocks by pipes.
#include "cc/ascendc/checks/ub_races.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cc/ascendc/checks/clocks.h"
#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::checks {
namespace {

constexpr uint8_t kVector = kAscendcTwinPipeV;
constexpr uint8_t kIn = kAscendcTwinPipeMte2;

std::string Text(const UbRaces::Conflict& conflict) {
  return std::to_string(conflict.site) + ">" + std::to_string(conflict.late_site) + ":" +
         std::to_string(conflict.first) + "-" + std::to_string(conflict.last) + " ";
}

std::string Touch(UbRaces* races, const UbRaces::Access& access, uint32_t first, uint32_t last,
                  uint32_t site, const Clock& known = {}) {
  std::string conflicts;
  races->Touch(access, first, last, site, known,
               [&](const UbRaces::Conflict& conflict) { conflicts += Text(conflict); });
  return conflicts;
}

TEST(UbRaces, ReadsAgreeAndWritesConflict) {
  UbRaces races(1024);
  EXPECT_EQ(Touch(&races, {kVector, false, 1}, 0, 4, 10), "");
  EXPECT_EQ(Touch(&races, {kAscendcTwinPipeMte3, false, 1}, 0, 4, 20), "");
  EXPECT_EQ(Touch(&races, {kIn, true, 1}, 2, 6, 30), "10>30:2-4 20>30:2-4 ");
  EXPECT_EQ(Touch(&races, {kIn, true, 2}, 6, 8, 31), "");
  Clock known;
  known.at[kIn] = 1;
  EXPECT_EQ(Touch(&races, {kVector, false, 2}, 2, 8, 11, known), "31>11:6-8 ");
  known.at[kIn] = 2;
  EXPECT_EQ(Touch(&races, {kVector, false, 3}, 2, 8, 11, known), "");
  EXPECT_EQ(races.Latest(kVector, 0, 1, false), 1u);
  EXPECT_EQ(races.Latest(kVector, 0, 3, false), 3u);
  EXPECT_EQ(races.Latest(kVector, 0, 3, true), 0u);
}

TEST(UbRaces, OwnOperandsDoNotConflictAndEarlierInstructionsOfThePipeMay) {
  UbRaces races(1024);
  EXPECT_EQ(Touch(&races, {kVector, false, 1}, 0, 2, 10), "");
  EXPECT_EQ(Touch(&races, {kVector, true, 1}, 0, 2, 11), "");
  Clock known;
  known.at[kVector] = 1;
  EXPECT_EQ(Touch(&races, {kVector, true, 2}, 0, 2, 12, known), "");
  known.at[kVector] = 1;
  EXPECT_EQ(Touch(&races, {kVector, true, 3}, 0, 2, 13, known), "12>13:0-2 ");
}

TEST(UbRaces, SitesByBlock) {
  UbRaces races(1024);
  const std::vector<uint32_t> sites = {0, 7, 7, 8, 8, 0};
  races.TouchEach({kVector, true, 1}, 1, 5, sites.data(), Clock(),
                  [](const UbRaces::Conflict&) { ADD_FAILURE(); });
  EXPECT_EQ(Touch(&races, {kIn, true, 1}, 0, 6, 30), "7>30:1-3 8>30:3-5 ");
}

}  // namespace
}  // namespace attnres::checks
