// What tells the uses of a call apart.
#include "cc/ascendc/checks/call_uses.h"

#include <gtest/gtest.h>

#include "cc/ascendc/checks/options.h"
#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::checks {
namespace {

constexpr char kKernel[] = "kernel.h";
constexpr char kHelper[] = "helper.h";

TEST(CallUses, CountFromTheLastPlaceInAnotherFile) {
  CallUses uses;
  const AscendcTwinPlace set = {kHelper, 3, 5};
  EXPECT_EQ(uses.Next(CallKind::kSetFlag, set), 1u);
  EXPECT_EQ(uses.after().file, nullptr);
  uses.Visit({kKernel, 10, 5});
  uses.Visit({nullptr, 0, 0});
  uses.Visit({kKernel, 11, 5});
  EXPECT_EQ(uses.Next(CallKind::kSetFlag, set), 1u);
  EXPECT_EQ(uses.after().file, kKernel);
  EXPECT_EQ(uses.after().line, 11u);
  EXPECT_EQ(uses.Next(CallKind::kWaitFlag, {kHelper, 4, 5}), 1u);
  EXPECT_EQ(uses.Next(CallKind::kSetFlag, set), 2u);
  EXPECT_EQ(uses.Next(CallKind::kSetFlag, {kHelper, 3, 20}), 1u);
  EXPECT_EQ(uses.after().line, 11u);
  uses.Visit({kKernel, 12, 5});
  EXPECT_EQ(uses.Next(CallKind::kSetFlag, set), 1u);
  EXPECT_EQ(uses.after().line, 12u);
}

TEST(CallUses, LongLoopsEndInOneUse) {
  CallUses uses;
  uint32_t last = 0;
  for (uint32_t i = 0; i < 2 * CallUses::kMostOrdinal; ++i) {
    last = uses.Next(CallKind::kCopy, {kHelper, 3, 5});
  }
  EXPECT_EQ(last, uint32_t{CallUses::kMostOrdinal});
}

}  // namespace
}  // namespace attnres::checks
