// Contract under test: the three SoCs with the numbers that tiling depends on.
#include "cc/host/platform/soc_profiles.h"

#include "gtest/gtest.h"

namespace attnres {
namespace host {
namespace {

TEST(SocProfilesTest, HasTheNumbersOfTilingForEachSoc) {
  struct Expected {
    const char* short_name;
    uint32_t npu_arch;
    uint32_t aiv_core_num;
    uint64_t ub_bytes;
  };
  const Expected expected[] = {{"ascend910b", 2201, 48, 196608},
                               {"ascend910_93", 2201, 48, 196608},
                               {"ascend950", 3510, 64, 253952}};
  size_t count = 0;
  const SocProfile* profiles = SocProfiles(&count);
  ASSERT_EQ(count, 3u);
  for (size_t i = 0; i < count; ++i) {
    EXPECT_STREQ(profiles[i].short_name, expected[i].short_name);
    EXPECT_EQ(profiles[i].npu_arch, expected[i].npu_arch);
    EXPECT_EQ(profiles[i].aiv_core_num, expected[i].aiv_core_num);
    EXPECT_EQ(profiles[i].ub_bytes, expected[i].ub_bytes);
  }
}

TEST(SocProfilesTest, FindsByEitherNameInAnyCase) {
  ASSERT_NE(FindSocProfile("ascend950"), nullptr);
  EXPECT_STREQ(FindSocProfile("ascend950")->name, "Ascend950PR_9589");
  EXPECT_EQ(FindSocProfile("ASCEND950pr_9589"), FindSocProfile("Ascend950"));
}

TEST(SocProfilesTest, UnknownNameHasNoProfile) {
  EXPECT_EQ(FindSocProfile("ascend910"), nullptr);
  EXPECT_EQ(FindSocProfile("ascend910bx"), nullptr);
  EXPECT_EQ(FindSocProfile(""), nullptr);
  EXPECT_EQ(FindSocProfile(nullptr), nullptr);
}

}  // namespace
}  // namespace host
}  // namespace attnres
