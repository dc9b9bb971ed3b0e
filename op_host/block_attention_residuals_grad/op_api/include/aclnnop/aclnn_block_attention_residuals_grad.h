/* The C interface of BlockAttentionResidualsGrad: gradients of block attention residuals from the saved inv_norm and
 * probs. Two phases: the first checks everything and says how much workspace the second needs. */

#ifndef OP_API_ACLNN_BLOCK_ATTENTION_RESIDUALS_GRAD_H_
#define OP_API_ACLNN_BLOCK_ATTENTION_RESIDUALS_GRAD_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Phase 1. T tokens, N stored blocks (0 to 128), H hidden size; T, N and H may be 0. "Main" is one data type of
 * FLOAT16, BFLOAT16 and FLOAT32. All tensors have format ND and may have any strides and offset; outputs overlap
 * neither an input nor each other.
 *
 * partialBlock [T,H] main, blockRes [T,N,H] main, projWeight [1,H] main, normWeight [H] main, gradHiddenStates [T,H]
 * main, invNorm [T,N+1] FLOAT32, probs [T,N+1] FLOAT32: inputs.
 * validBlockNum: reserved, -1 or N.
 * gradPartialBlock, gradBlockRes, gradProjWeight, gradNormWeight: outputs, with shape and data type of the first four
 * inputs.
 * workspaceSize: bytes that phase 2 needs. executor: what phase 2 runs, once unless aclSetAclOpExecutorRepeatable.
 *
 * Returns 0; 161001 for a null argument; 161002 for a wrong data type, format, rank, validBlockNum, shape or overlap;
 * aclGetRecentErrMsg then names the argument, what was expected and what came. A failure writes neither output. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnBlockAttentionResidualsGradGetWorkspaceSize(
    const aclTensor* partialBlock, const aclTensor* blockRes, const aclTensor* projWeight, const aclTensor* normWeight,
    const aclTensor* gradHiddenStates, const aclTensor* invNorm, const aclTensor* probs, int64_t validBlockNum,
    const aclTensor* gradPartialBlock, const aclTensor* gradBlockRes, const aclTensor* gradProjWeight,
    const aclTensor* gradNormWeight, uint64_t* workspaceSize, aclOpExecutor** executor);

/* Phase 2. Enqueues the work on the stream and returns. The workspace and the memory of all tensors must live until the
 * stream has been synchronised, where an error of the work itself surfaces.
 *
 * Returns 0; 161001 for a null executor; 361001 for a workspace that is null or too small, an executor or a stream that
 * does not live. Nothing is enqueued on failure. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnBlockAttentionResidualsGrad(void* workspace, uint64_t workspaceSize,
                                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // OP_API_ACLNN_BLOCK_ATTENTION_RESIDUALS_GRAD_H_
