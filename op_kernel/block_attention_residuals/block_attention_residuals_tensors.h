// The operator's tensors in global memory and the tokens of this core, for the kernels of both architectures; what a
// core does with them is in arch22/ and arch35/.

#ifndef BLOCK_ATTENTION_RESIDUALS_TENSORS_H
#define BLOCK_ATTENTION_RESIDUALS_TENSORS_H

#include "../common/token_range.h"
#include "block_attention_residuals_tiling_data.h"
#include "kernel_operator.h"

namespace BlockAttentionResidualsShared
{

// The kernel's parameters.
struct ForwardArguments {
    GM_ADDR partialBlock;
    GM_ADDR blockRes;
    GM_ADDR projWeight;
    GM_ADDR normWeight;
    GM_ADDR hiddenStates;
    GM_ADDR invNorm;
    GM_ADDR probs;
};

template <typename T>
struct ForwardTensors {
    __aicore__ inline void Init(const ForwardArguments& arguments, const BlockAttentionResidualsTilingData& tiling)
    {
        hidden = static_cast<uint32_t>(tiling.hiddenSize);
        blocks = static_cast<uint32_t>(tiling.numBlocks);
        rows = static_cast<uint32_t>(tiling.totalBlocks);
        tokens.Init(tiling.batchSize, tiling.usedCoreNum, AscendC::GetBlockIdx());

        const uint64_t rowElements = tiling.batchSize * hidden;
        const uint64_t scores = tiling.needBackward == 0 ? 0 : tiling.batchSize * rows;
        partialBlock.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.partialBlock), rowElements);
        blockRes.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.blockRes), rowElements * blocks);
        projWeight.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.projWeight), hidden);
        normWeight.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.normWeight), hidden);
        hiddenStates.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.hiddenStates), rowElements);
        invNorm.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(arguments.invNorm), scores);
        probs.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(arguments.probs), scores);
    }

    // Row `row` of a token's values, block_res first and partial_block last, from element `offset`.
    __aicore__ inline AscendC::GlobalTensor<T> ValueRow(uint64_t token, uint32_t row, uint64_t offset) const
    {
        return row < blocks ? blockRes[(token * blocks + row) * hidden + offset]
                            : partialBlock[token * hidden + offset];
    }

    uint32_t hidden;
    uint32_t blocks;
    uint32_t rows;
    KernelCommon::TokenRange tokens;  // of this core

    AscendC::GlobalTensor<T> partialBlock;
    AscendC::GlobalTensor<T> blockRes;
    AscendC::GlobalTensor<T> projWeight;
    AscendC::GlobalTensor<T> normWeight;
    AscendC::GlobalTensor<T> hiddenStates;
    AscendC::GlobalTensor<float> invNorm;
    AscendC::GlobalTensor<float> probs;
};

}  // namespace BlockAttentionResidualsShared

#endif  // BLOCK_ATTENTION_RESIDUALS_TENSORS_H
