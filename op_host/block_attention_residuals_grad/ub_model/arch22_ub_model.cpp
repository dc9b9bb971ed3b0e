// UB buffers of the arch22 kernels; see arch22_ub_model.h.

#include "op_host/block_attention_residuals_grad/ub_model/arch22_ub_model.h"

#include <algorithm>

namespace optiling
{
namespace arch22
{
namespace
{

constexpr uint64_t BLOCK_BYTES = 32;  // UB addresses and buffer lengths are multiples of a 32-byte data block
constexpr uint64_t FLOAT_BYTES = 4;
// One vector repeat holds 64 float32: a shorter row still gets a whole repeat, so that reductions need no mask.
constexpr uint64_t MIN_ROW_ELEMENTS = 64;
constexpr uint64_t REDUCE_SCRATCH_BYTES = 32;
constexpr uint64_t FLOAT_ROW_NUM = 6;
// The rows "value" and "scratch" hold the tails of the score weight, low parts of two [N1] scores, and 12 vectors of
// 256 float32 for intermediate results (WORK_VECTORS and MAX_WORK_LANES of the kernels).
constexpr uint64_t SCORE_LOW_PART_NUM = 2;
constexpr uint64_t WORK_BYTES = FLOAT_BYTES * 12 * 256;

// The six float32 rows (or tiles) of both modes.
std::vector<UbBuffer> FloatRows(uint64_t bytes)
{
    return {
        {"scoreWeight", 1, bytes},   {"gradHidden", 1, bytes},
        {"weightGradSum", 1, bytes}, {"weightGradCompensation", 1, bytes},
        {"value", 1, bytes},         {"scratch", 1, bytes},
    };
}

// The four float32 rows of N1 entries of both modes.
void AppendTokenScalars(uint64_t totalBlocks, std::vector<UbBuffer>& buffers)
{
    const uint64_t bytes = AlignUp(FLOAT_BYTES * totalBlocks, BLOCK_BYTES);
    buffers.push_back({"probs", 1, bytes});
    buffers.push_back({"invNorm", 1, bytes});
    buffers.push_back({"gradScore", 1, bytes});
    buffers.push_back({"varianceScale", 1, bytes});
}

uint64_t SplitBytesPerElement(uint32_t dtypeBytes)
{
    return FLOAT_ROW_NUM * FLOAT_BYTES + dtypeBytes;
}

uint64_t TileAlignment(uint32_t dtypeBytes)
{
    return BLOCK_BYTES / dtypeBytes;
}

uint64_t FullExtraWorkBytes(uint64_t hiddenSize, uint64_t totalBlocks)
{
    const uint64_t rowBytes = AlignUp(FLOAT_BYTES * std::max(hiddenSize, MIN_ROW_ELEMENTS), BLOCK_BYTES);
    const uint64_t wanted = SCORE_LOW_PART_NUM * AlignUp(FLOAT_BYTES * totalBlocks, BLOCK_BYTES) + WORK_BYTES;
    return wanted > rowBytes ? wanted - rowBytes : 0;
}

}  // namespace

std::vector<UbBuffer> FullBuffers(uint64_t hiddenSize, uint64_t totalBlocks, uint32_t dtypeBytes)
{
    const uint64_t rowElements = std::max(hiddenSize, MIN_ROW_ELEMENTS);
    std::vector<UbBuffer> buffers = FloatRows(AlignUp(FLOAT_BYTES * rowElements, BLOCK_BYTES));
    buffers.push_back({"rowCopy", 1, FullRowBytes(hiddenSize, dtypeBytes)});
    AppendTokenScalars(totalBlocks, buffers);
    buffers.push_back({"reduceScratch", 1, REDUCE_SCRATCH_BYTES});
    return buffers;
}

std::vector<UbBuffer> SplitBuffers(uint64_t tileSize, uint64_t totalBlocks, uint32_t dtypeBytes)
{
    std::vector<UbBuffer> buffers = FloatRows(AlignUp(FLOAT_BYTES * tileSize, BLOCK_BYTES));
    buffers.push_back({"tileCopy", 1, SplitRowBytes(tileSize, dtypeBytes)});
    AppendTokenScalars(totalBlocks, buffers);
    // g and d grow over the tiles of a row: each needs the lost low bits of its running sum (Kahan).
    const uint64_t scalarBytes = AlignUp(FLOAT_BYTES * totalBlocks, BLOCK_BYTES);
    buffers.push_back({"gradScoreCompensation", 1, scalarBytes});
    buffers.push_back({"varianceScaleCompensation", 1, scalarBytes});
    buffers.push_back({"reduceScratch", 1, REDUCE_SCRATCH_BYTES});
    return buffers;
}

uint64_t FullRowBytes(uint64_t hiddenSize, uint32_t dtypeBytes)
{
    return AlignUp(dtypeBytes * std::max(hiddenSize, MIN_ROW_ELEMENTS), BLOCK_BYTES);
}

uint64_t SplitRowBytes(uint64_t tileSize, uint32_t dtypeBytes)
{
    return AlignUp(dtypeBytes * tileSize, BLOCK_BYTES);
}

const UbModel& GetUbModel()
{
    static const UbModel model = {"arch22",
                                  FullBuffers,
                                  SplitBuffers,
                                  FullRowBytes,
                                  SplitRowBytes,
                                  SplitBytesPerElement,
                                  TileAlignment,
                                  FullExtraWorkBytes,
                                  1,
                                  false,
                                  false,
                                  3};
    return model;
}

}  // namespace arch22
}  // namespace optiling
