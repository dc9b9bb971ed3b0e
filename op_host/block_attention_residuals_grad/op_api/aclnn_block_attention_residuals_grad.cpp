// The two phases of aclnnBlockAttentionResidualsGrad: checks, empty tensors, contiguous inputs, the kernel, and results
// written through the outputs' strides.

#include "aclnnop/aclnn_block_attention_residuals_grad.h"

#include "level0/zero_op.h"
#include "op_host/block_attention_residuals_grad/op_api/block_attention_residuals_grad.h"
#include "op_host/block_attention_residuals_grad/op_api/param_checks.h"
#include "op_host/common/op_api/phase_one.h"

namespace op_api
{
namespace
{

// Without tokens the weight gradients are sums of nothing; the outputs that have a token axis are empty.
aclnnStatus AddZeroWeightGradients(const Params& params, aclOpExecutor* executor)
{
    for (const size_t i : {GRAD_PROJ_WEIGHT, GRAD_NORM_WEIGHT}) {
        const aclTensor* zeros = l0op::ZerosLike(params.outputs[i], executor);
        CHECK_RET(zeros != nullptr, ACLNN_ERR_RUNTIME_ERROR);
        CHECK_RET(l0op::ViewCopy(zeros, params.outputs[i], executor) != nullptr, ACLNN_ERR_RUNTIME_ERROR);
    }
    return ACLNN_SUCCESS;
}

aclnnStatus AddMainOperator(const Params& params, aclOpExecutor* executor)
{
    std::array<const aclTensor*, INPUT_COUNT> inputs;
    aclnnStatus status = MakeContiguous(params.inputs, executor, &inputs);
    CHECK_RET(status == ACLNN_SUCCESS, status);
    std::array<const aclTensor*, OUTPUT_COUNT> results;
    status = MakeResults(params.outputs, executor, &results);
    CHECK_RET(status == ACLNN_SUCCESS, status);
    status = l0op::BlockAttentionResidualsGrad(
        {inputs[PARTIAL_BLOCK], inputs[BLOCK_RES], inputs[PROJ_WEIGHT], inputs[NORM_WEIGHT], inputs[GRAD_HIDDEN_STATES],
         inputs[INV_NORM], inputs[PROBS]},
        params.validBlockNum,
        {results[GRAD_PARTIAL_BLOCK], results[GRAD_BLOCK_RES], results[GRAD_PROJ_WEIGHT], results[GRAD_NORM_WEIGHT]},
        executor);
    CHECK_RET(status == ACLNN_SUCCESS, status);
    return WriteResults(results, params.outputs, executor);
}

aclnnStatus AddTasks(const Params& params, aclOpExecutor* executor)
{
    const op::Shape shape = params.inputs[PARTIAL_BLOCK]->GetViewShape();
    const int64_t tokens = shape.GetDim(0);
    const int64_t hidden = shape.GetDim(1);
    if (hidden == 0) {  // all outputs are empty
        return ACLNN_SUCCESS;
    }
    return tokens == 0 ? AddZeroWeightGradients(params, executor) : AddMainOperator(params, executor);
}

}  // namespace
}  // namespace op_api

extern "C" {

aclnnStatus aclnnBlockAttentionResidualsGradGetWorkspaceSize(
    const aclTensor* partialBlock, const aclTensor* blockRes, const aclTensor* projWeight, const aclTensor* normWeight,
    const aclTensor* gradHiddenStates, const aclTensor* invNorm, const aclTensor* probs, int64_t validBlockNum,
    const aclTensor* gradPartialBlock, const aclTensor* gradBlockRes, const aclTensor* gradProjWeight,
    const aclTensor* gradNormWeight, uint64_t* workspaceSize, aclOpExecutor** executor)
{
    L2_DFX_PHASE_1(
        aclnnBlockAttentionResidualsGrad,
        DFX_IN(partialBlock, blockRes, projWeight, normWeight, gradHiddenStates, invNorm, probs, validBlockNum),
        DFX_OUT(gradPartialBlock, gradBlockRes, gradProjWeight, gradNormWeight));
    const op_api::Params params = {{partialBlock, blockRes, projWeight, normWeight, gradHiddenStates, invNorm, probs},
                                   {gradPartialBlock, gradBlockRes, gradProjWeight, gradNormWeight},
                                   validBlockNum};
    return op_api::MakeExecutor(
        "aclnnBlockAttentionResidualsGradGetWorkspaceSize", [&] { return op_api::CheckParams(params); },
        [&](aclOpExecutor* made) { return op_api::AddTasks(params, made); }, workspaceSize, executor);
}

aclnnStatus aclnnBlockAttentionResidualsGrad(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                             aclrtStream stream)
{
    L2_DFX_PHASE_2(aclnnBlockAttentionResidualsGrad);
    return CommonOpExecutorRun(workspace, workspaceSize, executor, stream);
}

}  // extern "C"
