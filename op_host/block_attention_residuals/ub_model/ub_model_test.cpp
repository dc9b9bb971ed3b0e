// Contract under test: the buffers of a model add up to the formula of its path, written here a second time as plain
// arithmetic, for a grid of sizes; all are whole data blocks, and a bigger shape never takes fewer bytes.

#include "op_host/block_attention_residuals/ub_model/ub_model.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "op_host/block_attention_residuals/ub_model/arch22_ub_model.h"
#include "op_host/block_attention_residuals/ub_model/arch35_ub_model.h"

namespace optiling
{
namespace block_attention_residuals
{
namespace
{

uint64_t Up(uint64_t step, uint64_t value)
{
    return value % step == 0 ? value : value + step - value % step;
}

// Scores, and four vectors of an eighth of the row.
uint64_t Arch22Rest(uint64_t width, uint64_t n1)
{
    const uint64_t lanes = std::max<uint64_t>(512, Up(64, width / 8 + (width % 8 == 0 ? 0 : 1)));
    return 2 * Up(32, 4 * n1) + 5 * Up(256, 4 * n1) + 512 + 16 * lanes + 4096;
}

struct Formula {
    const char* arch;
    const UbModel& model;
    uint64_t (*full)(uint64_t h, uint64_t n1, uint64_t dt, uint64_t tokens, uint64_t sets);
    uint64_t (*split)(uint64_t t, uint64_t n1, uint64_t dt);
};

const Formula FORMULAS[] = {
    {"arch22", arch22::GetUbModel(),
     [](uint64_t h, uint64_t n1, uint64_t dt, uint64_t tokens, uint64_t sets) {
         return Up(32, 4 * h) + sets * tokens * n1 * Up(32, dt * h) + Arch22Rest(h, n1);
     },
     [](uint64_t t, uint64_t n1, uint64_t dt) {
         return (dt == 4 ? 3 : 2) * Up(32, 4 * t) + 6 * Up(32, dt * t) + Arch22Rest(t, n1);
     }},
    {"arch35", arch35::GetUbModel(),
     [](uint64_t h, uint64_t n1, uint64_t dt, uint64_t tokens, uint64_t sets) {
         const uint64_t pitch = tokens == 1 ? 1 : Up(8, tokens);
         return (dt == 4 ? 2 : 1) * Up(256, 4 * h) + sets * tokens * n1 * dt * Up(16, h) +
                2 * Up(256, 4 * tokens * n1) + 4 * (Up(256, 4 * pitch * (n1 - 1)) + 256);
     },
     [](uint64_t t, uint64_t n1, uint64_t dt) {
         return (dt == 4 ? 4 : 2) * Up(256, 4 * t) + 6 * Up(256, dt * t) + 2 * Up(256, 4 * n1) +
                4 * (Up(256, 4 * (n1 - 1)) + 256);
     }},
};

constexpr uint64_t SIZES[] = {1, 2, 7, 15, 16, 17, 63, 64, 65, 127, 520, 1168, 4096, 7186, 16384, uint64_t{1} << 40};

TEST(UbModelTest, BuffersAddUpToTheFormulas)
{
    for (const Formula& formula : FORMULAS) {
        for (const uint32_t dt : {2u, 4u}) {
            for (const uint64_t n1 : {1u, 2u, 9u, 129u}) {
                for (const uint64_t h : SIZES) {
                    for (const uint64_t tokens : {1u, 2u, 9u, 64u}) {
                        for (const uint64_t sets : {1u, 2u}) {
                            EXPECT_EQ(SumBytes(formula.model.fullBuffers({h, n1, dt}, tokens, sets)),
                                      formula.full(h, n1, dt, tokens, sets))
                                << formula.arch << " H=" << h << " N1=" << n1 << " dt=" << dt << " tokens=" << tokens;
                        }
                    }
                    EXPECT_EQ(SumBytes(formula.model.splitBuffers(h, n1, dt)), formula.split(h, n1, dt))
                        << formula.arch << " t=" << h << " N1=" << n1 << " dt=" << dt;
                }
            }
        }
    }
}

TEST(UbModelTest, BuffersAreWholeDataBlocks)
{
    for (const Formula& formula : FORMULAS) {
        for (const uint64_t h : SIZES) {
            for (const UbBuffer& buffer : formula.model.fullBuffers({h, 9, 2}, 3, 2)) {
                EXPECT_EQ(buffer.bytes % 32, 0u) << formula.arch << " " << buffer.name;
            }
            for (const UbBuffer& buffer : formula.model.splitBuffers(h, 9, 4)) {
                EXPECT_EQ(buffer.bytes % 32, 0u) << formula.arch << " " << buffer.name;
            }
        }
    }
}

TEST(UbModelTest, BytesPerElementAreThoseOfATile)
{
    for (const Formula& formula : FORMULAS) {
        for (const uint32_t dt : {2u, 4u}) {
            const uint64_t step = formula.model.tileAlignment(dt);
            EXPECT_EQ(formula.split(64 * step, 5, dt) - formula.split(0, 5, dt),
                      64 * step * formula.model.splitBytesPerElement(dt))
                << formula.arch;
        }
    }
}

}  // namespace
}  // namespace block_attention_residuals
}  // namespace optiling
