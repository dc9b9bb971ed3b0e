// Every check of phase 1, for every tensor it concerns: code, message, order, and outputs left alone.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_block_attention_residuals.h"
#include "op_host/block_attention_residuals/op_api/aclnn_call.h"
#include "opdev/op_errno.h"

namespace op_api
{
namespace block_attention_residuals
{
namespace
{

constexpr uint64_t UNTOUCHED_SIZE = 77;
aclOpExecutor* const UNTOUCHED_EXECUTOR = reinterpret_cast<aclOpExecutor*>(&aclnnBlockAttentionResiduals);

enum Tensor : size_t { PARTIAL_BLOCK, BLOCK_RES, PROJ_WEIGHT, NORM_WEIGHT, HIDDEN_STATES, INV_NORM, PROBS };

class ForwardParamChecks : public testing::Test
{
protected:
    ForwardParamChecks() : call(2, 4, 64, ACL_FLOAT16)
    {
    }

    // Phase 1 must refuse the call with this code and message, and touch nothing.
    void Refuses(int32_t code, const std::string& message, size_t nullTensor = AclnnCall::NO_TENSOR)
    {
        call.workspaceSize = UNTOUCHED_SIZE;
        call.executor = UNTOUCHED_EXECUTOR;
        EXPECT_EQ(call.PhaseOne(nullTensor), code) << message;
        EXPECT_EQ(std::string(aclGetRecentErrMsg()), message);
        EXPECT_EQ(call.workspaceSize, UNTOUCHED_SIZE) << message;
        EXPECT_EQ(call.executor, UNTOUCHED_EXECUTOR) << message;
    }

