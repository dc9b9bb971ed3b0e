// Contract under test: a dimension comes from the first input that knows it, two that know it must agree, and a
// sentence names both when they do not.

#include "op_host/block_attention_residuals_grad/shape_relations.h"

#include <string>

#include "graph/types.h"
#include "gtest/gtest.h"

namespace optiling
{
namespace
{

const gert::Shape UNKNOWN_RANK = {ge::UNKNOWN_DIM_NUM};

class ShapeRelationsTest : public testing::Test
{
protected:
    bool Resolve()
    {
        std::array<const gert::Shape*, INPUT_NUM> pointers = {};
        for (size_t i = 0; i < INPUT_NUM; ++i) {
            pointers[i] = &shapes_[i];
        }
        return ResolveDims(INPUT_LAYOUTS.data(), pointers.data(), INPUT_NUM, &dims_, &error_);
    }

    void ExpectRefused(const std::string& error)
    {
        EXPECT_FALSE(Resolve());
        EXPECT_EQ(error_, error);
    }

    // T=6, N=3, H=64
    std::array<gert::Shape, INPUT_NUM> shapes_ = {
        gert::Shape{6, 64}, {6, 3, 64}, {1, 64}, {64}, {6, 64}, {6, 4}, {6, 4},
    };
    ResolvedDims dims_ = {};
    std::string error_;
};

TEST_F(ShapeRelationsTest, AgreeingShapesGiveTheirDimensions)
{
    ASSERT_TRUE(Resolve()) << error_;
    EXPECT_EQ(dims_.tokens, 6);
    EXPECT_EQ(dims_.blocks, 3);
    EXPECT_EQ(dims_.hidden, 64);
    EXPECT_EQ(ShapeOf(OUTPUT_LAYOUTS[0], dims_), gert::Shape({6, 64}));
    EXPECT_EQ(ShapeOf(OUTPUT_LAYOUTS[1], dims_), gert::Shape({6, 3, 64}));
    EXPECT_EQ(ShapeOf(OUTPUT_LAYOUTS[2], dims_), gert::Shape({1, 64}));
    EXPECT_EQ(ShapeOf(OUTPUT_LAYOUTS[3], dims_), gert::Shape({64}));
}

TEST_F(ShapeRelationsTest, DimensionsComeFromWhoeverKnowsThem)
{
    shapes_[0] = UNKNOWN_RANK;
    shapes_[1] = {-1, -1, -1};
    shapes_[2] = {1, -1};
    shapes_[3] = {64};
    shapes_[4] = UNKNOWN_RANK;
    shapes_[5] = {-1, 4};
    shapes_[6] = {6, -1};
    ASSERT_TRUE(Resolve()) << error_;
    EXPECT_EQ(ShapeOf(OUTPUT_LAYOUTS[1], dims_), gert::Shape({6, 3, 64}));
}

TEST_F(ShapeRelationsTest, WhatNobodyKnowsStaysUnknown)
{
    shapes_.fill(UNKNOWN_RANK);
    ASSERT_TRUE(Resolve()) << error_;
    EXPECT_EQ(ShapeOf(OUTPUT_LAYOUTS[1], dims_), gert::Shape({-1, -1, -1}));
    EXPECT_EQ(ShapeOf(OUTPUT_LAYOUTS[2], dims_), gert::Shape({1, -1}));
}

TEST_F(ShapeRelationsTest, EmptyTensorsAreShapesToo)
{
    shapes_ = {gert::Shape{0, 0}, {0, 0, 0}, {1, 0}, {0}, {0, 0}, {0, 1}, {0, 1}};
    ASSERT_TRUE(Resolve()) << error_;
    EXPECT_EQ(ShapeOf(OUTPUT_LAYOUTS[1], dims_), gert::Shape({0, 0, 0}));
}

TEST_F(ShapeRelationsTest, RefusesEveryDisagreementWithBothPlaces)
{
    struct Fault {
        size_t input;
        size_t axis;
        int64_t value;
        const char* error;
    };
    const Fault faults[] = {
        {1, 0, 7, "block_res.shape[0] (7) does not match partial_block.shape[0] (6)"},
        {1, 1, 4, "inv_norm.shape[1] (4) does not match block_res.shape[1] (4) + 1"},
        {1, 2, 63, "block_res.shape[2] (63) does not match partial_block.shape[1] (64)"},
        {2, 1, 63, "proj_weight.shape[1] (63) does not match partial_block.shape[1] (64)"},
        {3, 0, 63, "norm_weight.shape[0] (63) does not match partial_block.shape[1] (64)"},
        {4, 0, 5, "grad_hidden_states.shape[0] (5) does not match partial_block.shape[0] (6)"},
        {4, 1, 63, "grad_hidden_states.shape[1] (63) does not match partial_block.shape[1] (64)"},
        {5, 0, 5, "inv_norm.shape[0] (5) does not match partial_block.shape[0] (6)"},
        {5, 1, 5, "inv_norm.shape[1] (5) does not match block_res.shape[1] (3) + 1"},
        {6, 0, 5, "probs.shape[0] (5) does not match partial_block.shape[0] (6)"},
        {6, 1, 3, "probs.shape[1] (3) does not match block_res.shape[1] (3) + 1"},
    };
    const auto good = shapes_;
    for (const Fault& fault : faults) {
        shapes_ = good;
        shapes_[fault.input].SetDim(fault.axis, fault.value);
        ExpectRefused(fault.error);
    }
    shapes_ = good;
    shapes_[1] = UNKNOWN_RANK;
    shapes_[6] = {6, 5};
    ExpectRefused("probs.shape[1] (5) does not match inv_norm.shape[1] (4)");
}

TEST_F(ShapeRelationsTest, RefusesValuesOutOfRange)
{
    shapes_[2] = {2, 64};
    ExpectRefused("proj_weight.shape[0] is 2, expected 1");
    shapes_[2] = {1, 64};
    shapes_[1] = {6, 129, 64};
    ExpectRefused("block_res.shape[1] is 129, expected 0 to 128");
    shapes_[1] = UNKNOWN_RANK;
    shapes_[5] = {6, 0};
    ExpectRefused("inv_norm.shape[1] is 0, expected 1 to 129");
    shapes_[5] = {6, -3};
    ExpectRefused("inv_norm.shape[1] is -3, expected -1 or more");
}

TEST_F(ShapeRelationsTest, RefusesEveryWrongRank)
{
    const auto good = shapes_;
    for (size_t i = 0; i < INPUT_NUM; ++i) {
        shapes_ = good;
        shapes_[i].AppendDim(1);
        ExpectRefused(std::string(INPUT_LAYOUTS[i].name) + " has rank " + std::to_string(good[i].GetDimNum() + 1) +
                      ", expected " + std::to_string(good[i].GetDimNum()));
    }
}

}  // namespace
}  // namespace optiling
