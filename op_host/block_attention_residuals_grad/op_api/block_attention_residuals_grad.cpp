// The launch of the kernel; tensors in the order of the operator's definition.

#include "op_host/block_attention_residuals_grad/op_api/block_attention_residuals_grad.h"

#include "opdev/make_op_executor.h"
#include "opdev/op_dfx.h"

namespace l0op
{

OP_TYPE_REGISTER(BlockAttentionResidualsGrad);

aclnnStatus BlockAttentionResidualsGrad(const BlockAttentionResidualsGradInputs& inputs, int64_t validBlockNum,
                                        const BlockAttentionResidualsGradOutputs& outputs, aclOpExecutor* executor)
{
    L0_DFX(BlockAttentionResidualsGrad, inputs.partialBlock, inputs.blockRes, inputs.projWeight, inputs.normWeight,
           inputs.gradHiddenStates, inputs.invNorm, inputs.probs, validBlockNum);
    return ADD_TO_LAUNCHER_LIST_AICORE(
        BlockAttentionResidualsGrad,
        OP_INPUT(inputs.partialBlock, inputs.blockRes, inputs.projWeight, inputs.normWeight, inputs.gradHiddenStates,
                 inputs.invNorm, inputs.probs),
        OP_OUTPUT(outputs.gradPartialBlock, outputs.gradBlockRes, outputs.gradProjWeight, outputs.gradNormWeight),
        OP_ATTR(validBlockNum));
}

}  // namespace l0op