    AclnnCall call;
};

TEST_F(ForwardParamChecks, NullTensors)
{
    for (size_t i = 0; i < TENSOR_COUNT; ++i) {
        Refuses(ACLNN_ERR_PARAM_NULLPTR, call.specs[i].name + " is null: expected a tensor", i);
    }
}

TEST_F(ForwardParamChecks, NullOutputs)
{
    aclOpExecutor* executor = UNTOUCHED_EXECUTOR;
    uint64_t size = UNTOUCHED_SIZE;
    EXPECT_EQ(aclnnBlockAttentionResidualsGetWorkspaceSize(nullptr, nullptr, nullptr, nullptr, -1, 1e-6, true, nullptr,
                                                           nullptr, nullptr, nullptr, &executor),
              ACLNN_ERR_PARAM_NULLPTR);
    EXPECT_STREQ(aclGetRecentErrMsg(), "workspaceSize is null: expected an address");
    EXPECT_EQ(aclnnBlockAttentionResidualsGetWorkspaceSize(nullptr, nullptr, nullptr, nullptr, -1, 1e-6, true, nullptr,
                                                           nullptr, nullptr, &size, nullptr),
              ACLNN_ERR_PARAM_NULLPTR);
    EXPECT_STREQ(aclGetRecentErrMsg(), "executor is null: expected an address");
}

TEST_F(ForwardParamChecks, DataTypes)
{
    for (size_t i = 0; i < TENSOR_COUNT; ++i) {
        const aclDataType right = call.specs[i].dtype;
        call.specs[i].dtype = ACL_INT32;
        std::string expected = "DT_FLOAT16, that of partialBlock";
        if (i == PARTIAL_BLOCK) {
            expected = "DT_FLOAT16, DT_BF16 or DT_FLOAT";
        } else if (i == INV_NORM || i == PROBS) {
            expected = "DT_FLOAT";
        }
        Refuses(ACLNN_ERR_PARAM_INVALID, call.specs[i].name + " has data type DT_INT32: expected " + expected);
        call.specs[i].dtype = right;
    }
}

TEST_F(ForwardParamChecks, FormatsAndRanks)
{
    for (TensorSpec& spec : call.specs) {
        spec.format = ACL_FORMAT_NCHW;
        Refuses(ACLNN_ERR_PARAM_INVALID, spec.name + " has format NCHW: expected ND");
        spec.format = ACL_FORMAT_ND;
        const std::vector<int64_t> right = spec.dims;
        const std::string expected = spec.name == "projWeight" ? "1 or 2" : std::to_string(right.size());
        spec.dims.push_back(1);
        Refuses(ACLNN_ERR_PARAM_INVALID,
                spec.name + " has " + std::to_string(right.size() + 1) + " dimensions: expected " + expected);
        spec.dims.clear();
        Refuses(ACLNN_ERR_PARAM_INVALID, spec.name + " has 0 dimensions: expected " + expected);
        spec.dims = right;
    }
}

TEST_F(ForwardParamChecks, Attributes)
{
    for (const int64_t refused : {int64_t{0}, int64_t{3}, int64_t{5}, int64_t{-2}, INT64_MAX, INT64_MIN}) {
        call.validBlockNum = refused;
        Refuses(ACLNN_ERR_PARAM_INVALID,
                "validBlockNum is " + std::to_string(refused) + ": expected -1 or 4, blockRes.shape[1]");
    }
    call.validBlockNum = 4;
    // The last two are 0 and infinite as float32.
    for (const double refused : {0.0, -1e-6, HUGE_VAL, -HUGE_VAL, std::nan(""), 1e-60, 1e60}) {
        call.normEps = refused;
        EXPECT_EQ(call.PhaseOne(), ACLNN_ERR_PARAM_INVALID) << refused;
        EXPECT_NE(std::string(aclGetRecentErrMsg()).find(": expected a finite float32 above 0"), std::string::npos)
            << aclGetRecentErrMsg();
    }
    call.normEps = -0.25;
    Refuses(ACLNN_ERR_PARAM_INVALID, "normEps is -0.25: expected a finite float32 above 0");
}

TEST_F(ForwardParamChecks, Shapes)
{
    const struct {
        Tensor tensor;
        size_t axis;
        std::string source;
        int64_t expected;
    } relations[] = {
        {BLOCK_RES, 0, "partialBlock.shape[0]", 2},       {BLOCK_RES, 2, "partialBlock.shape[1]", 64},
        {PROJ_WEIGHT, 0, "the number of projections", 1}, {PROJ_WEIGHT, 1, "partialBlock.shape[1]", 64},
        {NORM_WEIGHT, 0, "partialBlock.shape[1]", 64},    {HIDDEN_STATES, 0, "partialBlock.shape[0]", 2},
        {HIDDEN_STATES, 1, "partialBlock.shape[1]", 64},  {INV_NORM, 0, "partialBlock.shape[0]", 2},
        {INV_NORM, 1, "blockRes.shape[1] + 1", 5},        {PROBS, 0, "partialBlock.shape[0]", 2},
        {PROBS, 1, "blockRes.shape[1] + 1", 5},
    };
    for (const auto& relation : relations) {
        TensorSpec& spec = call.specs[relation.tensor];
        for (const int64_t wrong : {int64_t{0}, relation.expected + 1}) {
            spec.dims[relation.axis] = wrong;
            Refuses(ACLNN_ERR_PARAM_INVALID, spec.name + ".shape[" + std::to_string(relation.axis) + "] (" +
                                                 std::to_string(wrong) + ") does not match " + relation.source + " (" +
                                                 std::to_string(relation.expected) + ")");
        }
        spec.dims[relation.axis] = relation.expected;
    }
    call.specs[PROJ_WEIGHT].dims = {63};
    Refuses(ACLNN_ERR_PARAM_INVALID, "projWeight.shape[0] (63) does not match partialBlock.shape[1] (64)");
}

TEST_F(ForwardParamChecks, BlockNumRange)
{
    call.specs[BLOCK_RES].dims[1] = 129;
    call.validBlockNum = 129;
    Refuses(ACLNN_ERR_PARAM_INVALID, "blockRes.shape[1] (129) is too large: expected 0 to 128");
}

TEST_F(ForwardParamChecks, OutputsOverlapNothing)
{
    for (size_t output = HIDDEN_STATES; output < TENSOR_COUNT; ++output) {
        TensorSpec& spec = call.specs[output];
        char* const own = spec.data;
        for (size_t other = 0; other < output; ++other) {
            spec.data = call.specs[other].data;
            Refuses(ACLNN_ERR_PARAM_INVALID,
                    spec.name + " overlaps " + call.specs[other].name + " in memory: expected memory of its own");
            spec.data = own;
        }
    }
    call.specs[HIDDEN_STATES].strides = {0, 0};
    Refuses(ACLNN_ERR_PARAM_INVALID, "hiddenStates overlaps itself in memory: expected memory of its own");
}

TEST_F(ForwardParamChecks, WithoutBackwardItsOutputsAreNotLookedAt)
{
    call.needBackward = false;
    call.specs[INV_NORM].dtype = ACL_INT8;
    call.specs[PROBS].dims = {};
    Refuses(ACLNN_ERR_PARAM_NULLPTR, "hiddenStates is null: expected a tensor", HIDDEN_STATES);
    call.specs[HIDDEN_STATES].dims = {2, 63};
    Refuses(ACLNN_ERR_PARAM_INVALID, "hiddenStates.shape[1] (63) does not match partialBlock.shape[1] (64)");
}

// Two faults at once: the earlier check speaks.
TEST_F(ForwardParamChecks, Order)
{
    TensorSpec& last = call.specs[PROBS];
    last.data = call.specs[PARTIAL_BLOCK].data;
    Refuses(ACLNN_ERR_PARAM_INVALID, "probs overlaps partialBlock in memory: expected memory of its own");
    last.dims = {2, 6};
    Refuses(ACLNN_ERR_PARAM_INVALID, "probs.shape[1] (6) does not match blockRes.shape[1] + 1 (5)");
    call.specs[NORM_WEIGHT].dims = {65};
    Refuses(ACLNN_ERR_PARAM_INVALID, "normWeight.shape[0] (65) does not match partialBlock.shape[1] (64)");
    call.normEps = -1;
    Refuses(ACLNN_ERR_PARAM_INVALID, "normEps is -1: expected a finite float32 above 0");
    call.validBlockNum = 2;
    Refuses(ACLNN_ERR_PARAM_INVALID, "validBlockNum is 2: expected -1 or 4, blockRes.shape[1]");
    call.specs[INV_NORM].dims = {64};
    Refuses(ACLNN_ERR_PARAM_INVALID, "invNorm has 1 dimensions: expected 2");
    call.specs[HIDDEN_STATES].format = ACL_FORMAT_NCL;
    Refuses(ACLNN_ERR_PARAM_INVALID, "hiddenStates has format NCL: expected ND");
    call.specs[HIDDEN_STATES].dtype = ACL_FLOAT;
    Refuses(ACLNN_ERR_PARAM_INVALID, "hiddenStates has data type DT_FLOAT: expected DT_FLOAT16, that of partialBlock");
    Refuses(ACLNN_ERR_PARAM_NULLPTR, "probs is null: expected a tensor", PROBS);
}

}  // namespace
}  // namespace block_attention_residuals
}  // namespace op_api
