// The profiles agree with what tiling is told of the same SoCs.
#include "cc/ascendc/timeline/cost_profile.h"

#include <gtest/gtest.h>

#include "cc/host/platform/soc_profiles.h"

namespace attnres::timeline {
namespace {

TEST(CostProfile, ThereIsOneForEverySoc) {
  size_t count = 0;
  const host::SocProfile* socs = host::SocProfiles(&count);
  for (size_t i = 0; i < count; ++i) {
    const host::SocProfile& soc = socs[i];
    const CostProfile* profile = FindCostProfile(soc.name);
    ASSERT_NE(profile, nullptr) << soc.name;
    EXPECT_EQ(FindCostProfile(soc.short_name), profile);
    EXPECT_EQ(profile->npu_arch, soc.npu_arch) << soc.name;
    EXPECT_EQ(profile->cores, soc.aiv_core_num) << soc.name;
    EXPECT_EQ(profile->clock_mhz, soc.clock_mhz) << soc.name;
    EXPECT_EQ(profile->l2_bytes, soc.l2_bytes) << soc.name;
    EXPECT_EQ(profile->l2_read_bytes_per_cycle, soc.l2_read_rate) << soc.name;
    EXPECT_EQ(profile->write_bytes_per_cycle, soc.ub_to_gm_rate) << soc.name;
  }
}

TEST(CostProfile, NamesDoNotDependOnCase) {
  EXPECT_STREQ(FindCostProfile("ASCEND950")->name, "Ascend950PR_9589");
  EXPECT_EQ(FindCostProfile("ascend310"), nullptr);
  EXPECT_EQ(FindCostProfile(nullptr), nullptr);
}

TEST(CostProfile, UnknownInstructionsCostTheDefault) {
  const CostProfile& profile = *FindCostProfile("ascend910b");
  const auto find = [&](const char* name) {
    return FindInstruction(profile.vector, profile.vector_count, name);
  };
  EXPECT_STREQ(find("Exp")->name, "Exp");
  EXPECT_EQ(find("Exp")->second(2), 4);
  EXPECT_EQ(find("Exp")->second(4), 2);
  EXPECT_STREQ(find("NoSuchThing")->name, "Default");
  EXPECT_EQ(FindInstruction(nullptr, 0, "Exp"), nullptr);
}

}  // namespace
}  // namespace attnres::timeline
