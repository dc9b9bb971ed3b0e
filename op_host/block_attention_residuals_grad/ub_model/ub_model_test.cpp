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
    EXPECT_STREQ(formula.model.archName, GetParam());
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

INSTANTIATE_TEST_SUITE_P(Archs, UbModelTest, testing::Values("arch22", "arch35"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace optiling
