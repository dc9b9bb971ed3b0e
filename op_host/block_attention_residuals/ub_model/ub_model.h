// What the UB models of both architectures have in common. A model is a pure function from a shape, and from how much
// of it lies in UB at once, to the list of buffers that a kernel takes from its pipe.

#ifndef OP_HOST_BLOCK_ATTENTION_RESIDUALS_UB_MODEL_H
#define OP_HOST_BLOCK_ATTENTION_RESIDUALS_UB_MODEL_H

#include <cstdint>
#include <vector>

#include "op_host/common/tiling/ub_buffers.h"

namespace optiling
{
namespace block_attention_residuals
{

// What the buffers of a token depend on. totalBlocks is N1 = N + 1, dtypeBytes is 2 or 4.
struct RowShape {
    uint64_t hiddenSize;
    uint64_t totalBlocks;
    uint32_t dtypeBytes;
};

// What tiling asks of an architecture.
struct UbModel {
    // FULL: the buffers when UB holds the value rows of batchTokens tokens rowSets times.
    std::vector<UbBuffer> (*fullBuffers)(const RowShape& shape, uint64_t batchTokens, uint64_t rowSets);
    // SPLIT: the buffers with tiles of tileSize elements; tileSize 0 gives the part that does not depend on it.
    std::vector<UbBuffer> (*splitBuffers)(uint64_t tileSize, uint64_t totalBlocks, uint32_t dtypeBytes);
    // UB bytes that one element of a tile costs, before rounding; long tiles may cost more.
    uint64_t (*splitBytesPerElement)(uint32_t dtypeBytes);
    // Elements that a tile is a multiple of.
    uint64_t (*tileAlignment)(uint32_t dtypeBytes);
    // Bytes of one value row in FULL.
    uint64_t (*fullRowBytes)(uint64_t hiddenSize, uint32_t dtypeBytes);
    // Floats between the scores of two value rows of batchTokens tokens.
    uint64_t (*scorePitch)(uint64_t batchTokens);
    // Tokens that the kernels can compute together.
    uint64_t maxBatchTokens;
    // Copy buffers of SPLIT that tiles come through.
    uint64_t streamBuffers;
};

}  // namespace block_attention_residuals
}  // namespace optiling

#endif  // OP_HOST_BLOCK_ATTENTION_RESIDUALS_UB_MODEL_H
