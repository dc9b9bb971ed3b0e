// The forward's tensors and attributes, and op_host/common/op_api/tensor_checks.h on them.

#include "op_host/block_attention_residuals/op_api/param_checks.h"

#include <cmath>
#include <functional>
#include <string>

#include "op_host/common/op_api/tensor_checks.h"
#include "opdev/op_errno.h"
#include "opdev/op_log.h"

namespace op_api
{
namespace block_attention_residuals
{
namespace
{

constexpr std::array<const char*, INPUT_COUNT> INPUT_NAMES = {"partialBlock", "blockRes", "projWeight", "normWeight"};
constexpr std::array<const char*, OUTPUT_COUNT> OUTPUT_NAMES = {"hiddenStates", "invNorm", "probs"};
constexpr size_t OUTPUT_RANK = 2;

aclnnStatus CheckDtypes(const NamedTensors& inputs, const NamedTensors& outputs)
{
    aclnnStatus status = CheckMainDtype(inputs[PARTIAL_BLOCK]);
    CHECK_RET(status == ACLNN_SUCCESS, status);
    const op::DataType main = inputs[PARTIAL_BLOCK].tensor->GetDataType();
    const char* asMain = ", that of partialBlock";
    for (size_t i = BLOCK_RES; i < INPUT_COUNT; ++i) {
        status = CheckDtype(inputs[i], main, asMain);
        CHECK_RET(status == ACLNN_SUCCESS, status);
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
        status = i == HIDDEN_STATES ? CheckDtype(outputs[i], main, asMain)
                                    : CheckDtype(outputs[i], op::DataType::DT_FLOAT, "");
        CHECK_RET(status == ACLNN_SUCCESS, status);
    }
    return ACLNN_SUCCESS;
}

// projWeight may lack its first dimension, which is 1.
aclnnStatus CheckRanks(const NamedTensors& inputs, const NamedTensors& outputs)
{
    aclnnStatus status = CheckRank(inputs[PARTIAL_BLOCK], 2);
    CHECK_RET(status == ACLNN_SUCCESS, status);
    status = CheckRank(inputs[BLOCK_RES], 3);
    CHECK_RET(status == ACLNN_SUCCESS, status);
    const size_t projRank = inputs[PROJ_WEIGHT].tensor->GetViewShape().GetDimNum();
    if (projRank != 1 && projRank != 2) {
        OP_LOGE(ACLNN_ERR_PARAM_INVALID, "projWeight has %zu dimensions: expected 1 or 2", projRank);
        return ACLNN_ERR_PARAM_INVALID;
    }
    status = CheckRank(inputs[NORM_WEIGHT], 1);
    CHECK_RET(status == ACLNN_SUCCESS, status);
    for (const NamedTensor& output : outputs) {
        status = CheckRank(output, OUTPUT_RANK);
        CHECK_RET(status == ACLNN_SUCCESS, status);
    }
    return ACLNN_SUCCESS;
}

aclnnStatus CheckNormEps(double normEps)
{
    const float asFloat = static_cast<float>(normEps);
    if (std::isfinite(asFloat) && asFloat > 0) {
        return ACLNN_SUCCESS;
    }
    OP_LOGE(ACLNN_ERR_PARAM_INVALID, "normEps is %g: expected a finite float32 above 0", normEps);
    return ACLNN_ERR_PARAM_INVALID;
}

struct Relation {
    const NamedTensor& named;
    size_t axis;
    int64_t expected;
    const char* source;
};

aclnnStatus CheckRelations(std::initializer_list<Relation> relations)
{
    for (const Relation& relation : relations) {
        const aclnnStatus status = CheckDim(relation.named, relation.axis, relation.expected, relation.source);
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
    const bool hasLeadingOne = inputs[PROJ_WEIGHT].tensor->GetViewShape().GetDimNum() == 2;
    const aclnnStatus status = CheckRelations({
        {inputs[BLOCK_RES], 0, tokens, "partialBlock.shape[0]"},
        {inputs[BLOCK_RES], 2, hidden, "partialBlock.shape[1]"},
        {inputs[PROJ_WEIGHT], 0, hasLeadingOne ? 1 : hidden,
         hasLeadingOne ? "the number of projections" : "partialBlock.shape[1]"},
        {inputs[NORM_WEIGHT], 0, hidden, "partialBlock.shape[1]"},
    });
    CHECK_RET(status == ACLNN_SUCCESS, status);
    return hasLeadingOne ? CheckDim(inputs[PROJ_WEIGHT], 1, hidden, "partialBlock.shape[1]") : ACLNN_SUCCESS;
}

aclnnStatus CheckOutputShapes(const NamedTensors& inputs, const NamedTensors& outputs)
{
    const int64_t tokens = inputs[PARTIAL_BLOCK].tensor->GetViewShape().GetDim(0);
    const int64_t hidden = inputs[PARTIAL_BLOCK].tensor->GetViewShape().GetDim(1);
    const int64_t rows = inputs[BLOCK_RES].tensor->GetViewShape().GetDim(1) + 1;
    for (size_t i = 0; i < outputs.size(); ++i) {
        const aclnnStatus status = CheckRelations({
            {outputs[i], 0, tokens, "partialBlock.shape[0]"},
            {outputs[i], 1, i == HIDDEN_STATES ? hidden : rows,
             i == HIDDEN_STATES ? "partialBlock.shape[1]" : "blockRes.shape[1] + 1"},
        });
        CHECK_RET(status == ACLNN_SUCCESS, status);
    }
    return ACLNN_SUCCESS;
}

}  // namespace

aclnnStatus CheckParams(const Params& params)
{
    NamedTensors inputs;
    for (size_t i = 0; i < INPUT_COUNT; ++i) {
        inputs.push_back({params.inputs[i], INPUT_NAMES[i]});
    }
    NamedTensors outputs;
    for (size_t i = 0; i < (params.needBackward ? OUTPUT_COUNT : 1); ++i) {
        outputs.push_back({params.outputs[i], OUTPUT_NAMES[i]});
    }
    NamedTensors all = inputs;
    all.insert(all.end(), outputs.begin(), outputs.end());
    const auto rows = [&] { return inputs[BLOCK_RES].tensor->GetViewShape().GetDim(1) + 1; };
    const std::function<aclnnStatus()> checks[] = {
        [&] { return CheckNotNull(all); },
        CheckSoc,
        [&] { return CheckDtypes(inputs, outputs); },
        [&] { return CheckFormats(all); },
        [&] { return CheckRanks(inputs, outputs); },
        [&] { return CheckValidBlockNum(params.validBlockNum, inputs[BLOCK_RES]); },
        [&] { return CheckNormEps(params.normEps); },
        [&] { return CheckInputShapes(inputs); },
        [&] { return CheckElementCount(inputs[PARTIAL_BLOCK], rows()); },
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

}  // namespace block_attention_residuals
}  // namespace op_api
