// Contract under test: the buffers of a model add up to the published formula of its path, written here a second time
// as plain arithmetic, for all sizes; and a bigger shape never takes fewer bytes.

#include "op_host/block_attention_residuals_grad/ub_model/ub_model.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "op_host/block_attention_residuals_grad/ub_model/arch22_ub_model.h"
#include "op_host/block_attention_residuals_grad/ub_model/arch35_ub_model.h"

namespace optiling
{
namespace
{

uint64_t Up(uint64_t step, uint64_t value)
{
    return value % step == 0 ? value : value + step - value % step;
}

struct Formula {
    const UbModel& model;
    uint64_t (*full)(uint64_t h, uint64_t n1, uint64_t dt);
    uint64_t (*split)(uint64_t t, uint64_t n1, uint64_t dt);
    uint64_t (*fullRow)(uint64_t h, uint64_t dt);
    uint64_t (*splitRow)(uint64_t t, uint64_t dt);
    uint64_t bufferAlignment;
};

Formula Arch22()
{
    return {arch22::GetUbModel(),
            [](uint64_t h, uint64_t n1, uint64_t dt) {
                const uint64_t row = std::max<uint64_t>(h, 64);
                return 6 * Up(32, 4 * row) + Up(32, dt * row) + 4 * Up(32, 4 * n1) + 32;
            },
            [](uint64_t t, uint64_t n1, uint64_t dt) {
                return 6 * Up(32, 4 * t) + Up(32, dt * t) + 6 * Up(32, 4 * n1) + 32;
            },
            [](uint64_t h, uint64_t dt) { return Up(32, dt * std::max<uint64_t>(h, 64)); },
            [](uint64_t t, uint64_t dt) { return Up(32, dt * t); },
            32};
}

Formula Arch35()
{
    return {arch35::GetUbModel(),
            [](uint64_t h, uint64_t n1, uint64_t dt) {
                return 6 * Up(256, 4 * h) + 4 * dt * Up(16, h) + 4 * Up(256, 4 * n1) + 192;
            },
            [](uint64_t t, uint64_t n1, uint64_t dt) {
                return 7 * Up(256, 4 * t) + 4 * Up(256, dt * t) + 6 * Up(256, 4 * n1) + 192;
            },
            [](uint64_t h, uint64_t dt) { return dt * Up(16, h); },
            [](uint64_t t, uint64_t dt) { return Up(256, dt * t); },
            32};
}

class UbModelTest : public testing::TestWithParam<const char*>
{
protected:
    Formula Get() const
    {
        return std::string(GetParam()) == "arch22" ? Arch22() : Arch35();
    }
};

TEST_P(UbModelTest, BuffersAddUpToTheFormula)
{
    const Formula formula = Get();
    for (const uint32_t dt : {2u, 4u}) {
        for (uint64_t n1 = 1; n1 <= 129; ++n1) {
            for (uint64_t h = 1; h <= 70000; h += 1 + h / 7) {
                ASSERT_EQ(SumBytes(formula.model.fullBuffers(h, n1, dt)), formula.full(h, n1, dt)) << h << " " << n1;
                ASSERT_EQ(SumBytes(formula.model.splitBuffers(h, n1, dt)), formula.split(h, n1, dt)) << h << " " << n1;
                ASSERT_EQ(formula.model.fullRowBytes(h, dt), formula.fullRow(h, dt)) << h;
                ASSERT_EQ(formula.model.splitRowBytes(h, dt), formula.splitRow(h, dt)) << h;
            }
        }
    }
}

TEST_P(UbModelTest, EveryBufferIsAlignedAndNamedOnce)
{
    const Formula formula = Get();
    for (const uint32_t dt : {2u, 4u}) {
        for (const uint64_t size : {1u, 17u, 64u, 1168u}) {
            for (const auto& buffers :
                 {formula.model.fullBuffers(size, 5, dt), formula.model.splitBuffers(size, 5, dt)}) {
                std::set<std::string> names;
                for (const UbBuffer& buffer : buffers) {
                    EXPECT_TRUE(names.insert(buffer.name).second) << buffer.name;
                    EXPECT_GT(buffer.bytes, 0u) << buffer.name;
                    EXPECT_EQ(buffer.bytes % formula.bufferAlignment, 0u) << buffer.name << " at " << size;
                }
            }
        }
    }
}

TEST_P(UbModelTest, GrowsWithHiddenSizeAndBlocks)
{
    const Formula formula = Get();
    for (const uint32_t dt : {2u, 4u}) {
        for (uint64_t h = 1; h < 3000; ++h) {
            ASSERT_LE(SumBytes(formula.model.fullBuffers(h, 9, dt)), SumBytes(formula.model.fullBuffers(h + 1, 9, dt)));
            ASSERT_LE(SumBytes(formula.model.splitBuffers(h, 9, dt)),
                      SumBytes(formula.model.splitBuffers(h + 1, 9, dt)));
        }
        for (uint64_t n1 = 1; n1 < 129; ++n1) {
            ASSERT_LE(SumBytes(formula.model.fullBuffers(64, n1, dt)),
                      SumBytes(formula.model.fullBuffers(64, n1 + 1, dt)));
        }
    }
}

TEST_P(UbModelTest, TileAlignmentAndBytesPerElement)
{
    const Formula formula = Get();
    const bool isArch22 = std::string(GetParam()) == "arch22";
    EXPECT_EQ(formula.model.tileAlignment(2), isArch22 ? 16u : 128u);
    EXPECT_EQ(formula.model.tileAlignment(4), isArch22 ? 8u : 64u);
    EXPECT_EQ(formula.model.splitBytesPerElement(2), isArch22 ? 26u : 36u);
    EXPECT_EQ(formula.model.splitBytesPerElement(4), isArch22 ? 28u : 44u);
}

// The buffers of a batch once more, as plain arithmetic.
uint64_t BatchBytes(bool isArch22, uint64_t h, uint64_t n1, uint64_t dt, uint64_t tokens)
{
    if (!isArch22) {
        return tokens * ((n1 + 1) * dt * Up(16, h) + Up(256, 4 * h)) + 2 * Up(256, 4 * tokens * n1) + 256 +
               4 * n1 * 256;
    }
    const uint64_t lanes = Up(64, h);
    const uint64_t groupLanes = 512 / lanes * lanes;
    const uint64_t scores = n1 * Up(32, 4 * tokens);
    return tokens * lanes * ((n1 + 1) * dt + (dt == 4 ? 8 : 4)) +
           6 * (4 * groupLanes - Up(32, 4 * std::max<uint64_t>(h, 64))) + 4 * (scores - Up(32, 4 * n1)) + 3 * scores +
           Up(32, 4 * tokens) - 32;
}

TEST_P(UbModelTest, BatchesAddUpToTheFormula)
{
    const Formula formula = Get();
    const bool isArch22 = std::string(GetParam()) == "arch22";
    uint64_t batches = 0;
    for (const uint32_t dt : {2u, 4u}) {
        for (const uint64_t n1 : {1u, 2u, 8u, 9u, 32u, 129u}) {
            for (const uint64_t h : {1u, 63u, 64u, 65u, 130u, 192u, 256u}) {
                const uint64_t most = formula.model.maxBatchTokens(h, n1);
                for (uint64_t tokens = 2; tokens <= most; ++tokens, ++batches) {
                    const auto buffers = formula.model.batchBuffers(h, n1, dt, tokens);
                    ASSERT_EQ(SumBytes(buffers), BatchBytes(isArch22, h, n1, dt, tokens)) << h << " " << n1;
                    for (const UbBuffer& buffer : buffers) {
                        ASSERT_GT(buffer.bytes, 0u) << buffer.name;
                        ASSERT_EQ(buffer.bytes % 32, 0u) << buffer.name;
                    }
                }
            }
        }
    }
    EXPECT_GT(batches, 100u);
}

TEST_P(UbModelTest, BatchesAreForShortRowsOfFewBlocks)
{
    const Formula formula = Get();
    const bool isArch22 = std::string(GetParam()) == "arch22";
    EXPECT_EQ(formula.model.maxBatchTokens(64, 5), 64u);
    EXPECT_EQ(formula.model.maxBatchTokens(256, 9), isArch22 ? 56u : 64u);
    EXPECT_EQ(formula.model.maxBatchTokens(256, 64), isArch22 ? 8u : 64u);
    EXPECT_EQ(formula.model.maxBatchTokens(256, 65), isArch22 ? 0u : 64u);
    EXPECT_EQ(formula.model.maxBatchTokens(257, 5), isArch22 ? 0u : 64u);
    // 12 work vectors and the scores' low parts, less one row.
    EXPECT_EQ(formula.model.fullExtraWorkBytes(64, 5, 64), isArch22 ? 12u * 2048 + 2 * 1280 - 2048 : 0u);
    EXPECT_EQ(formula.model.fullExtraWorkBytes(130, 9, 1), isArch22 ? 12288u + 2 * 64 - 544 : 0u);
}

INSTANTIATE_TEST_SUITE_P(Archs, UbModelTest, testing::Values("arch22", "arch35"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace optiling
