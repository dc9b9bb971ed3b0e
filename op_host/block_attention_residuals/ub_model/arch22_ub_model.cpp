// UB buffers of the arch22 kernels; see arch22_ub_model.h.

#include "op_host/block_attention_residuals/ub_model/arch22_ub_model.h"

#include <algorithm>

namespace optiling
{
namespace block_attention_residuals
{
namespace arch22
{
namespace
{

constexpr uint64_t BLOCK_BYTES = 32;  // UB addresses and buffer lengths are multiples of a 32-byte data block
constexpr uint64_t FLOAT_BYTES = 4;
constexpr uint64_t VECTOR_LANES = 64;  // floats of a vector repeat
constexpr uint64_t REPEAT_BYTES = FLOAT_BYTES * VECTOR_LANES;
// Sum of squares and dot product, with their low parts; the mask that cuts floats in halves.
constexpr uint64_t SCORE_NUM = 5;
constexpr uint64_t STREAM_BUFFERS = 4;
constexpr uint64_t RESULT_BUFFERS = 2;  // of hidden_states' tiles
// A row is walked in at most 8 chunks, whose intermediate results lie in 4 vectors of one chunk each; then come two
// vectors for the sums of 8 rows, a repeat each.
constexpr uint64_t MAX_ROW_CHUNKS = 8;
constexpr uint64_t MIN_WORK_LANES = 512;
constexpr uint64_t WORK_VECTOR_NUM = 4;
constexpr uint64_t GROUP_BYTES = 2 * 8 * REPEAT_BYTES;
constexpr uint64_t SCALAR_BYTES = FLOAT_BYTES * 128;
constexpr uint64_t MAX_BATCH_TOKENS = 1;

uint64_t ScorePitch(uint64_t batchTokens)
{
    return batchTokens;
}

// `width`: elements of a row that lie in UB at once.
void AppendRest(uint64_t totalBlocks, uint64_t width, std::vector<UbBuffer>& buffers)
{
    const uint64_t workLanes = std::max(MIN_WORK_LANES, AlignUp(CeilDiv(width, MAX_ROW_CHUNKS), VECTOR_LANES));
    buffers.push_back({"tokenScores", 2, AlignUp(FLOAT_BYTES * totalBlocks, BLOCK_BYTES)});
    buffers.push_back({"scores", SCORE_NUM, AlignUp(FLOAT_BYTES * totalBlocks, REPEAT_BYTES)});
    buffers.push_back({"scalars", 1, SCALAR_BYTES});
    buffers.push_back({"work", 1, WORK_VECTOR_NUM * FLOAT_BYTES * workLanes + GROUP_BYTES});
}

uint64_t FullRowBytes(uint64_t hiddenSize, uint32_t dtypeBytes)
{
    return AlignUp(dtypeBytes * hiddenSize, BLOCK_BYTES);
}

std::vector<UbBuffer> FullBuffers(const RowShape& shape, uint64_t batchTokens, uint64_t rowSets)
{
    std::vector<UbBuffer> buffers;
    buffers.push_back({"scoreWeight", 1, AlignUp(FLOAT_BYTES * shape.hiddenSize, BLOCK_BYTES)});
    buffers.push_back(
        {"rows", rowSets * batchTokens * shape.totalBlocks, FullRowBytes(shape.hiddenSize, shape.dtypeBytes)});
    AppendRest(shape.totalBlocks, shape.hiddenSize, buffers);
    return buffers;
}

std::vector<UbBuffer> SplitBuffers(uint64_t tileSize, uint64_t totalBlocks, uint32_t dtypeBytes)
{
    std::vector<UbBuffer> buffers;
    const uint64_t floatBytes = AlignUp(FLOAT_BYTES * tileSize, BLOCK_BYTES);
    buffers.push_back({"scoreWeight", 1, floatBytes});
    buffers.push_back({"hiddenSum", 1, floatBytes});
    if (dtypeBytes == FLOAT_BYTES) {
        buffers.push_back({"hiddenSumLow", 1, floatBytes});
    }
    const uint64_t copyBytes = AlignUp(dtypeBytes * tileSize, BLOCK_BYTES);
    buffers.push_back({"tileCopy", STREAM_BUFFERS, copyBytes});
    buffers.push_back({"hiddenCopy", RESULT_BUFFERS, copyBytes});
    AppendRest(totalBlocks, tileSize, buffers);
    return buffers;
}

// The work vectors grow with long tiles too.
uint64_t SplitBytesPerElement(uint32_t dtypeBytes)
{
    const uint64_t floatRows = dtypeBytes == FLOAT_BYTES ? 3 : 2;
    return floatRows * FLOAT_BYTES + (STREAM_BUFFERS + RESULT_BUFFERS) * dtypeBytes;
}

uint64_t TileAlignment(uint32_t dtypeBytes)
{
    return BLOCK_BYTES / dtypeBytes;
}

}  // namespace

const UbModel& GetUbModel()
{
    static const UbModel model = {FullBuffers,  SplitBuffers, SplitBytesPerElement, TileAlignment,
                                  FullRowBytes, ScorePitch,   MAX_BATCH_TOKENS,     STREAM_BUFFERS};
    return model;
}

}  // namespace arch22
}  // namespace block_attention_residuals
}  // namespace optiling
