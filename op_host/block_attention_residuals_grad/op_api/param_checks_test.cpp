// Every check of phase 1, for every tensor it concerns: code, message, order, and outputs left alone.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_block_attention_residuals_grad.h"
#include "op_host/block_attention_residuals_grad/op_api/aclnn_call.h"
#include "opdev/op_errno.h"

namespace op_api
{
namespace
{

constexpr uint64_t UNTOUCHED_SIZE = 77;
aclOpExecutor* const UNTOUCHED_EXECUTOR = reinterpret_cast<aclOpExecutor*>(&aclnnBlockAttentionResidualsGrad);

enum Tensor : size_t {
    PARTIAL_BLOCK,
    BLOCK_RES,
    PROJ_WEIGHT,
    NORM_WEIGHT,
    GRAD_HIDDEN_STATES,
    INV_NORM,
    PROBS,
    GRAD_PARTIAL_BLOCK,
    GRAD_BLOCK_RES,
    GRAD_PROJ_WEIGHT,
    GRAD_NORM_WEIGHT
};

class ParamChecks : public testing::Test
{
protected:
    ParamChecks() : call(2, 4, 64, ACL_FLOAT16)
    {
        Reset();
    }

    void Reset()
    {
        call.workspaceSize = UNTOUCHED_SIZE;
        call.executor = UNTOUCHED_EXECUTOR;
    }

    // Phase 1 must refuse the call with this code and message, and touch nothing.
    void Refuses(int32_t code, const std::string& message, size_t nullTensor = AclnnCall::NO_TENSOR)
    {
        Refuses(call, code, message, nullTensor);
    }

    static void Refuses(AclnnCall& refused, int32_t code, const std::string& message,
                        size_t nullTensor = AclnnCall::NO_TENSOR)
    {
        refused.workspaceSize = UNTOUCHED_SIZE;
        refused.executor = UNTOUCHED_EXECUTOR;
        EXPECT_EQ(refused.PhaseOne(nullTensor), code) << message;
        EXPECT_EQ(std::string(aclGetRecentErrMsg()), message);
        EXPECT_EQ(refused.workspaceSize, UNTOUCHED_SIZE) << message;
        EXPECT_EQ(refused.executor, UNTOUCHED_EXECUTOR) << message;
    }

