// Level-0 operator: one launch of the BlockAttentionResiduals kernel on contiguous tensors. The checks and the
// non-contiguous tensors are aclnn_block_attention_residuals.cpp's.

#ifndef OP_API_BLOCK_ATTENTION_RESIDUALS_H_
#define OP_API_BLOCK_ATTENTION_RESIDUALS_H_

#include "opdev/op_executor.h"

namespace l0op
{

struct BlockAttentionResidualsInputs {
    const aclTensor* partialBlock;
    const aclTensor* blockRes;
    const aclTensor* projWeight;
    const aclTensor* normWeight;
};

struct BlockAttentionResidualsAttrs {
    int64_t validBlockNum;
    float normEps;
    bool needBackward;  // if not, invNorm and probs have no elements
};

struct BlockAttentionResidualsOutputs {
    const aclTensor* hiddenStates;
    const aclTensor* invNorm;
    const aclTensor* probs;
};

// Adds the launch to the executor. Returns the code of what failed (tiling, kernel look-up) with the recent error
// message set.
aclnnStatus BlockAttentionResiduals(const BlockAttentionResidualsInputs& inputs,
                                    const BlockAttentionResidualsAttrs& attrs,
                                    const BlockAttentionResidualsOutputs& outputs, aclOpExecutor* executor);

}  // namespace l0op

#endif  // OP_API_BLOCK_ATTENTION_RESIDUALS_H_
