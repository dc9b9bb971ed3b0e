// Kernel entry of BlockAttentionResiduals for arch22 (ascend910b, ascend910_93); hMode is the template key that host
// tiling chose: TPL_H_MODE_FULL or TPL_H_MODE_SPLIT.

#include "kernel_operator.h"

#include "arch22/block_attention_residuals_full_h.h"
#include "arch22/block_attention_residuals_split_h.h"
#include "block_attention_residuals_tiling_data.h"
#include "block_attention_residuals_tiling_key.h"

template <uint32_t hMode>
__global__ __aicore__ void block_attention_residuals(GM_ADDR partialBlock, GM_ADDR blockRes, GM_ADDR projWeight,
                                                     GM_ADDR normWeight, GM_ADDR hiddenStates, GM_ADDR invNorm,
                                                     GM_ADDR probs, GM_ADDR workspace, GM_ADDR tiling)
{
    using namespace BlockAttentionResidualsArch22;
    (void)workspace;  // cores exchange nothing
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    REGISTER_TILING_DEFAULT(BlockAttentionResidualsTilingData);
    GET_TILING_DATA_WITH_STRUCT(BlockAttentionResidualsTilingData, tilingData, tiling);

    const ForwardArguments arguments{partialBlock, blockRes, projWeight, normWeight, hiddenStates, invNorm, probs};
    AscendC::TPipe pipe;
    if constexpr (hMode == TPL_H_MODE_FULL) {
        if (AscendC::GetBlockIdx() == 0) {
            AscendC::printf("hMode=%u, kernel=FULL_H\n", hMode);
        }
        FullH<DTYPE_PARTIAL_BLOCK> kernel;
        kernel.Init(arguments, tilingData, &pipe);
        kernel.Process();
    } else {
        if (AscendC::GetBlockIdx() == 0) {
            AscendC::printf("hMode=%u, kernel=SPLIT_H\n", hMode);
        }
        SplitH<DTYPE_PARTIAL_BLOCK> kernel;
        kernel.Init(arguments, tilingData, &pipe);
        kernel.Process();
    }
}
