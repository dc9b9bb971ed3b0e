// The gradient's tensors, and op_host/common/op_api/tensor_checks.h on them.

#include "op_host/block_attention_residuals_grad/op_api/param_checks.h"

#include <functional>
#include <string>

#include "op_host/common/op_api/tensor_checks.h"
#include "opdev/op_errno.h"
#include "opdev/op_log.h"

namespace op_api
{
namespace
{

constexpr std::array<const char*, INPUT_COUNT> INPUT_NAMES = {
    "partialBlock", "blockRes", "projWeight", "normWeight", "gradHiddenStates", "invNorm", "probs"};
constexpr std::array<const char*, OUTPUT_COUNT> OUTPUT_NAMES = {"gradPartialBlock", "gradBlockRes", "gradProjWeight",
                                                                "gradNormWeight"};
constexpr std::array<size_t, INPUT_COUNT> INPUT_RANKS = {2, 3, 2, 1, 2, 2, 2};

template <size_t COUNT>
NamedTensors Named(const std::array<const aclTensor*, COUNT>& tensors, const std::array<const char*, COUNT>& names)
{
    NamedTensors named;
    for (size_t i = 0; i < COUNT; ++i) {
        named.push_back({tensors[i], names[i]});
    }
    return named;
}

aclnnStatus CheckDtypes(const NamedTensors& inputs, const NamedTensors& outputs)
{
    aclnnStatus status = CheckMainDtype(inputs[PARTIAL_BLOCK]);
    CHECK_RET(status == ACLNN_SUCCESS, status);
    const op::DataType main = inputs[PARTIAL_BLOCK].tensor->GetDataType();
    const char* asMain = ", that of partialBlock";
    for (size_t i = BLOCK_RES; i < INPUT_COUNT; ++i) {
        const bool saved = i == INV_NORM || i == PROBS;
        status = CheckDtype(inputs[i], saved ? op::DataType::DT_FLOAT : main, saved ? "" : asMain);
        CHECK_RET(status == ACLNN_SUCCESS, status);
    }
    for (const NamedTensor& output : outputs) {
        status = CheckDtype(output, main, asMain);
        CHECK_RET(status == ACLNN_SUCCESS, status);
    }
    return ACLNN_SUCCESS;
}

aclnnStatus CheckRanks(const NamedTensors& inputs, const NamedTensors& outputs)
{
    for (size_t i = 0; i < INPUT_COUNT; ++i) {
        const aclnnStatus status = CheckRank(inputs[i], INPUT_RANKS[i]);
        CHECK_RET(status == ACLNN_SUCCESS, status);
    }
    for (size_t i = 0; i < OUTPUT_COUNT; ++i) {
        const aclnnStatus status = CheckRank(outputs[i], INPUT_RANKS[i]);
        CHECK_RET(status == ACLNN_SUCCESS, status);
    }
    return ACLNN_SUCCESS;
}

aclnnStatus CheckInputShapes(const NamedTensors& inputs)
{
    const aclnnStatus inRange = CheckBlockNum(inputs[BLOCK_RES]);
    CHECK_RET(inRange == ACLNN_SUCCESS, inRange);
    const int64_t tokens = inputs[PARTIAL_BLOCK].tensor->GetViewShape().GetDim(0);
    const int64_t hidden = inputs[PARTIAL_BLOCK].tensor->GetViewShape().GetDim(1);
    const int64_t blockNum = inputs[BLOCK_RES].tensor->GetViewShape().GetDim(1);
    const struct {
        InputIndex input;
        size_t axis;
        int64_t expected;
        const char* source;
    } relations[] = {
        {BLOCK_RES, 0, tokens, "partialBlock.shape[0]"},
        {BLOCK_RES, 2, hidden, "partialBlock.shape[1]"},
        {PROJ_WEIGHT, 0, 1, "the number of projections"},
        {PROJ_WEIGHT, 1, hidden, "partialBlock.shape[1]"},
        {NORM_WEIGHT, 0, hidden, "partialBlock.shape[1]"},
        {GRAD_HIDDEN_STATES, 0, tokens, "partialBlock.shape[0]"},
        {GRAD_HIDDEN_STATES, 1, hidden, "partialBlock.shape[1]"},
        {INV_NORM, 0, tokens, "partialBlock.shape[0]"},
        {INV_NORM, 1, blockNum + 1, "blockRes.shape[1] + 1"},
        {PROBS, 0, tokens, "partialBlock.shape[0]"},
        {PROBS, 1, blockNum + 1, "blockRes.shape[1] + 1"},
    };
    for (const auto& relation : relations) {
        const aclnnStatus status = CheckDim(inputs[relation.input], relation.axis, relation.expected, relation.source);
        CHECK_RET(status == ACLNN_SUCCESS, status);
    }
    return ACLNN_SUCCESS;
}

aclnnStatus CheckOutputShapes(const NamedTensors& inputs, const NamedTensors& outputs)
{
    for (size_t i = 0; i < OUTPUT_COUNT; ++i) {
        const op::Shape expected = inputs[i].tensor->GetViewShape();
        for (size_t axis = 0; axis < INPUT_RANKS[i]; ++axis) {
            const std::string source = std::string(INPUT_NAMES[i]) + ".shape[" + std::to_string(axis) + "]";
            const aclnnStatus status = CheckDim(outputs[i], axis, expected.GetDim(axis), source);
            CHECK_RET(status == ACLNN_SUCCESS, status);
        }
    }
    return ACLNN_SUCCESS;
}

}  // namespace

aclnnStatus CheckParams(const Params& params)
{
    const NamedTensors inputs = Named(params.inputs, INPUT_NAMES);
    const NamedTensors outputs = Named(params.outputs, OUTPUT_NAMES);
    NamedTensors all = inputs;
    all.insert(all.end(), outputs.begin(), outputs.end());
    const std::function<aclnnStatus()> checks[] = {
        [&] { return CheckNotNull(all); },
        CheckSoc,
        [&] { return CheckDtypes(inputs, outputs); },
        [&] { return CheckFormats(all); },
        [&] { return CheckRanks(inputs, outputs); },
        [&] { return CheckValidBlockNum(params.validBlockNum, inputs[BLOCK_RES]); },
        [&] { return CheckInputShapes(inputs); },
        [&] { return CheckElementCount(inputs[PARTIAL_BLOCK], params.inputs[PROBS]->GetViewShape().GetDim(1)); },
        [&] { return CheckOutputShapes(inputs, outputs); },
        [&] { return CheckStorage(all); },
        [&] { return CheckOverlap(inputs, outputs); },
    };
    for (const auto& check : checks) {
        const aclnnStatus status = check();
        CHECK_RET(status == ACLNN_SUCCESS, status);
    }
    return ACLNN_SUCCESS;
}

}  // namespace op_api
