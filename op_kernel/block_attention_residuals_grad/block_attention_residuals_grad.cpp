// Kernel entry of BlockAttentionResidualsGrad for arch22 (ascend910b, ascend910_93); hMode is the template key that
// host tiling chose: TPL_H_MODE_FULL or TPL_H_MODE_SPLIT.

#include "kernel_operator.h"

#include "arch22/block_attention_residuals_grad_full_h.h"
#include "arch22/block_attention_residuals_grad_full_h_batch.h"
#include "arch22/block_attention_residuals_grad_split_h.h"
#include "block_attention_residuals_grad_tiling_data.h"
#include "block_attention_residuals_grad_tiling_key.h"

template <uint32_t hMode>
__global__ __aicore__ void block_attention_residuals_grad(GM_ADDR partialBlock, GM_ADDR blockRes, GM_ADDR projWeight,
                                                          GM_ADDR normWeight, GM_ADDR gradHiddenStates, GM_ADDR invNorm,
                                                          GM_ADDR probs, GM_ADDR gradPartialBlock, GM_ADDR gradBlockRes,
                                                          GM_ADDR gradProjWeight, GM_ADDR gradNormWeight,
                                                          GM_ADDR workspace, GM_ADDR tiling)
{
    using namespace BlockAttentionResidualsGradArch22;
    // SyncAll between the cores' partial sums needs a kernel type with hardware synchronisation.
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    REGISTER_TILING_DEFAULT(BlockAttentionResidualsGradTilingData);
    GET_TILING_DATA_WITH_STRUCT(BlockAttentionResidualsGradTilingData, tilingData, tiling);

    const GradArguments arguments{partialBlock,   blockRes,         projWeight,
                                  normWeight,     gradHiddenStates, invNorm,
                                  probs,          gradPartialBlock, gradBlockRes,
                                  gradProjWeight, gradNormWeight,   AscendC::GetUserWorkspace(workspace)};
    using BlockAttentionResidualsGradShared::RunKernel;
    AscendC::TPipe pipe;
    if constexpr (hMode == TPL_H_MODE_FULL) {
        if (AscendC::GetBlockIdx() == 0) {
            AscendC::printf("hMode=%u, kernel=FULL_H\n", hMode);
        }
        if (tilingData.batchTokens > 1) {
            RunKernel<FullHBatch<DTYPE_PARTIAL_BLOCK>>(arguments, tilingData, &pipe);
        } else {
            RunKernel<FullH<DTYPE_PARTIAL_BLOCK>>(arguments, tilingData, &pipe);
        }
    } else {
        if (AscendC::GetBlockIdx() == 0) {
            AscendC::printf("hMode=%u, kernel=SPLIT_H\n", hMode);
        }
        if (tilingData.segmentTiles == 0) {  // what a core has of a row fits in UB
            RunKernel<FullH<DTYPE_PARTIAL_BLOCK>>(arguments, tilingData, &pipe);
        } else {
            RunKernel<SplitH<DTYPE_PARTIAL_BLOCK>>(arguments, tilingData, &pipe);
        }
    }
}
