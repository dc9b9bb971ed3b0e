// Numbers of many sites.
#include "cc/ascendc/checks/site_table.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::checks {
namespace {

TEST(SiteTable, GivesEqualSitesOneNumber) {
  static const char kFile[] = "kernel.h";
  static const char kName[] = "Add";
  static const char kOperand[] = "dst";
  SiteTable table;
  for (int round = 0; round < 2; ++round) {
    for (uint32_t line = 1; line <= 1000; ++line) {
      EXPECT_EQ(table.Number({kFile, line, 1}, kName, kOperand, 1), line);
    }
  }
  EXPECT_EQ(table.size(), 1000u);
  EXPECT_EQ(table.At(7).place.line, 7u);
  EXPECT_EQ(table.Number({kFile, 1, 1}, kName, kOperand, 2), 1001u);
  EXPECT_EQ(table.Number({kFile, 1, 1}, kName, nullptr, 1), 1002u);
  EXPECT_EQ(table.Number({kFile, 1, 2}, kName, kOperand, 1), 1003u);
  EXPECT_EQ(table.At(0).place.file, nullptr);
}

}  // namespace
}  // namespace attnres::checks
