// Contract under test: the published decisions (largest FULL hidden size, SPLIT tiles, workspace offsets) and, over a
// grid of shapes, dtypes and platforms, what every plan must hold: tiles cover H once, buffers fit and add up, offsets
// do not overlap, and spare UB is used as far as it goes.

#include "op_host/block_attention_residuals_grad/tiling_plan.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "op_host/block_attention_residuals_grad/tiling_plan_testing.h"
#include "op_kernel/block_attention_residuals_grad/block_attention_residuals_grad_tiling_key.h"

namespace optiling
{
namespace
{

constexpr uint32_t DTYPE_BYTES[] = {2, 4};

std::string ErrorOf(const TilingShape& shape, const TilingPlatform& platform)
{
    TilingPlan plan = {};
    plan.blockDim = 77;
    std::string error;
    EXPECT_FALSE(PlanTiling(shape, platform, &plan, &error));
    EXPECT_EQ(plan.blockDim, 77u);
    return error;
}

struct LargestFull {
    TilingPlatform platform;
    uint32_t dtypeBytes;
    int64_t totalBlocks;
    int64_t hiddenSize;
};

TEST(TilingPlanTest, LargestHiddenSizeThatStaysFull)
{
    const LargestFull rows[] = {
        {ARCH22, 2, 3, 7240}, {ARCH22, 4, 5, 6720}, {ARCH35, 2, 5, 7616}, {ARCH35, 4, 129, 6032}};
    for (const LargestFull& row : rows) {
        const TilingPlan full = PlanOf({8, row.totalBlocks - 1, row.hiddenSize, row.dtypeBytes}, row.platform);
        EXPECT_EQ(full.hMode, static_cast<uint32_t>(TPL_H_MODE_FULL)) << row.hiddenSize;
        const TilingPlan split = PlanOf({8, row.totalBlocks - 1, row.hiddenSize + 1, row.dtypeBytes}, row.platform);
        EXPECT_EQ(split.hMode, static_cast<uint32_t>(TPL_H_MODE_SPLIT)) << row.hiddenSize + 1;
    }
}

struct SplitTile {
    TilingPlatform platform;
    uint32_t dtypeBytes;
    int64_t totalBlocks;
    int64_t hiddenSize;
    uint64_t tile;
    uint64_t tileNum;
};

TEST(TilingPlanTest, SplitTiles)
{
    const SplitTile rows[] = {{ARCH22, 2, 3, 8192, 4096, 2},    {ARCH22, 2, 5, 16384, 5472, 3},
                              {ARCH22, 4, 9, 12288, 6144, 2},   {ARCH35, 2, 5, 16384, 5504, 3},
                              {ARCH35, 2, 5, 500000, 6656, 76}, {ARCH35, 4, 9, 12288, 4096, 3}};
    for (const SplitTile& row : rows) {
        const TilingPlan plan = PlanOf({8, row.totalBlocks - 1, row.hiddenSize, row.dtypeBytes}, row.platform);
        EXPECT_EQ(plan.hMode, static_cast<uint32_t>(TPL_H_MODE_SPLIT)) << row.hiddenSize;
        EXPECT_EQ(plan.tilingKey, 1u);
        EXPECT_EQ(plan.data.hiddenTileSize, row.tile) << row.hiddenSize;
        EXPECT_EQ(plan.data.hiddenTileNum, row.tileNum) << row.hiddenSize;
    }
}

TEST(TilingPlanTest, NumbersOfThePublishedLogLine)
{
    const TilingPlan plan = PlanOf({2, 2, 8192, 2}, ARCH22);
    EXPECT_EQ(plan.requiredFull, 213152u);
    EXPECT_EQ(plan.available, 188416u);
}

TEST(TilingPlanTest, WorkspaceOffsets)
{
    const TilingPlan full = PlanOf({100, 4, 65, 2}, ARCH22);
    EXPECT_EQ(full.data.perCoreWkspBytes, 512u);
    EXPECT_EQ(full.workspaceBytes, 512u * 48);
    EXPECT_EQ(full.data.gradScoresWkspOff, 0u);
    EXPECT_EQ(full.data.varianceScaleWkspOff, 0u);
    const TilingPlan split = PlanOf({100, 2, 8192, 2}, ARCH22);
    EXPECT_EQ(split.data.perCoreWkspBytes, 32768u);
    EXPECT_EQ(split.data.gradScoresWkspOff, 32768u * 48);
    EXPECT_EQ(split.data.varianceScaleWkspOff, 32768u * 48 + 1536);  // 4*100*3 = 1200 bytes
    EXPECT_EQ(split.workspaceBytes, 32768u * 48 + 2 * 1536);
}

void ExpectSoundTiles(const TilingShape& shape, const TilingPlan& plan)
{
    const uint64_t hidden = static_cast<uint64_t>(shape.hiddenSize);
    const uint64_t tile = plan.data.hiddenTileSize;
    EXPECT_EQ(plan.data.hiddenTileNum, (hidden + tile - 1) / tile);
    EXPECT_LT((plan.data.hiddenTileNum - 1) * tile, hidden);
    if (plan.hMode == TPL_H_MODE_FULL) {
        EXPECT_EQ(tile, hidden);
        EXPECT_EQ(plan.tilingKey, 0u);
        EXPECT_LE(plan.requiredFull, plan.available);
    } else {
        EXPECT_EQ(plan.tilingKey, 1u);
        EXPECT_GT(plan.requiredFull, plan.available);
    }
}

void ExpectSoundBuffers(const TilingShape& shape, const TilingPlan& plan)
{
    uint64_t sum = 0;
    for (const UbBuffer& buffer : plan.buffers) {
        EXPECT_EQ(buffer.bytes % 32, 0u) << buffer.name;
        EXPECT_GT(buffer.count, 0u) << buffer.name;
        sum += buffer.count * buffer.bytes;
    }
    EXPECT_EQ(sum, plan.ubBytesUsed);
    EXPECT_EQ(plan.data.ubBytesUsed, plan.ubBytesUsed);
    EXPECT_LE(plan.ubBytesUsed, plan.available);
    EXPECT_GE(plan.data.streamBuffers, 1u);
    EXPECT_LE(plan.data.residentRows, static_cast<uint64_t>(shape.numBlocks) + 1);
}

void ExpectSoundWorkspace(const TilingShape& shape, const TilingPlan& plan)
{
    const uint64_t partialBytes = plan.data.perCoreWkspBytes * plan.data.coreNum;
    EXPECT_GE(plan.data.perCoreWkspBytes, 4 * static_cast<uint64_t>(shape.hiddenSize));
    EXPECT_EQ(plan.data.perCoreWkspBytes % 512, 0u);
    if (plan.hMode == TPL_H_MODE_FULL) {
        EXPECT_EQ(plan.workspaceBytes, partialBytes);
        return;
    }
    const uint64_t areaBytes = 4 * plan.data.batchSize * plan.data.totalBlocks;
    EXPECT_EQ(plan.data.gradScoresWkspOff, partialBytes);
    EXPECT_GE(plan.data.varianceScaleWkspOff, partialBytes + areaBytes);
    EXPECT_GE(plan.workspaceBytes, plan.data.varianceScaleWkspOff + areaBytes);
    EXPECT_EQ(plan.workspaceBytes % 512, 0u);
}

struct SweepCase {
    const char* name;
    TilingPlatform platform;
    uint32_t dtypeBytes;
};

class TilingPlanSweepTest : public testing::TestWithParam<SweepCase>
{
};

// Every hidden size near a boundary of 16 and 64, sparse elsewhere.
std::vector<int64_t> SampledHiddenSizes()
{
    std::vector<int64_t> sizes = {1, 2, 3, 7, 15};
    for (int64_t base = 16; base <= 70000; base += 16 + base / 64 * 16) {
        for (const int64_t delta : {-1, 0, 1}) {
            sizes.push_back(base + delta);
        }
    }
    sizes.insert(sizes.end(), {131072, 131072 + 8, 1 << 20});
    return sizes;
}

TEST_P(TilingPlanSweepTest, EveryPlanIsSound)
{
    const SweepCase& sweep = GetParam();
    for (const int64_t hidden : SampledHiddenSizes()) {
        for (const int64_t blocks : {0, 1, 2, 3, 8, 31, 64, 127, 128}) {
            const TilingShape shape = {37, blocks, hidden, sweep.dtypeBytes};
            const TilingPlan plan = PlanOf(shape, sweep.platform);
            ExpectSoundTiles(shape, plan);
            ExpectSoundBuffers(shape, plan);
            ExpectSoundWorkspace(shape, plan);
            int64_t tokens = 1;  // of a core: of short rows on arch35 as many as have 5120 elements, 16 at most
            if (sweep.platform.arch == KernelArch::ARCH35 && hidden * (blocks + 1) <= 1280) {
                tokens = std::min<int64_t>(16, 5120 / (hidden * (blocks + 1)));
            }
            EXPECT_EQ(plan.data.usedCoreNum, static_cast<uint64_t>((37 + tokens - 1) / tokens));
            ASSERT_FALSE(HasFailure()) << sweep.name << " N=" << blocks << " H=" << hidden;
        }
    }
}

TEST_P(TilingPlanSweepTest, OnceSplitStaysSplitAsHiddenSizeGrows)
{
    const SweepCase& sweep = GetParam();
    uint32_t last = TPL_H_MODE_FULL;
    for (int64_t hidden = 1; hidden <= 9000; ++hidden) {
        const uint32_t mode = PlanOf({5, 4, hidden, sweep.dtypeBytes}, sweep.platform).hMode;
        ASSERT_GE(mode, last) << hidden;
        last = mode;
    }
    EXPECT_EQ(last, static_cast<uint32_t>(TPL_H_MODE_SPLIT));
}

TEST_P(TilingPlanSweepTest, TilesAreAlignedAndAsFewAsPossible)
{
    const SweepCase& sweep = GetParam();
    const bool isArch22 = sweep.platform.arch == KernelArch::ARCH22;
    const uint64_t alignment = (isArch22 ? 32 : 256) / sweep.dtypeBytes;
    for (int64_t hidden = 8000; hidden < 60000; hidden += 777) {
        const TilingPlan plan = PlanOf({5, 4, hidden, sweep.dtypeBytes}, sweep.platform);
        ASSERT_EQ(plan.data.hiddenTileSize % alignment, 0u) << hidden;
        // One tile fewer would need a wider tile than UB holds.
        const uint64_t wider = plan.data.hiddenTileSize * plan.data.hiddenTileNum / (plan.data.hiddenTileNum - 1);
        const uint64_t perElement = isArch22 ? 24 + sweep.dtypeBytes : 28 + 4 * sweep.dtypeBytes;
        ASSERT_GT((wider + alignment) * perElement + 4096, plan.available) << hidden;
    }
}

// The published SPLIT formulas once more, as plain arithmetic.
uint64_t SplitBytes(bool isArch22, uint64_t tile, uint64_t totalBlocks, uint64_t dtypeBytes)
{
    const auto up = [](uint64_t step, uint64_t value) { return (value + step - 1) / step * step; };
    return isArch22 ? 6 * up(32, 4 * tile) + up(32, dtypeBytes * tile) + 6 * up(32, 4 * totalBlocks) + 32
                    : 7 * up(256, 4 * tile) + 4 * up(256, dtypeBytes * tile) + 6 * up(256, 4 * totalBlocks) + 192;
}

TEST_P(TilingPlanSweepTest, TileIsTheOneThatASearchFinds)
{
    const SweepCase& sweep = GetParam();
    const bool isArch22 = sweep.platform.arch == KernelArch::ARCH22;
    const uint64_t alignment = (isArch22 ? 32 : 256) / sweep.dtypeBytes;
    for (uint64_t ubBytes = 24576; ubBytes <= 262144; ubBytes += 7333) {
        for (const uint64_t totalBlocks : {1, 9, 65, 129}) {
            uint64_t largest = 0;
            while (SplitBytes(isArch22, largest + alignment, totalBlocks, sweep.dtypeBytes) <= ubBytes - 8192) {
                largest += alignment;
            }
            const uint64_t hidden = 30001;
            const TilingShape shape = {5, static_cast<int64_t>(totalBlocks) - 1, hidden, sweep.dtypeBytes};
            const TilingPlan plan = PlanOf(shape, {sweep.platform.arch, 48, ubBytes});
            const uint64_t tileNum = (hidden + largest - 1) / largest;
            const uint64_t evenTile = (hidden + tileNum - 1) / tileNum;
            ASSERT_EQ(plan.data.hiddenTileSize, std::min(largest, (evenTile + alignment - 1) / alignment * alignment))
                << ubBytes << " " << totalBlocks;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, TilingPlanSweepTest,
                         testing::Values(SweepCase{"arch22_2byte", ARCH22, 2}, SweepCase{"arch22_4byte", ARCH22, 4},
                                         SweepCase{"arch35_2byte", ARCH35, 2}, SweepCase{"arch35_4byte", ARCH35, 4}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(TilingPlanTest, CrossoverDiffersByChip)
{
    EXPECT_EQ(PlanOf({1, 4, 7500, 2}, ARCH22).hMode, static_cast<uint32_t>(TPL_H_MODE_SPLIT));
    EXPECT_EQ(PlanOf({1, 4, 7500, 2}, ARCH35).hMode, static_cast<uint32_t>(TPL_H_MODE_FULL));
}

TEST(TilingPlanTest, SpareUbKeepsRowsThenASecondStreamBuffer)
{
    const uint64_t rowBytes = 2 * 4096;
    const TilingPlan plan = PlanOf({40, 8, 4096, 2}, ARCH22);  // 6*16384 + 8192 + 4*64 + 32 = 106784 bytes needed
    ASSERT_EQ(plan.requiredFull, 106784u);
    EXPECT_EQ(plan.data.residentRows, 9u);
    EXPECT_EQ(plan.data.streamBuffers, 1u);  // 81632 - 9*8192 = 7904 bytes are left
    EXPECT_EQ(plan.ubBytesUsed, 106784 + 9 * rowBytes);
    const TilingPlan fewer = PlanOf({40, 7, 4096, 2}, ARCH22);
    EXPECT_EQ(fewer.data.residentRows, 8u);
    EXPECT_EQ(fewer.data.streamBuffers, 2u);
    const TilingPlan more = PlanOf({40, 20, 4096, 2}, ARCH22);
    EXPECT_EQ(more.data.streamBuffers, 2u);
    EXPECT_EQ(more.data.residentRows, 8u);  // one of nine rows goes to the second stream buffer
}

TEST(TilingPlanTest, Arch22AddsRoomForWorkVectorsWhereRowsAreShort)
{
    // 12 vectors of 256 float32 and two [N1] ones, less what the rows of 64 hold.
    EXPECT_EQ(PlanOf({8, 4, 64, 2}, ARCH22).data.extraWorkBytes, 12288u + 2 * 32 - 256);
    EXPECT_EQ(PlanOf({40, 4, 3088, 2}, ARCH22).data.extraWorkBytes, 0u);
    EXPECT_EQ(PlanOf({8, 4, 64, 2}, ARCH35).data.extraWorkBytes, 0u);
    const uint64_t required = PlanOf({8, 4, 64, 2}, ARCH22).requiredFull;
    EXPECT_EQ(PlanOf({8, 4, 64, 2}, {KernelArch::ARCH22, 48, 8192 + required + 96}).data.extraWorkBytes, 96u);
}

TEST(TilingPlanTest, SpareUbOfSplitGoesToStreamBuffers)
{
    const TilingPlan plan = PlanOf({40, 2, 8192, 2}, ARCH22);
    const uint64_t base = 6 * 4 * 4096 + 2 * 4096 + 6 * 32 + 32;
    EXPECT_EQ(plan.data.residentRows, 0u);
    EXPECT_EQ(plan.data.streamBuffers, 4u);
    EXPECT_EQ(plan.ubBytesUsed, base + 3 * 2 * 4096);
}

TEST(TilingPlanTest, Arch35KeepsRowsInTheModelsFreeBuffers)
{
    // 4 copy buffers and, for 2 bytes, two float32 rows (4 rows of values); 15104 bytes are left, one more row.
    const TilingPlan narrow = PlanOf({512, 8, 7168, 2}, ARCH35);
    EXPECT_EQ(narrow.data.extraRowBuffers, 1u);
    EXPECT_EQ(narrow.data.residentRows, 7u);
    EXPECT_EQ(narrow.data.streamBuffers, 2u);
    EXPECT_EQ(narrow.ubBytesUsed, narrow.requiredFull + 2 * 7168);
    // float32 has one free row of values: 4 + 1 + 1.
    const TilingPlan wide = PlanOf({512, 8, 5632, 4}, ARCH35);
    EXPECT_EQ(wide.data.extraRowBuffers, 0u);
    EXPECT_EQ(wide.data.residentRows, 3u);
    // All rows and two for streaming: nothing more is taken.
    const TilingPlan all = PlanOf({2048, 8, 4096, 2}, ARCH35);
    EXPECT_EQ(all.data.residentRows, 9u);
    EXPECT_EQ(all.data.streamBuffers, 2u);
    EXPECT_EQ(all.ubBytesUsed, all.requiredFull + 3 * 2 * 4096);
}

TEST(TilingPlanTest, Arch35FindsRoomForTheLowPartsOfScores)
{
    EXPECT_EQ(PlanOf({1, 31, 1, 2}, ARCH35).data.scoreLowParts, SCORE_LOW_PARTS_PACKED);
    EXPECT_EQ(PlanOf({1, 32, 65, 2}, ARCH35).data.scoreLowParts, SCORE_LOW_PARTS_IN_SCRATCH);
    EXPECT_EQ(PlanOf({1, 32, 64, 2}, ARCH35).data.scoreLowParts, SCORE_LOW_PARTS_OWN);
    const uint64_t required = PlanOf({1, 128, 1, 2}, ARCH35).requiredFull;
    const TilingPlan tight = PlanOf({1, 128, 1, 2}, {KernelArch::ARCH35, 64, 8192 + required});
    EXPECT_EQ(tight.data.scoreLowParts, SCORE_LOW_PARTS_NONE);
    EXPECT_EQ(tight.ubBytesUsed, required);
}

TEST(TilingPlanTest, CustomCoresAndUb)
{
    const TilingPlan plan = PlanOf({100, 4, 1024, 4}, {KernelArch::ARCH35, 7, 65536});
    EXPECT_EQ(plan.available, 57344u);
    EXPECT_EQ(plan.data.coreNum, 7u);
    EXPECT_EQ(plan.blockDim, 7u);
    EXPECT_EQ(PlanOf({3, 4, 1024, 4}, {KernelArch::ARCH35, 7, 65536}).blockDim, 3u);
    // The smallest UB that holds one 16-element tile of arch22: 6*64 + 32 + 6*32 + 32 bytes beyond the reserve.
    EXPECT_EQ(PlanOf({1, 0, 64, 2}, {KernelArch::ARCH22, 1, 8192 + 640}).data.hiddenTileSize, 16u);
}

TEST(TilingPlanTest, OffsetsBeyondTwoToThe31AreExact)
{
    const int64_t tokens = (int64_t{1} << 23) + 16;
    const TilingPlan plan = PlanOf({tokens, 1, 256, 2}, ARCH22);
    EXPECT_EQ(plan.data.batchSize, (uint64_t{1} << 23) + 16);
    EXPECT_EQ(plan.data.usedCoreNum, 48u);
    EXPECT_EQ((plan.data.batchSize - 1) * plan.data.numBlocks * plan.data.hiddenSize, (uint64_t{1} << 31) + 3840);
}

TEST(TilingPlanTest, WorkspaceBeyondTwoToThe32IsExact)
{
    const TilingPlan plan = PlanOf({int64_t{1} << 26, 16, 8192, 2}, ARCH22);
    const uint64_t areaBytes = (uint64_t{1} << 28) * 17;
    EXPECT_EQ(plan.data.varianceScaleWkspOff - plan.data.gradScoresWkspOff, areaBytes);
    EXPECT_EQ(plan.workspaceBytes, uint64_t{32768} * 48 + 2 * areaBytes);
    const TilingPlan wide = PlanOf({1, 0, int64_t{1} << 40, 4}, ARCH35);
    EXPECT_EQ(wide.data.perCoreWkspBytes, uint64_t{1} << 42);
    EXPECT_EQ(wide.data.gradScoresWkspOff, uint64_t{1} << 48);
}

TEST(TilingPlanTest, RefusesShapesOutOfRange)
{
    const std::string limit = std::to_string(MAX_VALUE_ELEMENTS);
    EXPECT_EQ(ErrorOf({0, 1, 16, 2}, ARCH22), "token count T is 0, expected 1 to " + limit);
    EXPECT_EQ(ErrorOf({-1, 1, 16, 2}, ARCH22), "token count T is -1, expected 1 to " + limit);
    EXPECT_EQ(ErrorOf({1, -1, 16, 2}, ARCH22), "block count N is -1, expected 0 to 128");
    EXPECT_EQ(ErrorOf({1, 129, 16, 2}, ARCH22), "block count N is 129, expected 0 to 128");
    EXPECT_EQ(ErrorOf({1, 1, 0, 2}, ARCH22), "hidden size H is 0, expected 1 to " + limit);
    EXPECT_EQ(ErrorOf({1, 1, 16, 8}, ARCH22), "element size of the main dtype is 8 bytes, expected 2 or 4");
    EXPECT_EQ(ErrorOf({int64_t{1} << 40, 1, int64_t{1} << 20, 2}, ARCH22),
              "T*(N+1)*H with T=1099511627776, N=1, H=1048576 exceeds the limit of " + limit + " elements");
}

TEST(TilingPlanTest, RefusesPlatformsThatCannotRun)
{
    const TilingShape shape = {4, 2, 64, 2};
    EXPECT_EQ(ErrorOf(shape, {KernelArch::ARCH22, 0, 196608}),
              "AIV core count of the platform is 0, expected at least 1");
    EXPECT_EQ(ErrorOf(shape, {KernelArch::ARCH22, 48, 0}),
              "UB size of the platform is 0 bytes, expected more than the 8192 that are reserved");
    EXPECT_EQ(ErrorOf(shape, {KernelArch::ARCH35, 48, 8192}),
              "UB size of the platform is 8192 bytes, expected more than the 8192 that are reserved");
    EXPECT_EQ(
        ErrorOf(shape, {KernelArch::ARCH22, 48, 8192 + 639}),
        "UB size of the platform is 8831 bytes (639 available): no tile of H=64 with N=2 and 2-byte elements fits, "
        "not even one of 16 elements");
    EXPECT_EQ(ErrorOf(shape, {static_cast<KernelArch>(1), 48, 196608}), "NPU architecture is 1, expected 2201 or 3510");
}

TEST(TilingPlanTest, RefusesAWorkspaceBeyond64Bits)
{
    EXPECT_EQ(ErrorOf({1, 0, MAX_VALUE_ELEMENTS, 2}, {KernelArch::ARCH22, 100000, 196608}),
              "workspace of 100000 cores with T=1, N=0, H=72057594037927936 does not fit in 64 bits");
}

TEST(TilingPlanTest, LargestShapesNeverWrap)
{
    for (const TilingPlatform& platform : {ARCH22, ARCH35}) {
        for (const uint32_t dtypeBytes : DTYPE_BYTES) {
            const TilingPlan tall = PlanOf({MAX_VALUE_ELEMENTS, 0, 1, dtypeBytes}, platform);
            EXPECT_EQ(tall.data.batchSize, static_cast<uint64_t>(MAX_VALUE_ELEMENTS));
            const TilingPlan wide =
                PlanOf({1, 0, MAX_VALUE_ELEMENTS, dtypeBytes}, {platform.arch, 32, platform.ubBytes});
            EXPECT_GT(wide.requiredFull, static_cast<uint64_t>(MAX_VALUE_ELEMENTS) * 24);
            EXPECT_GE(wide.data.hiddenTileNum * wide.data.hiddenTileSize, static_cast<uint64_t>(MAX_VALUE_ELEMENTS));
        }
    }
}

TEST(TilingPlanTest, NamesPathsAndArchitectures)
{
    EXPECT_STREQ(PathName(TPL_H_MODE_FULL), "FULL_H");
    EXPECT_STREQ(PathName(TPL_H_MODE_SPLIT), "SPLIT_H");
    EXPECT_STREQ(ArchName(KernelArch::ARCH22), "arch22");
    EXPECT_STREQ(ArchName(KernelArch::ARCH35), "arch35");
    EXPECT_EQ(ArchName(static_cast<KernelArch>(0)), nullptr);
}

}  // namespace
}  // namespace optiling
