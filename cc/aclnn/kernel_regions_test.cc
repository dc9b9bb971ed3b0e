// Regions of a launch: one for each tensor with bytes, those of the same memory joined.
#include "cc/aclnn/kernel_regions.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "cc/aclnn/address_list.h"
#include "cc/aclnn/launch_plan.h"
#include "cc/ascendc/checks/gm_regions.h"

namespace attnres::aclnn {
namespace {

using checks::GmRegion;
using checks::RegionKind;

TEST(KernelRegions, TellsInputsOutputsWorkspaceAndTilingApart) {
  std::vector<uint8_t> memory(4096);
  LaunchPlan plan;
  plan.inputs = {{"x", 64}, {"absent", 0}};
  plan.outputs = {{"y", 128}};
  plan.workspace_bytes = 256;
  plan.tiling_bytes = 40;
  AddressList args;
  args.Add(&memory[0]);
  args.Add(nullptr);
  args.Add(&memory[512]);
  args.Add(&memory[1024]);
  args.Add(&memory[2048]);
  const std::vector<GmRegion> regions = KernelRegions(plan, args);
  ASSERT_EQ(regions.size(), 4u);
  EXPECT_EQ(regions[0].name, "x");
  EXPECT_EQ(regions[0].kind, RegionKind::kInput);
  EXPECT_EQ(regions[0].data, &memory[0]);
  EXPECT_EQ(regions[1].name, "y");
  EXPECT_EQ(regions[1].kind, RegionKind::kOutput);
  EXPECT_EQ(regions[1].bytes, 128u);
  EXPECT_EQ(regions[2].kind, RegionKind::kWorkspace);
  EXPECT_EQ(regions[2].bytes, 256u);
  EXPECT_EQ(regions[3].kind, RegionKind::kTiling);
  EXPECT_EQ(regions[3].data, &memory[2048]);
  EXPECT_EQ(regions[3].bytes, 40u);
}

TEST(KernelRegions, JoinsInputsThatShareBytes) {
  std::vector<uint8_t> memory(1024);
  LaunchPlan plan;
  plan.inputs = {{"late", 64}, {"whole", 128}, {"again", 128}};
  AddressList args;
  args.Add(&memory[96]);
  args.Add(&memory[0]);
  args.Add(&memory[0]);
  args.Add(nullptr);
  args.Add(&memory[512]);
  const std::vector<GmRegion> regions = KernelRegions(plan, args);
  ASSERT_EQ(regions.size(), 3u) << "and workspace and tiling data without bytes";
  EXPECT_EQ(regions[0].name, "whole and again and late");
  EXPECT_EQ(regions[0].data, &memory[0]);
  EXPECT_EQ(regions[0].bytes, 160u);
}

TEST(KernelRegions, TensorWithoutAddressHasNoBytes) {
  LaunchPlan plan;
  plan.outputs = {{"y", 64}};
  AddressList args;
  for (int i = 0; i < 3; ++i) args.Add(nullptr);
  for (const GmRegion& region : KernelRegions(plan, args)) EXPECT_EQ(region.bytes, 0u);
}

}  // namespace
}  // namespace attnres::aclnn
