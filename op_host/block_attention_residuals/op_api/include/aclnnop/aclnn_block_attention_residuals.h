/* The C interface of BlockAttentionResiduals: a token's value rows mixed by a softmax over their scores, and what the
 * backward, aclnnBlockAttentionResidualsGrad, needs of it. Two phases: the first checks everything and says how much
 * workspace the second needs. */

#ifndef OP_API_ACLNN_BLOCK_ATTENTION_RESIDUALS_H_
#define OP_API_ACLNN_BLOCK_ATTENTION_RESIDUALS_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Phase 1. T tokens, N stored blocks (0 to 128), H hidden size; T, N and H may be 0. "Main" is one data type of
 * FLOAT16, BFLOAT16 and FLOAT32. All tensors have format ND and may have any strides and offset; outputs overlap
 * neither an input nor each other.
 *
 * partialBlock [T,H] main, blockRes [T,N,H] main, projWeight [1,H] or [H] main, normWeight [H] main: inputs.
 * validBlockNum: reserved, -1 or N.
 * normEps: added to the mean of the squares, inside the root; as float32 finite and above 0.
 * needBackward: whether invNorm and probs are wanted. If not, both may be null and are not looked at.
 * hiddenStates [T,H] main, invNorm [T,N+1] FLOAT32, probs [T,N+1] FLOAT32: outputs.
 * workspaceSize: bytes that phase 2 needs. executor: what phase 2 runs, once unless aclSetAclOpExecutorRepeatable.
 *
 * Returns 0; 161001 for a null argument; 161002 for a wrong data type, format, rank, validBlockNum, normEps, shape or
 * overlap; aclGetRecentErrMsg then names the argument, what was expected and what came. A failure writes neither
 * output. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnBlockAttentionResidualsGetWorkspaceSize(
    const aclTensor* partialBlock, const aclTensor* blockRes, const aclTensor* projWeight, const aclTensor* normWeight,
    int64_t validBlockNum, double normEps, bool needBackward, const aclTensor* hiddenStates, const aclTensor* invNorm,
    const aclTensor* probs, uint64_t* workspaceSize, aclOpExecutor** executor);

/* Phase 2. Enqueues the work on the stream and returns. The workspace and the memory of all tensors must live until the
 * stream has been synchronised, where an error of the work itself surfaces.
 *
 * Returns 0; 161001 for a null executor; 361001 for a workspace that is null or too small, an executor or a stream that
 * does not live. Nothing is enqueued on failure. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnBlockAttentionResiduals(void* workspace, uint64_t workspaceSize,
                                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // OP_API_ACLNN_BLOCK_ATTENTION_RESIDUALS_H_
