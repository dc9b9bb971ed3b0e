// The launch of the kernel; tensors in the order of the operator's definition.

#include "op_host/block_attention_residuals/op_api/block_attention_residuals.h"

#include "opdev/make_op_executor.h"
#include "opdev/op_dfx.h"

namespace l0op
{

OP_TYPE_REGISTER(BlockAttentionResiduals);

aclnnStatus BlockAttentionResiduals(const BlockAttentionResidualsInputs& inputs,
                                    const BlockAttentionResidualsAttrs& attrs,
                                    const BlockAttentionResidualsOutputs& outputs, aclOpExecutor* executor)
{
    L0_DFX(BlockAttentionResiduals, inputs.partialBlock, inputs.blockRes, inputs.projWeight, inputs.normWeight,
           attrs.validBlockNum, attrs.normEps, attrs.needBackward);
    return ADD_TO_LAUNCHER_LIST_AICORE(
        BlockAttentionResiduals, OP_INPUT(inputs.partialBlock, inputs.blockRes, inputs.projWeight, inputs.normWeight),
        OP_OUTPUT(outputs.hiddenStates, outputs.invNorm, outputs.probs),
        OP_ATTR(attrs.validBlockNum, attrs.normEps, attrs.needBackward));
}

}  // namespace l0op
