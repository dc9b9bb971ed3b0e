// Contract under test: which shapes stay FULL, and over a grid of shapes, dtypes and platforms what every plan must
// hold: tiles cover H once, buffers fit and add up, and nothing that decides a token's bits depends on T or the cores.

#include "op_host/block_attention_residuals/tiling_plan.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "op_kernel/block_attention_residuals/block_attention_residuals_tiling_key.h"

namespace optiling
{
namespace block_attention_residuals
{
namespace
{

constexpr TilingPlatform ARCH22 = {KernelArch::ARCH22, 48, 196608};
constexpr TilingPlatform ARCH35 = {KernelArch::ARCH35, 64, 253952};

TilingPlan PlanOf(const TilingShape& shape, const TilingPlatform& platform)
{
    TilingPlan plan = {};
    std::string error;
    EXPECT_TRUE(PlanTiling(shape, platform, &plan, &error)) << error;
    return plan;
}

std::string ErrorOf(const TilingShape& shape, const TilingPlatform& platform)
{
    TilingPlan plan = {};
    plan.blockDim = 77;
    std::string error;
    EXPECT_FALSE(PlanTiling(shape, platform, &plan, &error));
    EXPECT_EQ(plan.blockDim, 77u);
    return error;
}

TEST(TilingPlanTest, LargestHiddenSizeThatStaysFull)
{
    // The largest H with weights + N1 rows + scores <= UB - 8192, from the formulas of ub_model_test.
    const struct {
        TilingPlatform platform;
        uint32_t dtypeBytes;
        int64_t totalBlocks;
        int64_t hiddenSize;
    } rows[] = {{ARCH35, 2, 9, 11040}, {ARCH35, 4, 5, 8672}, {ARCH22, 2, 9, 7584}, {ARCH22, 4, 5, 7000}};
    for (const auto& row : rows) {
        const TilingPlan full = PlanOf({8, row.totalBlocks - 1, row.hiddenSize, row.dtypeBytes}, row.platform);
        EXPECT_EQ(full.hMode, static_cast<uint32_t>(TPL_H_MODE_FULL)) << row.hiddenSize;
        const TilingPlan split = PlanOf({8, row.totalBlocks - 1, row.hiddenSize + 1, row.dtypeBytes}, row.platform);
        EXPECT_EQ(split.hMode, static_cast<uint32_t>(TPL_H_MODE_SPLIT)) << row.hiddenSize + 1;
    }
}

TEST(TilingPlanTest, ShortRowsComeInBatchesOfTokens)
{
    EXPECT_EQ(PlanOf({65536, 4, 64, 2}, ARCH35).data.batchTokens, 51u);   // 32768 / (5 * 128)
    EXPECT_EQ(PlanOf({65536, 0, 17, 2}, ARCH35).data.batchTokens, 64u);   // a register's lanes
    EXPECT_EQ(PlanOf({64 * 7, 4, 64, 2}, ARCH35).data.batchTokens, 4u);   // two batches of a core's 7 tokens
    EXPECT_EQ(PlanOf({65536, 8, 4096, 2}, ARCH35).data.batchTokens, 1u);  // a token is a batch
    EXPECT_EQ(PlanOf({65536, 128, 16, 2}, ARCH35).data.batchTokens, 7u);  // 32768 / (129 * 32)
    EXPECT_EQ(PlanOf({65536, 4, 64, 2}, ARCH22).data.batchTokens, 1u);    // its kernels take one at a time
    EXPECT_EQ(PlanOf({65536, 8, 4096, 2}, ARCH35).data.rowSets, 2u);
    EXPECT_EQ(PlanOf({65536, 8, 8192, 2}, ARCH35).data.rowSets, 1u);  // 147456 bytes of rows
}

TEST(TilingPlanTest, EveryPlanHolds)
{
    for (const TilingPlatform& platform : {ARCH22, ARCH35, TilingPlatform{KernelArch::ARCH35, 3, 40000}}) {
        for (const uint32_t dtypeBytes : {2u, 4u}) {
            for (const int64_t blocks : {0, 1, 3, 8, 128}) {
                for (const int64_t hidden : {1, 7, 16, 17, 63, 64, 65, 520, 1168, 4096, 7186, 16384, 500000}) {
                    for (const int64_t tokens : {1, 47, 64, 129, 100000}) {
                        const TilingPlan plan = PlanOf({tokens, blocks, hidden, dtypeBytes}, platform);
                        const BlockAttentionResidualsTilingData& data = plan.data;
                        EXPECT_LE(plan.ubBytesUsed, plan.available);
                        EXPECT_EQ(plan.ubBytesUsed, SumBytes(plan.buffers));
                        EXPECT_EQ(data.ubBytesUsed, plan.ubBytesUsed);
                        EXPECT_EQ(plan.tilingKey, plan.hMode);
                        EXPECT_EQ(plan.hMode == TPL_H_MODE_FULL, plan.requiredFull <= plan.available);
                        EXPECT_GE(data.hiddenTileSize * data.hiddenTileNum, static_cast<uint64_t>(hidden));
                        EXPECT_LT(data.hiddenTileSize * (data.hiddenTileNum - 1), static_cast<uint64_t>(hidden));
                        EXPECT_EQ(data.totalBlocks, data.numBlocks + 1);
                        EXPECT_GE(data.scorePitch, data.batchTokens);
                        EXPECT_EQ(plan.blockDim, std::min<int64_t>(tokens, platform.coreNum));
                        EXPECT_EQ(data.usedCoreNum, plan.blockDim);
                        // A copy has at most 4095 blocks.
                        EXPECT_LE(data.batchTokens * data.totalBlocks, 4095u);
                    }
                }
            }
        }
    }
}

TEST(TilingPlanTest, TokensAndCoresChangeNoBits)
{
    for (const TilingPlatform& platform : {ARCH22, ARCH35}) {
        for (const int64_t blocks : {0, 8, 128}) {
            for (const int64_t hidden : {16, 1168, 4096, 16384, 65536}) {
                const TilingPlan one = PlanOf({1, blocks, hidden, 2}, platform);
                for (const int64_t tokens : {2, 63, 64, 65, 100000}) {
                    for (const uint32_t cores : {1u, 7u, 64u}) {
                        const TilingPlan plan =
                            PlanOf({tokens, blocks, hidden, 2}, {platform.arch, cores, platform.ubBytes});
                        EXPECT_EQ(plan.hMode, one.hMode);
                        EXPECT_EQ(plan.data.hiddenTileSize, one.data.hiddenTileSize);
                    }
                }
            }
        }
    }
}

TEST(TilingPlanTest, LargestShapesNeverWrap)
{
    for (const TilingPlatform& platform : {ARCH22, ARCH35}) {
        for (const uint32_t dtypeBytes : {2u, 4u}) {
            EXPECT_EQ(PlanOf({MAX_VALUE_ELEMENTS, 0, 1, dtypeBytes}, platform).data.batchSize,
                      static_cast<uint64_t>(MAX_VALUE_ELEMENTS));
            const TilingPlan wide = PlanOf({1, 0, MAX_VALUE_ELEMENTS, dtypeBytes}, platform);
            EXPECT_GT(wide.requiredFull, static_cast<uint64_t>(MAX_VALUE_ELEMENTS) * 4);
            EXPECT_GE(wide.data.hiddenTileNum * wide.data.hiddenTileSize, static_cast<uint64_t>(MAX_VALUE_ELEMENTS));
        }
    }
}

TEST(TilingPlanTest, Refusals)
{
    const std::string limit = std::to_string(MAX_VALUE_ELEMENTS);
    EXPECT_EQ(ErrorOf({0, 1, 16, 2}, ARCH22), "token count T is 0, expected 1 to " + limit);
    EXPECT_EQ(ErrorOf({1, 129, 16, 2}, ARCH22), "block count N is 129, expected 0 to 128");
    EXPECT_EQ(ErrorOf({4, 2, 64, 2}, {KernelArch::ARCH35, 0, 196608}),
              "AIV core count of the platform is 0, expected at least 1");
    EXPECT_EQ(ErrorOf({4, 2, 64, 2}, {static_cast<KernelArch>(1), 48, 196608}),
              "NPU architecture is 1, expected 2201 or 3510");
    EXPECT_EQ(ErrorOf({4, 2, 64, 2}, {KernelArch::ARCH35, 64, 8192 + 3000}),
              "UB size of the platform is 11192 bytes (3000 available): no tile of H=64 with N=2 and 2-byte elements "
              "fits, not even one of 128 elements");
}

}  // namespace
}  // namespace block_attention_residuals
}  // namespace optiling
