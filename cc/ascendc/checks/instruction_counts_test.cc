// How a report tells what ran.
#include "cc/ascendc/checks/instruction_counts.h"

#include <gtest/gtest.h>

namespace attnres::checks {
namespace {

TEST(InstructionCounts, TextAndJson) {
  const InstructionCounts counts = {12, 6, 2, 3};
  EXPECT_EQ(CountsText(counts),
            "6 vector, 2 copy-in and 3 copy-out instructions, 12 scalar accesses");
  EXPECT_EQ(CountsJson(counts), "{\"vector\":6,\"copy_in\":2,\"copy_out\":3,\"scalar\":12}");
}

}  // namespace
}  // namespace attnres::checks
