// Plans for the tests of tiling: of the SoCs that a shape is asked about, and without an error.

#ifndef OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_TILING_PLAN_TESTING_H
#define OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_TILING_PLAN_TESTING_H

#include <string>

#include "gtest/gtest.h"
#include "op_host/block_attention_residuals_grad/tiling_plan.h"

namespace optiling
{

inline constexpr TilingPlatform ARCH22 = {KernelArch::ARCH22, 48, 196608};  // ascend910b
inline constexpr TilingPlatform ARCH35 = {KernelArch::ARCH35, 64, 253952};  // ascend950

inline TilingPlan PlanOf(const TilingShape& shape, const TilingPlatform& platform)
{
    TilingPlan plan = {};
    std::string error;
    EXPECT_TRUE(PlanTiling(shape, platform, &plan, &error)) << error;
    return plan;
}

}  // namespace optiling

#endif  // OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_TILING_PLAN_TESTING_H
