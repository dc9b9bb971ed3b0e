// Contract under test: which cores have which part of which tokens. Cores share few tokens, in segments of their rows,
// in tiles of those and in groups of rows; a core has several tokens of short rows, in batches.

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "op_host/block_attention_residuals_grad/tiling_plan.h"
#include "op_host/block_attention_residuals_grad/tiling_plan_testing.h"
#include "op_kernel/block_attention_residuals_grad/block_attention_residuals_grad_tiling_key.h"

namespace optiling
{
namespace
{

TEST(TokensOnCoresTest, RowsOfFewTokensAreCutIntoSegments)
{
    const TilingPlan full = PlanOf({3, 8, 4096, 2}, ARCH35);
    EXPECT_EQ(full.hMode, static_cast<uint32_t>(TPL_H_MODE_FULL));
    EXPECT_EQ(full.data.segmentElements, 256u);  // 4096 over 21 cores, rounded up to registers
    EXPECT_EQ(full.data.rowSegments, 16u);
    EXPECT_EQ(full.blockDim, 48u);
    EXPECT_EQ(full.data.hiddenTileSize, 4096u);
    // Tiles and workspace are those of whole rows.
    const TilingPlan split = PlanOf({2, 2, 8192, 2}, ARCH22);
    EXPECT_EQ(split.hMode, static_cast<uint32_t>(TPL_H_MODE_SPLIT));
    EXPECT_EQ(split.data.hiddenTileSize, 4096u);
    EXPECT_EQ(split.data.segmentElements, 384u);
    EXPECT_EQ(split.blockDim, 44u);
    EXPECT_EQ(split.data.residentRows, 3u);
    EXPECT_EQ(split.data.segmentTiles, 0u);
    // Partials of 384 floats for 44 cores, then what they exchange, in the workspace of whole rows.
    EXPECT_EQ(split.data.partialBytes, 1536u);
    EXPECT_EQ(split.data.sharedScoresWkspOff, 44 * 1536u);
    EXPECT_EQ(split.data.perCoreWkspBytes, 4 * 8192u);
}

TEST(TokensOnCoresTest, SegmentsThatDoNotFitAreWalkedInTiles)
{
    // 8 segments of 8192 elements, where FULL holds 7616: two tiles of what SPLIT has room for.
    const TilingPlan plan = PlanOf({8, 8, 65536, 2}, ARCH35);
    EXPECT_EQ(plan.blockDim, 64u);
    EXPECT_EQ(plan.data.rowSegments, 8u);
    EXPECT_EQ(plan.data.segmentTiles, 2u);
    // As many as have room for their scores in a row of a tile: 16 KiB for 129 rows in 8 segments at most.
    EXPECT_EQ(PlanOf({1, 128, 1000000, 2}, ARCH35).data.rowSegments, 8u);
    EXPECT_EQ(PlanOf({33, 8, 65536, 2}, ARCH35).data.segmentTiles,
              PlanOf({33, 8, 65536, 2}, ARCH35).data.hiddenTileNum);
}

TEST(TokensOnCoresTest, ManyRowsOfFewTokensAreSharedOutInGroups)
{
    const TilingPlan plan = PlanOf({2, 128, 256, 2}, ARCH35);
    EXPECT_EQ(plan.data.rowSegments, 2u);
    EXPECT_EQ(plan.data.groupRows, 24u);  // fewer would not pay
    EXPECT_EQ(plan.data.rowGroups, 6u);
    EXPECT_EQ(plan.blockDim, 24u);
    EXPECT_EQ(plan.data.residentRows, 24u);
    EXPECT_EQ(PlanOf({1, 128, 256, 2}, ARCH22).data.rowGroups, 17u);  // the last one has partial_block alone
    EXPECT_EQ(PlanOf({1, 8, 4096, 2}, ARCH35).data.rowGroups, 1u);    // 9 rows are no two groups of 8
    EXPECT_EQ(PlanOf({1, 0, 65536, 2}, ARCH35).data.groupRows, 1u);
}

TEST(TokensOnCoresTest, RowsStayWholeWhereSegmentsDoNotPayOrFit)
{
    EXPECT_EQ(PlanOf({33, 8, 4096, 2}, ARCH35).data.rowSegments, 1u);  // half of the cores have a token
    EXPECT_EQ(PlanOf({32, 8, 4096, 2}, ARCH35).data.rowSegments, 2u);
    EXPECT_EQ(PlanOf({1, 8, 2048, 2}, ARCH35).data.rowSegments, 1u);  // 9 * 2048 elements a token
    EXPECT_EQ(PlanOf({1, 19, 1024, 2}, ARCH35).data.rowSegments, 8u);
    EXPECT_EQ(PlanOf({1, 8, 448, 2}, ARCH22).data.rowSegments, 1u);
    EXPECT_EQ(PlanOf({1, 8, 456, 2}, ARCH22).data.rowSegments, 3u);
}

TEST(TokensOnCoresTest, TokensOfShortRowsShareCores)
{
    EXPECT_EQ(PlanOf({64, 15, 64, 4}, ARCH35).blockDim, 13u);   // 5 * 1024 elements
    EXPECT_EQ(PlanOf({65, 0, 1, 4}, ARCH35).blockDim, 5u);      // 16 tokens at most
    EXPECT_EQ(PlanOf({130, 4, 256, 4}, ARCH35).blockDim, 33u);  // 4 at least
    EXPECT_EQ(PlanOf({63, 4, 264, 4}, ARCH35).blockDim, 63u);
    EXPECT_EQ(PlanOf({4096, 4, 64, 4}, ARCH35).blockDim, 64u);
    EXPECT_EQ(PlanOf({96, 31, 64, 4}, ARCH22).blockDim, 24u);  // else no core has a batch
    EXPECT_EQ(PlanOf({95, 31, 64, 4}, ARCH22).blockDim, 48u);
    EXPECT_EQ(PlanOf({96, 31, 300, 4}, ARCH22).blockDim, 48u);
}

TEST(TokensOnCoresTest, ShortRowsComeInBatchesOfTokens)
{
    EXPECT_EQ(PlanOf({65536, 4, 64, 4}, ARCH35).data.batchTokens, 64u);  // a register's lanes
    EXPECT_EQ(PlanOf({64 * 20, 4, 64, 4}, ARCH35).data.batchTokens, 20u);
    EXPECT_EQ(PlanOf({3, 4, 64, 4}, ARCH35).data.batchTokens, 1u);  // too few to be worth it
    EXPECT_EQ(PlanOf({65536, 8, 512, 2}, ARCH35).data.batchTokens, 17u);
    EXPECT_EQ(PlanOf({65536, 8, 4096, 2}, ARCH35).data.batchTokens, 1u);
    EXPECT_EQ(PlanOf({65536, 4, 64, 4}, ARCH22).data.batchTokens, 64u);   // a repeat's lanes
    EXPECT_EQ(PlanOf({65536, 31, 64, 2}, ARCH22).data.batchTokens, 16u);  // 512 floats for scores
    EXPECT_EQ(PlanOf({65536, 63, 64, 2}, ARCH22).data.batchTokens, 8u);
    EXPECT_EQ(PlanOf({65536, 64, 64, 2}, ARCH22).data.batchTokens, 1u);
    EXPECT_EQ(PlanOf({48 * 10, 4, 64, 4}, ARCH22).data.batchTokens, 10u);
    EXPECT_EQ(PlanOf({48 * 2 - 1, 4, 64, 4}, ARCH22).data.batchTokens, 1u);
    EXPECT_EQ(PlanOf({65536, 8, 256, 4}, ARCH22).data.batchTokens, 11u);  // what UB holds
    EXPECT_EQ(PlanOf({65536, 4, 257, 2}, ARCH22).data.batchTokens, 1u);   // a row is longer than a work vector
}

TEST(TokensOnCoresTest, BatchesOfArch22AreAsLargeAsUbAllows)
{
    const TilingPlan plan = PlanOf({65536, 4, 60, 2}, ARCH22);
    EXPECT_EQ(plan.data.batchTokens, 64u);
    EXPECT_EQ(plan.data.residentRows, 5u);
    // 12 work vectors of 512 floats and two low parts of 5 * 64 scores, less a row of 512.
    EXPECT_EQ(plan.data.extraWorkBytes, 12u * 2048 + 2 * 1280 - 2048);
    // 64 tokens of 5 + 1 rows of 2 bytes and one of float32; six rows of 512 floats instead of 64; four scores, and
    // three more; square sums.
    const uint64_t batch = 64 * (6 * 128 + 256) + 6 * (2048 - 256) + 4 * (1280 - 32) + 3 * 1280 + 256 - 32;
    EXPECT_EQ(plan.ubBytesUsed, plan.requiredFull + batch + plan.data.extraWorkBytes);
    const auto batchIn = [](uint64_t ubBytes) {
        return PlanOf({65536, 4, 60, 2}, {KernelArch::ARCH22, 48, ubBytes}).data.batchTokens;
    };
    EXPECT_EQ(batchIn(plan.ubBytesUsed + 8192), 64u);
    EXPECT_EQ(batchIn(plan.ubBytesUsed + 8191), 63u);
}

}  // namespace
}  // namespace optiling
