// The operator's tensors in global memory and the tokens of this core, for the kernels of both architectures; what a
// core does with them is in arch22/ and arch35/.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_TENSORS_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_TENSORS_H

#include "block_attention_residuals_grad_tiling_data.h"
#include "kernel_operator.h"

namespace BlockAttentionResidualsGradShared
{

// The kernel's parameters, `workspace` already being the user's part.
struct GradArguments {
    GM_ADDR partialBlock;
    GM_ADDR blockRes;
    GM_ADDR projWeight;
    GM_ADDR normWeight;
    GM_ADDR gradHiddenStates;
    GM_ADDR invNorm;
    GM_ADDR probs;
    GM_ADDR gradPartialBlock;
    GM_ADDR gradBlockRes;
    GM_ADDR gradProjWeight;
    GM_ADDR gradNormWeight;
    GM_ADDR workspace;
};

template <typename T>
struct GradTensors {
    __aicore__ inline void Init(const GradArguments& arguments, const BlockAttentionResidualsGradTilingData& tiling)
    {
        hidden = static_cast<uint32_t>(tiling.hiddenSize);
        blocks = static_cast<uint32_t>(tiling.numBlocks);
        rows = static_cast<uint32_t>(tiling.totalBlocks);
        usedCores = static_cast<uint32_t>(tiling.usedCoreNum);
        perCoreFloats = tiling.perCoreWkspBytes / sizeof(float);
        const uint64_t core = AscendC::GetBlockIdx();
        const uint64_t share = tiling.batchSize / usedCores;
        const uint64_t extra = tiling.batchSize % usedCores;
        tokenBegin = core * share + (core < extra ? core : extra);
        tokenEnd = tokenBegin + share + (core < extra ? 1 : 0);

        const uint64_t rowElements = tiling.batchSize * hidden;
        const uint64_t scores = tiling.batchSize * rows;
        partialBlock.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.partialBlock), rowElements);
        blockRes.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.blockRes), rowElements * blocks);
        projWeight.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.projWeight), hidden);
        normWeight.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.normWeight), hidden);
        gradHiddenStates.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.gradHiddenStates), rowElements);
        invNorm.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(arguments.invNorm), scores);
        probs.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(arguments.probs), scores);
        gradPartialBlock.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.gradPartialBlock), rowElements);
        gradBlockRes.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.gradBlockRes), rowElements * blocks);
        gradProjWeight.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.gradProjWeight), hidden);
        gradNormWeight.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.gradNormWeight), hidden);
        partials.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(arguments.workspace), perCoreFloats * usedCores);
    }

    // Row `row` of a token's values, block_res first and partial_block last, from element `offset`.
    __aicore__ inline AscendC::GlobalTensor<T> ValueRow(uint64_t token, uint32_t row, uint64_t offset) const
    {
        return row < blocks ? blockRes[(token * blocks + row) * hidden + offset]
                            : partialBlock[token * hidden + offset];
    }

    // The same row of the gradients.
    __aicore__ inline AscendC::GlobalTensor<T> GradRow(uint64_t token, uint32_t row, uint64_t offset) const
    {
        return row < blocks ? gradBlockRes[(token * blocks + row) * hidden + offset]
                            : gradPartialBlock[token * hidden + offset];
    }

    uint32_t hidden;
    uint32_t blocks;
    uint32_t rows;
    uint32_t usedCores;
    uint64_t perCoreFloats;  // distance between two cores' partials
    uint64_t tokenBegin;
    uint64_t tokenEnd;

    AscendC::GlobalTensor<T> partialBlock;
    AscendC::GlobalTensor<T> blockRes;
    AscendC::GlobalTensor<T> projWeight;
    AscendC::GlobalTensor<T> normWeight;
    AscendC::GlobalTensor<T> gradHiddenStates;
    AscendC::GlobalTensor<float> invNorm;
    AscendC::GlobalTensor<float> probs;
    AscendC::GlobalTensor<T> gradPartialBlock;
    AscendC::GlobalTensor<T> gradBlockRes;
    AscendC::GlobalTensor<T> gradProjWeight;
    AscendC::GlobalTensor<T> gradNormWeight;
    AscendC::GlobalTensor<float> partials;  // a float32 row of H per core, in the workspace
};

}  // namespace BlockAttentionResidualsGradShared

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_TENSORS_H
