// Contract under test: PlatformAscendC answers from the profile, except for the two numbers that a
// caller may override.
#include "tiling/platform/platform_ascendc.h"

#include "cc/host/platform/soc_profiles.h"
#include "gtest/gtest.h"
#include "platform/platform_infos_def.h"

namespace platform_ascendc {
namespace {

TEST(PlatformAscendCTest, AnswersFromTheProfile) {
  fe::PlatFormInfos infos(attnres::host::FindSocProfile("ascend950"), 64, 253952);
  const PlatformAscendC platform(&infos);
  EXPECT_EQ(platform.GetCoreNumAiv(), 64u);
  EXPECT_EQ(platform.GetCoreNumAic(), 32u);
  EXPECT_EQ(platform.GetSocVersion(), SocVersion::ASCEND950);
  EXPECT_EQ(platform.GetCurNpuArch(), NpuArch::DAV_3510);
  EXPECT_EQ(platform.GetLibApiWorkSpaceSize(), 0u);
  uint64_t size = 1;
  platform.GetCoreMemSize(CoreMemType::UB, size);
  EXPECT_EQ(size, 253952u);
  platform.GetCoreMemSize(CoreMemType::L2, size);
  EXPECT_EQ(size, uint64_t{128} << 20);
  platform.GetCoreMemSize(CoreMemType::L0_A, size);
  EXPECT_EQ(size, 0u);
}

TEST(PlatformAscendCTest, AtlasA3ReportsTheVersionOfA2) {
  fe::PlatFormInfos infos(attnres::host::FindSocProfile("ascend910_93"), 48, 196608);
  EXPECT_EQ(PlatformAscendC(&infos).GetSocVersion(), SocVersion::ASCEND910B);
}

TEST(PlatformAscendCTest, OverridesCoresAndUb) {
  fe::PlatFormInfos infos(attnres::host::FindSocProfile("ascend910b"), 3, 4096);
  const PlatformAscendC platform(&infos);
  EXPECT_EQ(platform.GetCoreNumAiv(), 3u);
  uint64_t size = 0;
  platform.GetCoreMemSize(CoreMemType::UB, size);
  EXPECT_EQ(size, 4096u);
}

}  // namespace
}  // namespace platform_ascendc
