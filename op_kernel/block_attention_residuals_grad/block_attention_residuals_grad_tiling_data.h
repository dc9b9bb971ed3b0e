// What host tiling hands to the BlockAttentionResidualsGrad kernels: the one definition that both sides include.
// op_host/block_attention_residuals_grad/tiling_plan.h fills it; the kernels read it through GET_TILING_DATA.
// Only 8-byte fields, so that the layout is the same for every compiler and has no padding.

#ifndef OP_KERNEL_BLOCK_ATTENTION_RESIDUALS_GRAD_TILING_DATA_H
#define OP_KERNEL_BLOCK_ATTENTION_RESIDUALS_GRAD_TILING_DATA_H

#include <cstdint>

struct BlockAttentionResidualsGradTilingData {
    uint64_t batchSize;             // T: tokens
    uint64_t numBlocks;             // N: stored residual blocks, rows of block_res per token
    uint64_t totalBlocks;           // N1 = N + 1: value rows per token, the last one is partial_block
    uint64_t hiddenSize;            // H: elements of a row
    uint64_t hiddenTileSize;        // elements of H that one pass holds in UB; FULL: H
    uint64_t hiddenTileNum;         // ceil(H / hiddenTileSize); FULL: 1
    uint64_t coreNum;               // AIV cores of the platform; the workspace has a weight partial for each
    uint64_t perCoreWkspBytes;      // bytes of one core's float32 weight partial, distance between two of them
    uint64_t gradScoresWkspOff;     // byte offset in the workspace of the float32 [T, N1] gs area; FULL: 0
    uint64_t varianceScaleWkspOff;  // byte offset of the float32 [T, N1] variance scale area; FULL: 0
    uint64_t rowSegments;           // segments that rows are cut into, each a core's; 1: a core has whole rows
    uint64_t segmentElements;       // elements of a row that a core has, the last segment fewer; whole rows: H
    uint64_t segmentTiles;          // SPLIT: tiles of a segment; 0 where segments lie whole in UB, and in FULL
    uint64_t rowGroups;             // groups that a token's value rows are shared out in, each a core's; 1: no groups
    uint64_t groupRows;             // value rows of a group, the last one fewer; a core has all: N1
    uint64_t partialBytes;         // distance of two cores' weight partials; perCoreWkspBytes unless cores share tokens
    uint64_t sharedScoresWkspOff;  // byte offset of what cores that share a token exchange; 0 where none do
    uint64_t usedCoreNum;          // cores that have work: the block dim of the launch
    uint64_t residentRows;         // value rows that stay in UB between the two passes over V; SPLIT: 0
    uint64_t streamBuffers;        // copy buffers that stream rows and grad_hidden
    uint64_t extraRowBuffers;      // copy buffers beyond those of the UB model
    uint64_t batchTokens;          // tokens whose rows lie in UB together; 1 but for FULL with short rows
    uint64_t scoreLowParts;        // arch35 FULL: where the scores' low parts lie, SCORE_LOW_PARTS_...
    uint64_t extraWorkBytes;       // arch22 FULL: UB for intermediate vectors beyond the rows that the model has
    uint64_t ubBytesUsed;          // bytes that the kernel takes from its pipe, exactly
};

// What cores that share a token exchange: g and d of each row, a high and a low part each, one float32 array of N1
// each. The workspace has them for each token and segment.
constexpr uint64_t SHARED_SCORES = 4;

// Bytes that whatever lies in the workspace begins at a multiple of: copies to global memory are fastest from there.
constexpr uint64_t WORKSPACE_ALIGNMENT = 512;

// The arch35 kernels carry the [N1] scores in two floats, and FULL's UB model has room for one.
constexpr uint64_t SCORE_LOW_PARTS_NONE = 0;        // nowhere: scores are rounded to one float
constexpr uint64_t SCORE_LOW_PARTS_PACKED = 1;      // in the second half of the scores' own buffers; N1 <= 32
constexpr uint64_t SCORE_LOW_PARTS_IN_SCRATCH = 2;  // in the scratch row
constexpr uint64_t SCORE_LOW_PARTS_OWN = 3;         // in two buffers of their own

#endif  // OP_KERNEL_BLOCK_ATTENTION_RESIDUALS_GRAD_TILING_DATA_H
