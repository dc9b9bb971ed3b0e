// Level-0 operator: one launch of the BlockAttentionResidualsGrad kernel on contiguous tensors. The checks and the
// non-contiguous tensors are aclnn_block_attention_residuals_grad.cpp's.

#ifndef OP_API_BLOCK_ATTENTION_RESIDUALS_GRAD_H_
#define OP_API_BLOCK_ATTENTION_RESIDUALS_GRAD_H_

#include "opdev/op_executor.h"

namespace l0op
{

struct BlockAttentionResidualsGradInputs {
    const aclTensor* partialBlock;
    const aclTensor* blockRes;
    const aclTensor* projWeight;
    const aclTensor* normWeight;
    const aclTensor* gradHiddenStates;
    const aclTensor* invNorm;
    const aclTensor* probs;
};

struct BlockAttentionResidualsGradOutputs {
    const aclTensor* gradPartialBlock;
    const aclTensor* gradBlockRes;
    const aclTensor* gradProjWeight;
    const aclTensor* gradNormWeight;
};

// Adds the launch to the executor. Returns the code of what failed (tiling, kernel look-up) with the recent error
// message set.
aclnnStatus BlockAttentionResidualsGrad(const BlockAttentionResidualsGradInputs& inputs, int64_t validBlockNum,
                                        const BlockAttentionResidualsGradOutputs& outputs, aclOpExecutor* executor);

}  // namespace l0op

#endif  // OP_API_BLOCK_ATTENTION_RESIDUALS_GRAD_H_
