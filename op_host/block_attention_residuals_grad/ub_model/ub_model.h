// What the UB models of both architectures have in common. A model is a pure function from a shape to the list of
// buffers that a kernel takes from its pipe; tiling adds the buffers that use what is left over.

#ifndef OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_UB_MODEL_H
#define OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_UB_MODEL_H

#include <cstdint>
#include <vector>

#include "op_host/common/tiling/ub_buffers.h"

namespace optiling
{

constexpr uint64_t MIN_BATCH_TOKENS = 4;  // fewer leave most lanes of the scores empty

// What tiling asks of an architecture. totalBlocks is N1 = N + 1, the number of value rows of a token; dtypeBytes is 2
// or 4.
struct UbModel {
    // The buffers when a whole row of hiddenSize elements is in UB.
    std::vector<UbBuffer> (*fullBuffers)(uint64_t hiddenSize, uint64_t totalBlocks, uint32_t dtypeBytes);
    // The buffers when a tile of tileSize elements is in UB; tileSize 0 gives the part that does not depend on it.
    std::vector<UbBuffer> (*splitBuffers)(uint64_t tileSize, uint64_t totalBlocks, uint32_t dtypeBytes);
    // Bytes of one copy buffer of the main dtype: what one resident row or one more stream buffer costs.
    uint64_t (*fullRowBytes)(uint64_t hiddenSize, uint32_t dtypeBytes);
    uint64_t (*splitRowBytes)(uint64_t tileSize, uint32_t dtypeBytes);
    // UB bytes that one element of a tile costs, before rounding.
    uint64_t (*splitBytesPerElement)(uint32_t dtypeBytes);
    // Elements that a tile is a multiple of.
    uint64_t (*tileAlignment)(uint32_t dtypeBytes);
    // FULL: bytes for intermediate vectors that the kernels want beyond the model's rows, where those are short.
    uint64_t (*fullExtraWorkBytes)(uint64_t hiddenSize, uint64_t totalBlocks, uint64_t batchTokens);
    // FULL: how many tokens the kernels can hold at once, 1 or less where that does not pay, and what `batchTokens`, 2
    // or more, take beyond fullBuffers and fullExtraWorkBytes.
    uint64_t (*maxBatchTokens)(uint64_t hiddenSize, uint64_t totalBlocks);
    std::vector<UbBuffer> (*batchBuffers)(uint64_t hiddenSize, uint64_t totalBlocks, uint32_t dtypeBytes,
                                          uint64_t batchTokens);
    // Copy buffers of the model.
    uint64_t copyBuffers;
    // Bytes that an array of N1 scores is a multiple of.
    uint64_t scoreAlignment;
    // Whether the kernels carry the [N1] scores in two floats.
    bool scoresInTwoFloats;
    // Copy buffers beyond the model's that SPLIT has a use for.
    uint64_t maxExtraSplitBuffers;
    // By the time model: tokens that a core should have at least, of rows so short that tokens are worked on together;
    // value elements of a token from which on it pays to share it between cores, and rows that a
    // core should have at least where rows are shared out, a multiple of GROUP_ALIGNMENT.
    uint64_t (*minTokens)(uint64_t hiddenSize, uint64_t totalBlocks, uint64_t tokens, uint64_t cores);
    uint64_t minSharedElements;
    uint64_t minGroupRows;
};

}  // namespace optiling

#endif  // OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_UB_MODEL_H
