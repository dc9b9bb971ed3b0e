// Looking up addresses in regions.
#include "cc/ascendc/checks/gm_regions.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace attnres::checks {
namespace {

TEST(GmRegions, FindsTheRegionOfAnAddressOrSaysWhatIsNear) {
  auto* const base = reinterpret_cast<uint8_t*>(uint64_t{4096});  // never read
  const GmRegions regions({{"y", RegionKind::kOutput, base + 200, 50, false},
                           {"x", RegionKind::kInput, base, 100, false},
                           {"none", RegionKind::kWorkspace, base + 120, 0, false},
                           {"sum", RegionKind::kOutput, base + 300, 8, true}});
  size_t hint = 0;
  ASSERT_EQ(regions.entries().size(), 3u);
  EXPECT_EQ(regions.Find(4096 + 99, &hint)->Name(), "GM input x");
  EXPECT_EQ(regions.Find(4096 + 100, &hint), nullptr);
  EXPECT_EQ(regions.Find(4096 + 200, &hint)->Name(), "GM output y");
  EXPECT_EQ(hint, 1u);
  EXPECT_EQ(regions.Find(4095, &hint), nullptr);
  EXPECT_EQ(regions.Describe(4095), "1 bytes before GM input x");
  EXPECT_EQ(regions.Describe(4096 + 120), "20 bytes after the end of GM input x");
  EXPECT_EQ(regions.Describe(4096 + 190), "10 bytes before GM output y");
  EXPECT_EQ(GmRegions({}).Describe(1), "the launch has no global memory");
  EXPECT_EQ(regions.entries()[0].written, nullptr);
  EXPECT_NE(regions.entries()[1].written, nullptr);
  EXPECT_EQ(regions.entries()[2].written, nullptr);
}

}  // namespace
}  // namespace attnres::checks
