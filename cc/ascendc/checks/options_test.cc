// Matching of places.
#include "cc/ascendc/checks/options.h"

#include <gtest/gtest.h>

#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::checks {
namespace {

TEST(Options, PlacesMatchByTheEndOfTheirPath) {
  const AscendcTwinPlace place = {"op_kernel/add/add.h", 12, 5};
  EXPECT_TRUE(IsAt(place, {"add.h", 12, 0}));
  EXPECT_TRUE(IsAt(place, {"add/add.h", 12, 5}));
  EXPECT_TRUE(IsAt(place, {"op_kernel/add/add.h", 12, 5}));
  EXPECT_TRUE(IsAt(place, {"", 12, 5}));
  EXPECT_FALSE(IsAt(place, {"dd.h", 12, 5}));
  EXPECT_FALSE(IsAt(place, {"add.h", 13, 5}));
  EXPECT_FALSE(IsAt(place, {"add.h", 12, 6}));
  EXPECT_FALSE(IsAt({nullptr, 12, 5}, {"", 12, 5}));
}

}  // namespace
}  // namespace attnres::checks
