// The two phases of aclnnBlockAttentionResiduals: checks, empty tensors, contiguous inputs, the kernel, and results
// written through the outputs' strides.

#include "aclnnop/aclnn_block_attention_residuals.h"

#include "level0/zero_op.h"
#include "op_host/block_attention_residuals/op_api/block_attention_residuals.h"
#include "op_host/block_attention_residuals/op_api/param_checks.h"
#include "op_host/common/op_api/phase_one.h"

namespace op_api
{
namespace block_attention_residuals
{
namespace
{

// Rows without elements have no norm and no scores.
aclnnStatus AddZeroScores(const Params& params, aclOpExecutor* executor)
{
    for (const size_t i : {INV_NORM, PROBS}) {
        const aclTensor* zeros = l0op::ZerosLike(params.outputs[i], executor);
        CHECK_RET(zeros != nullptr, ACLNN_ERR_RUNTIME_ERROR);
        CHECK_RET(l0op::ViewCopy(zeros, params.outputs[i], executor) != nullptr, ACLNN_ERR_RUNTIME_ERROR);
    }
    return ACLNN_SUCCESS;
}

// The outputs as the kernel has them: those that nobody wants have no elements.
aclnnStatus WantedOutputs(const Params& params, aclOpExecutor* executor,
                          std::array<const aclTensor*, OUTPUT_COUNT>* outputs)
{
    *outputs = params.outputs;
    if (params.needBackward) {
        return ACLNN_SUCCESS;
    }
    for (const size_t i : {INV_NORM, PROBS}) {
        (*outputs)[i] = executor->AllocTensor(op::Shape({0}), op::DataType::DT_FLOAT);
        CHECK_RET((*outputs)[i] != nullptr, ACLNN_ERR_RUNTIME_ERROR);
    }
    return ACLNN_SUCCESS;
}

aclnnStatus AddMainOperator(const Params& params, aclOpExecutor* executor)
{
    std::array<const aclTensor*, INPUT_COUNT> inputs;
    aclnnStatus status = MakeContiguous(params.inputs, executor, &inputs);
    CHECK_RET(status == ACLNN_SUCCESS, status);
    std::array<const aclTensor*, OUTPUT_COUNT> outputs;
    status = WantedOutputs(params, executor, &outputs);
    CHECK_RET(status == ACLNN_SUCCESS, status);
    std::array<const aclTensor*, OUTPUT_COUNT> results;
    status = MakeResults(outputs, executor, &results);
    CHECK_RET(status == ACLNN_SUCCESS, status);
    status = l0op::BlockAttentionResiduals(
        {inputs[PARTIAL_BLOCK], inputs[BLOCK_RES], inputs[PROJ_WEIGHT], inputs[NORM_WEIGHT]},
        {params.validBlockNum, static_cast<float>(params.normEps), params.needBackward},
        {results[HIDDEN_STATES], results[INV_NORM], results[PROBS]}, executor);
    CHECK_RET(status == ACLNN_SUCCESS, status);
    return WriteResults(results, outputs, executor);
}

aclnnStatus AddTasks(const Params& params, aclOpExecutor* executor)
{
    const op::Shape shape = params.inputs[PARTIAL_BLOCK]->GetViewShape();
    const int64_t tokens = shape.GetDim(0);
    const int64_t hidden = shape.GetDim(1);
    if (tokens == 0) {  // all outputs are empty
        return ACLNN_SUCCESS;
    }
    if (hidden == 0) {
        return params.needBackward ? AddZeroScores(params, executor) : ACLNN_SUCCESS;
    }
    return AddMainOperator(params, executor);
}

}  // namespace
}  // namespace block_attention_residuals
}  // namespace op_api

extern "C" {

aclnnStatus aclnnBlockAttentionResidualsGetWorkspaceSize(const aclTensor* partialBlock, const aclTensor* blockRes,
                                                         const aclTensor* projWeight, const aclTensor* normWeight,
                                                         int64_t validBlockNum, double normEps, bool needBackward,
                                                         const aclTensor* hiddenStates, const aclTensor* invNorm,
                                                         const aclTensor* probs, uint64_t* workspaceSize,
                                                         aclOpExecutor** executor)
{
    namespace forward = op_api::block_attention_residuals;
    L2_DFX_PHASE_1(aclnnBlockAttentionResiduals,
                   DFX_IN(partialBlock, blockRes, projWeight, normWeight, validBlockNum, normEps, needBackward),
                   DFX_OUT(hiddenStates, invNorm, probs));
    const forward::Params params = {{partialBlock, blockRes, projWeight, normWeight},
                                    {hiddenStates, invNorm, probs},
                                    validBlockNum,
                                    normEps,
                                    needBackward};
    return op_api::MakeExecutor(
        "aclnnBlockAttentionResidualsGetWorkspaceSize", [&] { return forward::CheckParams(params); },
        [&](aclOpExecutor* made) { return forward::AddTasks(params, made); }, workspaceSize, executor);
}

aclnnStatus aclnnBlockAttentionResiduals(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                         aclrtStream stream)
{
    L2_DFX_PHASE_2(aclnnBlockAttentionResiduals);
    return CommonOpExecutorRun(workspace, workspaceSize, executor, stream);
}

}  // extern "C"
