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
// One vector repeat holds 64 float32: a shorter row still gets a whole repeat, so that reductions need no mask.
constexpr uint64_t MIN_ROW_ELEMENTS = 64;
constexpr uint64_t REPEAT_BYTES = 256;
constexpr uint64_t SCORE_PITCH_ALIGNMENT = 8;  // floats of a block
constexpr uint64_t SCORE_NUM = 4;              // sum of squares and dot product, with their low parts
constexpr uint64_t STREAM_BUFFERS = 4;
constexpr uint64_t RESULT_BUFFERS = 2;  // of hidden_states' tiles
// A row is walked in chunks of up to 256 elements, whose intermediate results lie in vectors of that many floats.
constexpr uint64_t WORK_VECTOR_NUM = 12;
constexpr uint64_t WORK_BYTES = FLOAT_BYTES * 256;
constexpr uint64_t REDUCE_SCRATCH_BYTES = 32;
constexpr uint64_t MAX_BATCH_TOKENS = 1;

uint64_t ScorePitch(uint64_t batchTokens)
{
    return batchTokens == 1 ? 1 : AlignUp(batchTokens, SCORE_PITCH_ALIGNMENT);
}

void AppendRest(uint64_t totalBlocks, uint64_t batchTokens, std::vector<UbBuffer>& buffers)
{
    buffers.push_back({"tokenScores", 2, AlignUp(FLOAT_BYTES * batchTokens * totalBlocks, BLOCK_BYTES)});
    buffers.push_back(
        {"scores", SCORE_NUM, AlignUp(FLOAT_BYTES * ScorePitch(batchTokens) * totalBlocks, REPEAT_BYTES)});
    buffers.push_back({"work", WORK_VECTOR_NUM, WORK_BYTES});
    buffers.push_back({"reduceScratch", 1, REDUCE_SCRATCH_BYTES});
}

// float32 rows or tiles; the product of two float32 values needs a low part.
void AppendFloatRows(const char* name, const char* lowName, uint64_t bytes, uint32_t dtypeBytes,
                     std::vector<UbBuffer>& buffers)
{
    buffers.push_back({name, 1, bytes});
    if (dtypeBytes == FLOAT_BYTES) {
        buffers.push_back({lowName, 1, bytes});
    }
}

uint64_t FullRowBytes(uint64_t hiddenSize, uint32_t dtypeBytes)
{
    return AlignUp(dtypeBytes * std::max(hiddenSize, MIN_ROW_ELEMENTS), BLOCK_BYTES);
}

std::vector<UbBuffer> FullBuffers(const RowShape& shape, uint64_t batchTokens, uint64_t rowSets)
{
    std::vector<UbBuffer> buffers;
    const uint64_t floatBytes = AlignUp(FLOAT_BYTES * std::max(shape.hiddenSize, MIN_ROW_ELEMENTS), BLOCK_BYTES);
    AppendFloatRows("scoreWeight", "scoreWeightLow", floatBytes, shape.dtypeBytes, buffers);
    buffers.push_back(
        {"rows", rowSets * batchTokens * shape.totalBlocks, FullRowBytes(shape.hiddenSize, shape.dtypeBytes)});
    AppendRest(shape.totalBlocks, batchTokens, buffers);
    return buffers;
}

std::vector<UbBuffer> SplitBuffers(uint64_t tileSize, uint64_t totalBlocks, uint32_t dtypeBytes)
{
    std::vector<UbBuffer> buffers;
    const uint64_t floatBytes = AlignUp(FLOAT_BYTES * tileSize, BLOCK_BYTES);
    AppendFloatRows("scoreWeight", "scoreWeightLow", floatBytes, dtypeBytes, buffers);
    AppendFloatRows("hiddenSum", "hiddenSumLow", floatBytes, dtypeBytes, buffers);
    const uint64_t copyBytes = AlignUp(dtypeBytes * tileSize, BLOCK_BYTES);
    buffers.push_back({"tileCopy", STREAM_BUFFERS, copyBytes});
    buffers.push_back({"hiddenCopy", RESULT_BUFFERS, copyBytes});
    AppendRest(totalBlocks, 1, buffers);
    return buffers;
}

uint64_t SplitBytesPerElement(uint32_t dtypeBytes)
{
    const uint64_t floatRows = dtypeBytes == FLOAT_BYTES ? 4 : 2;
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
