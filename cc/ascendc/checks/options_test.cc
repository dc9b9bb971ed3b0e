// Matching of places, and requests for dumps.
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

TEST(Options, DumpRequests) {
  DumpRequest request;
  ASSERT_TRUE(ReadDumpRequest("3@op/add.cpp:120", &request));
  EXPECT_EQ(request.buffer, 3u);
  EXPECT_EQ(request.file, "op/add.cpp");
  EXPECT_EQ(request.line, 120u);
  ASSERT_TRUE(ReadDumpRequest("0@7", &request));
  EXPECT_EQ(request.file, "");
  EXPECT_EQ(request.line, 7u);
  for (const char* text : {"", "3", "@7", "x@7", "3@", "3@x", "3@add.cpp", "3@add.cpp:", "-1@7"}) {
    EXPECT_FALSE(ReadDumpRequest(text, &request)) << text;
  }
}

}  // namespace
}  // namespace attnres::checks