    AclnnCall call;
};

TEST_F(ParamChecks, NullTensors)
{
    for (size_t i = 0; i < TENSOR_COUNT; ++i) {
        Refuses(ACLNN_ERR_PARAM_NULLPTR, call.specs[i].name + " is null: expected a tensor", i);
    }
}

TEST_F(ParamChecks, NullOutputs)
{
    aclOpExecutor* executor = UNTOUCHED_EXECUTOR;
    uint64_t size = UNTOUCHED_SIZE;
    EXPECT_EQ(
        aclnnBlockAttentionResidualsGradGetWorkspaceSize(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                                         -1, nullptr, nullptr, nullptr, nullptr, nullptr, &executor),
        ACLNN_ERR_PARAM_NULLPTR);
    EXPECT_STREQ(aclGetRecentErrMsg(), "workspaceSize is null: expected an address");
    EXPECT_EQ(executor, UNTOUCHED_EXECUTOR);
    EXPECT_EQ(
        aclnnBlockAttentionResidualsGradGetWorkspaceSize(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                                         -1, nullptr, nullptr, nullptr, nullptr, &size, nullptr),
        ACLNN_ERR_PARAM_NULLPTR);
    EXPECT_STREQ(aclGetRecentErrMsg(), "executor is null: expected an address");
    EXPECT_EQ(size, UNTOUCHED_SIZE);
}

TEST_F(ParamChecks, DataTypes)
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
    for (const aclDataType refused : {ACL_DOUBLE, ACL_INT8, ACL_BOOL, ACL_COMPLEX64, ACL_DT_UNDEFINED}) {
        call.specs[PARTIAL_BLOCK].dtype = refused;
        EXPECT_EQ(call.PhaseOne(), ACLNN_ERR_PARAM_INVALID) << refused;
    }
}

TEST_F(ParamChecks, SavedTensorsAreFloat32)
{
    call.specs[INV_NORM].dtype = ACL_FLOAT16;
    Refuses(ACLNN_ERR_PARAM_INVALID, "invNorm has data type DT_FLOAT16: expected DT_FLOAT");
}

TEST_F(ParamChecks, Formats)
{
    for (TensorSpec& spec : call.specs) {
        spec.format = ACL_FORMAT_NCHW;
        Refuses(ACLNN_ERR_PARAM_INVALID, spec.name + " has format NCHW: expected ND");
        spec.format = ACL_FORMAT_ND;
    }
}

TEST_F(ParamChecks, Ranks)
{
    for (TensorSpec& spec : call.specs) {
        const std::vector<int64_t> right = spec.dims;
        spec.dims.push_back(1);
        Refuses(ACLNN_ERR_PARAM_INVALID, spec.name + " has " + std::to_string(right.size() + 1) +
                                             " dimensions: expected " + std::to_string(right.size()));
        spec.dims.clear();
        Refuses(ACLNN_ERR_PARAM_INVALID, spec.name + " has 0 dimensions: expected " + std::to_string(right.size()));
        spec.dims = right;
    }
}

TEST_F(ParamChecks, ValidBlockNum)
{
    for (const int64_t refused : {int64_t{0}, int64_t{3}, int64_t{5}, int64_t{-2}, INT64_MAX, INT64_MIN}) {
        call.validBlockNum = refused;
        Refuses(ACLNN_ERR_PARAM_INVALID,
                "validBlockNum is " + std::to_string(refused) + ": expected -1 or 4, blockRes.shape[1]");
    }
}

TEST_F(ParamChecks, Shapes)
{
    const struct {
        Tensor tensor;
        size_t axis;
        std::string source;
        int64_t expected;
    } relations[] = {
        {BLOCK_RES, 0, "partialBlock.shape[0]", 2},
        {BLOCK_RES, 2, "partialBlock.shape[1]", 64},
        {PROJ_WEIGHT, 0, "the number of projections", 1},
        {PROJ_WEIGHT, 1, "partialBlock.shape[1]", 64},
        {NORM_WEIGHT, 0, "partialBlock.shape[1]", 64},
        {GRAD_HIDDEN_STATES, 0, "partialBlock.shape[0]", 2},
        {GRAD_HIDDEN_STATES, 1, "partialBlock.shape[1]", 64},
        {INV_NORM, 0, "partialBlock.shape[0]", 2},
        {INV_NORM, 1, "blockRes.shape[1] + 1", 5},
        {PROBS, 0, "partialBlock.shape[0]", 2},
        {PROBS, 1, "blockRes.shape[1] + 1", 5},
        {GRAD_PARTIAL_BLOCK, 0, "partialBlock.shape[0]", 2},
        {GRAD_PARTIAL_BLOCK, 1, "partialBlock.shape[1]", 64},
        {GRAD_BLOCK_RES, 0, "blockRes.shape[0]", 2},
        {GRAD_BLOCK_RES, 1, "blockRes.shape[1]", 4},
        {GRAD_BLOCK_RES, 2, "blockRes.shape[2]", 64},
        {GRAD_PROJ_WEIGHT, 0, "projWeight.shape[0]", 1},
        {GRAD_PROJ_WEIGHT, 1, "projWeight.shape[1]", 64},
        {GRAD_NORM_WEIGHT, 0, "normWeight.shape[0]", 64},
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
}

TEST_F(ParamChecks, BlockNumRange)
{
    AclnnCall wide(2, 129, 8, ACL_FLOAT);
    Refuses(wide, ACLNN_ERR_PARAM_INVALID, "blockRes.shape[1] (129) is too large: expected 0 to 128");
    wide.validBlockNum = 129;
    Refuses(wide, ACLNN_ERR_PARAM_INVALID, "blockRes.shape[1] (129) is too large: expected 0 to 128");
}

TEST_F(ParamChecks, ViewsLieInTheirStorage)
{
    for (TensorSpec& spec : call.specs) {
        int64_t elements = 1;
        for (int64_t dim : spec.dims) {
            elements *= dim;
        }
        spec.storage = {elements - 1};
        Refuses(ACLNN_ERR_PARAM_INVALID, spec.name + " reaches element " + std::to_string(elements - 1) +
                                             " of its storage: expected 0 to " + std::to_string(elements - 2) +
                                             ", from its storageDims");
        spec.storage = {};
    }
}

// Sizes that tiling would refuse are a caller's values, so phase 1 finds them first; no memory is looked at.
TEST_F(ParamChecks, ElementCount)
{
    constexpr int64_t TOKENS = int64_t{1} << 50;
    AclnnCall large(2, 100, 4, ACL_FLOAT);
    for (TensorSpec& spec : large.specs) {
        spec.data = nullptr;
        spec.dims[0] = spec.dims[0] == 2 ? TOKENS : spec.dims[0];
    }
    Refuses(large, ACLNN_ERR_PARAM_INVALID,
            "partialBlock.shape [1125899906842624, 4] with 101 value rows has too many elements: expected at most "
            "72057594037927936 in all");
}

TEST_F(ParamChecks, OutputsOverlapNothing)
{
    for (size_t output = GRAD_PARTIAL_BLOCK; output < TENSOR_COUNT; ++output) {
        TensorSpec& spec = call.specs[output];
        char* const own = spec.data;
        for (size_t other = 0; other < output; ++other) {
            spec.data = call.specs[other].data;
            Refuses(ACLNN_ERR_PARAM_INVALID,
                    spec.name + " overlaps " + call.specs[other].name + " in memory: expected memory of its own");
            spec.data = own;
        }
    }
}

TEST_F(ParamChecks, OutputDoesNotOverlapItself)
{
    for (size_t output : {GRAD_PARTIAL_BLOCK, GRAD_BLOCK_RES, GRAD_NORM_WEIGHT}) {
        TensorSpec& spec = call.specs[output];
        spec.strides.assign(spec.dims.size(), 0);
        Refuses(ACLNN_ERR_PARAM_INVALID, spec.name + " overlaps itself in memory: expected memory of its own");
        spec.strides.clear();
    }
}

TEST_F(ParamChecks, OneElementOfOverlapIsEnough)
{
    // gradPartialBlock begins in the last element of gradHiddenStates.
    call.specs[GRAD_PARTIAL_BLOCK].data = call.specs[GRAD_HIDDEN_STATES].data + (2 * 64 - 1) * 2;
    Refuses(ACLNN_ERR_PARAM_INVALID,
            "gradPartialBlock overlaps gradHiddenStates in memory: expected memory of its own");
}

// Two faults at once: the earlier check speaks.
TEST_F(ParamChecks, Order)
{
    TensorSpec& last = call.specs[GRAD_NORM_WEIGHT];
    last.data = call.specs[PARTIAL_BLOCK].data;
    Refuses(ACLNN_ERR_PARAM_INVALID, "gradNormWeight overlaps partialBlock in memory: expected memory of its own");
    last.dims = {65};
    Refuses(ACLNN_ERR_PARAM_INVALID, "gradNormWeight.shape[0] (65) does not match normWeight.shape[0] (64)");
    call.specs[PROBS].dims = {2, 6};
    Refuses(ACLNN_ERR_PARAM_INVALID, "probs.shape[1] (6) does not match blockRes.shape[1] + 1 (5)");
    call.validBlockNum = 2;
    Refuses(ACLNN_ERR_PARAM_INVALID, "validBlockNum is 2: expected -1 or 4, blockRes.shape[1]");
    call.specs[GRAD_PROJ_WEIGHT].dims = {64};
    Refuses(ACLNN_ERR_PARAM_INVALID, "gradProjWeight has 1 dimensions: expected 2");
    call.specs[GRAD_BLOCK_RES].format = ACL_FORMAT_NCL;
    Refuses(ACLNN_ERR_PARAM_INVALID, "gradBlockRes has format NCL: expected ND");
    call.specs[GRAD_PARTIAL_BLOCK].dtype = ACL_FLOAT;
    Refuses(ACLNN_ERR_PARAM_INVALID,
            "gradPartialBlock has data type DT_FLOAT: expected DT_FLOAT16, that of partialBlock");
    Refuses(ACLNN_ERR_PARAM_NULLPTR, "gradNormWeight is null: expected a tensor", GRAD_NORM_WEIGHT);
}

}  // namespace
}  // namespace op_api
