// What host tiling hands to the BlockAttentionResiduals kernels: the one definition that both sides include.
// op_host/block_attention_residuals/tiling_plan.h fills it; the kernels read it through GET_TILING_DATA.
// No field is followed by padding, so that the layout is the same for every compiler.

#ifndef OP_KERNEL_BLOCK_ATTENTION_RESIDUALS_TILING_DATA_H
#define OP_KERNEL_BLOCK_ATTENTION_RESIDUALS_TILING_DATA_H

#include <cstdint>

struct BlockAttentionResidualsTilingData {
    uint64_t batchSize;       // T: tokens
    uint64_t numBlocks;       // N: stored residual blocks, rows of block_res per token
    uint64_t totalBlocks;     // N1 = N + 1: value rows per token, the last one is partial_block
    uint64_t hiddenSize;      // H: elements of a row
    uint64_t hiddenTileSize;  // elements of H that lie in UB at once; FULL: H
    uint64_t hiddenTileNum;   // ceil(H / hiddenTileSize); FULL: 1
    uint64_t usedCoreNum;     // cores that own tokens, min(core count, T): the block dim of the launch
    uint64_t batchTokens;  // FULL: tokens whose rows are copied and computed together, 1 where rows are long; SPLIT: 1
    uint64_t rowSets;      // FULL: how often UB holds the rows of batchTokens tokens, 1 or 2; SPLIT: 0
    uint64_t scorePitch;   // floats between the scores of two value rows; a row has one float per token of a batch
    uint64_t streamBuffers;  // SPLIT: copy buffers that tiles come through; FULL: 0
    uint64_t ubBytesUsed;    // bytes that the kernel takes from its pipe, exactly
    float normEps;           // added to the mean of the squares, inside the root
    uint32_t needBackward;   // 1: inv_norm and probs are written; 0: those outputs have no elements
};

#endif  // OP_KERNEL_BLOCK_ATTENTION_RESIDUALS_TILING_DATA_H
