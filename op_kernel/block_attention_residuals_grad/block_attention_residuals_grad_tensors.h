// The operator's tensors in global memory, and which part of them is this core's, for the kernels of both
// architectures; what a core does with them is in arch22/ and arch35/. Tokens are shared out over the cores. Where
// there are few, rows are cut into segments too: a group of cores has the tokens' segments of one number, and group
// after group the others. Offsets in a row count from the beginning of the core's segment.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_TENSORS_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_TENSORS_H

#include "../common/token_range.h"
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
        perCoreFloats = tiling.perCoreWkspBytes / sizeof(float);
        InitShare(tiling);

        const uint64_t rowElements = tiling.batchSize * hidden;
        const uint64_t scores = tiling.batchSize * rows;
        SetRows(partialBlock, arguments.partialBlock, rowElements);
        SetRows(blockRes, arguments.blockRes, rowElements * blocks);
        SetRows(projWeight, arguments.projWeight, hidden);
        SetRows(normWeight, arguments.normWeight, hidden);
        SetRows(gradHiddenStates, arguments.gradHiddenStates, rowElements);
        invNorm.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(arguments.invNorm), scores);
        probs.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(arguments.probs), scores);
        SetRows(gradPartialBlock, arguments.gradPartialBlock, rowElements);
        SetRows(gradBlockRes, arguments.gradBlockRes, rowElements * blocks);
        SetRows(gradProjWeight, arguments.gradProjWeight, hidden);
        SetRows(gradNormWeight, arguments.gradNormWeight, hidden);
        SetPartials(arguments.workspace, static_cast<uint32_t>(tiling.usedCoreNum));
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

    uint32_t hidden;  // H, the distance of two rows
    uint32_t width;   // elements of a row that this core has
    uint32_t blocks;
    uint32_t rows;
    uint32_t segments;
    uint32_t segment;        // this core's
    uint32_t groupCores;     // cores that have this segment,
    uint32_t groupIndex;     // and which of them this is
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
    // In the workspace, perCoreFloats for each core. With segments those of a token's scores come first.
    AscendC::GlobalTensor<float> partials;       // of the group's cores, a float32 row each
    AscendC::GlobalTensor<float> segmentScores;  // of the cores that have this core's token, groupCores cores apart

private:
    __aicore__ inline void InitShare(const BlockAttentionResidualsGradTilingData& tiling)
    {
        const uint32_t core = static_cast<uint32_t>(AscendC::GetBlockIdx());
        const uint32_t segmentElements = static_cast<uint32_t>(tiling.segmentElements);
        segments = static_cast<uint32_t>(tiling.rowSegments);
        groupCores = static_cast<uint32_t>(tiling.usedCoreNum) / segments;
        segment = core / groupCores;
        groupIndex = core % groupCores;
        begin_ = static_cast<uint64_t>(segment) * segmentElements;
        width = hidden - begin_ < segmentElements ? static_cast<uint32_t>(hidden - begin_) : segmentElements;
        KernelCommon::TokenRange range;
        range.Init(tiling.batchSize, groupCores, groupIndex);
        tokenBegin = range.begin;
        tokenEnd = range.end;
    }

    // A tensor of rows, from the core's segment of the first one on.
    __aicore__ inline void SetRows(AscendC::GlobalTensor<T>& tensor, GM_ADDR address, uint64_t elements) const
    {
        tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(address) + begin_, elements - begin_);
    }

    __aicore__ inline void SetPartials(GM_ADDR workspace, uint32_t cores)
    {
        __gm__ float* const first = reinterpret_cast<__gm__ float*>(workspace);
        const uint64_t groupBegin = static_cast<uint64_t>(segment) * groupCores * perCoreFloats;
        const uint64_t scoreFloats = segments == 1 ? 0 : SEGMENT_SCORES * rows;
        partials.SetGlobalBuffer(first + groupBegin + scoreFloats, groupCores * perCoreFloats - scoreFloats);
        const uint64_t tokenCore = groupIndex * perCoreFloats;
        segmentScores.SetGlobalBuffer(first + tokenCore, cores * perCoreFloats - tokenCore);
    }

    uint64_t begin_;
};

template <typename Kernel>
__aicore__ inline void RunKernel(const GradArguments& arguments, const BlockAttentionResidualsGradTilingData& tiling,
                                 AscendC::TPipe* pipe)
{
    Kernel kernel;
    kernel.Init(arguments, tiling, pipe);
    kernel.Process();
}

}  // namespace BlockAttentionResidualsGradShared

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_TENSORS_H
