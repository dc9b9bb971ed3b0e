// The operator's tensors in global memory, and which part of them is this core's, for the kernels of both
// architectures; what a core does with them is in arch22/ and arch35/. Tokens are shared out over the cores. Where
// there are few, cores share a token: its rows are cut into segments, and where it has many rows they are shared out in
// groups. Core number (segment * rowGroups + group) * tokens + token has that part. Offsets in a row count from the
// beginning of the core's segment.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_TENSORS_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_TENSORS_H

#include "../common/copy_buffer.h"
#include "../common/token_range.h"
#include "block_attention_residuals_grad_tiling_data.h"
#include "kernel_operator.h"

namespace BlockAttentionResidualsGradShared
{

constexpr uint64_t MAX_COPY_GAP_BYTES = 0xFFFFFFFF;  // between two blocks of a copy in global memory

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
        partialFloats = tiling.partialBytes / sizeof(float);
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
        SetWorkspace(arguments.workspace, tiling);
    }

    // Whether other cores have a part of this core's token. It has one token then.
    __aicore__ inline bool IsShared() const
    {
        return segments > 1 || ownRows < rows;
    }

    // Distance of what two segments' cores give away of a token's scores.
    __aicore__ inline uint32_t SharedScoreFloats() const
    {
        return KernelCommon::AlignUp(SHARED_SCORES * rows * sizeof(float), WORKSPACE_ALIGNMENT) / sizeof(float);
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
    uint32_t rows;      // N1
    uint32_t rowBegin;  // the first of a token's rows that this core has,
    uint32_t ownRows;   // and how many it has
    uint32_t segments;
    uint32_t segment;        // this core's
    uint32_t segmentCores;   // cores that have this segment,
    uint32_t segmentIndex;   // and which of them this is
    uint64_t partialFloats;  // distance between two cores' partials
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
    // In the workspace:
    AscendC::GlobalTensor<float> partials;      // of the cores that have this segment, a float32 row each
    AscendC::GlobalTensor<float> sharedScores;  // of all segments of a shared token, SharedScoreFloats() each

private:
    __aicore__ inline void InitShare(const BlockAttentionResidualsGradTilingData& tiling)
    {
        const uint32_t core = static_cast<uint32_t>(AscendC::GetBlockIdx());
        const uint32_t segmentElements = static_cast<uint32_t>(tiling.segmentElements);
        const uint32_t groupRows = static_cast<uint32_t>(tiling.groupRows);
        segments = static_cast<uint32_t>(tiling.rowSegments);
        segmentCores = static_cast<uint32_t>(tiling.usedCoreNum) / segments;
        segment = core / segmentCores;
        segmentIndex = core % segmentCores;
        begin_ = static_cast<uint64_t>(segment) * segmentElements;
        width = hidden - begin_ < segmentElements ? static_cast<uint32_t>(hidden - begin_) : segmentElements;
        const uint32_t groupCores = segmentCores / static_cast<uint32_t>(tiling.rowGroups);
        rowBegin = segmentIndex / groupCores * groupRows;
        ownRows = rows - rowBegin < groupRows ? rows - rowBegin : groupRows;
        KernelCommon::TokenRange range;
        range.Init(tiling.batchSize, groupCores, segmentIndex % groupCores);
        tokenBegin = range.begin;
        tokenEnd = range.end;
    }

    // A tensor of rows, from the core's segment of the first one on.
    __aicore__ inline void SetRows(AscendC::GlobalTensor<T>& tensor, GM_ADDR address, uint64_t elements) const
    {
        tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(address) + begin_, elements - begin_);
    }

    __aicore__ inline void SetWorkspace(GM_ADDR workspace, const BlockAttentionResidualsGradTilingData& tiling)
    {
        __gm__ float* const first = reinterpret_cast<__gm__ float*>(workspace);
        const uint64_t segmentFloats = segmentCores * partialFloats;
        partials.SetGlobalBuffer(first + segment * segmentFloats, segmentFloats);
        if (IsShared()) {
            const uint64_t tokenFloats = static_cast<uint64_t>(segments) * SharedScoreFloats();
            sharedScores.SetGlobalBuffer(first + tiling.sharedScoresWkspOff / sizeof(float) + tokenBegin * tokenFloats,
                                         tokenFloats);
        }
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
