// UB buffers of the arch35 kernels; see arch35_ub_model.h. What is kept in two floats has a buffer for the low part.

#include "op_host/block_attention_residuals/ub_model/arch35_ub_model.h"

namespace optiling
{
namespace block_attention_residuals
{
namespace arch35
{
namespace
{

constexpr uint64_t REGISTER_BYTES = 256;  // a vector register: whole registers are loaded and stored
constexpr uint64_t REGISTER_LANES = 64;   // tokens of a batch: the scores of each are one lane
constexpr uint64_t FLOAT_BYTES = 4;
constexpr uint64_t COPY_ALIGNMENT_ELEMENTS = 16;  // 32 bytes of a 2-byte dtype
constexpr uint64_t SCORE_PITCH_ALIGNMENT = 8;     // floats: the scores of a row of a batch begin at a 32-byte block
constexpr uint64_t SCORE_NUM = 4;                 // sum of squares and dot product, with their low parts
constexpr uint64_t STREAM_BUFFERS = 4;
constexpr uint64_t RESULT_BUFFERS = 2;  // of hidden_states' tiles

// One token's scores lie side by side.
uint64_t ScorePitch(uint64_t batchTokens)
{
    return batchTokens == 1 ? 1 : AlignUp(batchTokens, SCORE_PITCH_ALIGNMENT);
}

// The last row is loaded as a whole register too.
uint64_t ScoreBytes(uint64_t totalBlocks, uint64_t batchTokens)
{
    return AlignUp(FLOAT_BYTES * ScorePitch(batchTokens) * (totalBlocks - 1), REGISTER_BYTES) + REGISTER_BYTES;
}

// The scores of a batch, by value rows, and inv_norm and probs as they leave, by tokens.
void AppendScores(uint64_t totalBlocks, uint64_t batchTokens, std::vector<UbBuffer>& buffers)
{
    buffers.push_back({"tokenScores", 2, AlignUp(FLOAT_BYTES * batchTokens * totalBlocks, REGISTER_BYTES)});
    buffers.push_back({"scores", SCORE_NUM, ScoreBytes(totalBlocks, batchTokens)});
}

// float32 rows or tiles; the product of two float32 values needs a low part.
void AppendFloatRows(const char* name, const char* lowName, uint64_t elements, uint32_t dtypeBytes,
                     std::vector<UbBuffer>& buffers)
{
    const uint64_t bytes = AlignUp(FLOAT_BYTES * elements, REGISTER_BYTES);
    buffers.push_back({name, 1, bytes});
    if (dtypeBytes == FLOAT_BYTES) {
        buffers.push_back({lowName, 1, bytes});
    }
}

uint64_t FullRowBytes(uint64_t hiddenSize, uint32_t dtypeBytes)
{
    return dtypeBytes * AlignUp(hiddenSize, COPY_ALIGNMENT_ELEMENTS);
}

std::vector<UbBuffer> FullBuffers(const RowShape& shape, uint64_t batchTokens, uint64_t rowSets)
{
    std::vector<UbBuffer> buffers;
    AppendFloatRows("scoreWeight", "scoreWeightLow", shape.hiddenSize, shape.dtypeBytes, buffers);
    buffers.push_back(
        {"rows", rowSets * batchTokens * shape.totalBlocks, FullRowBytes(shape.hiddenSize, shape.dtypeBytes)});
    AppendScores(shape.totalBlocks, batchTokens, buffers);
    return buffers;
}

std::vector<UbBuffer> SplitBuffers(uint64_t tileSize, uint64_t totalBlocks, uint32_t dtypeBytes)
{
    std::vector<UbBuffer> buffers;
    AppendFloatRows("scoreWeight", "scoreWeightLow", tileSize, dtypeBytes, buffers);
    AppendFloatRows("hiddenSum", "hiddenSumLow", tileSize, dtypeBytes, buffers);
    const uint64_t copyBytes = AlignUp(dtypeBytes * tileSize, REGISTER_BYTES);
    buffers.push_back({"tileCopy", STREAM_BUFFERS, copyBytes});
    buffers.push_back({"hiddenCopy", RESULT_BUFFERS, copyBytes});
    AppendScores(totalBlocks, 1, buffers);
    return buffers;
}

uint64_t SplitBytesPerElement(uint32_t dtypeBytes)
{
    const uint64_t floatRows = dtypeBytes == FLOAT_BYTES ? 4 : 2;
    return floatRows * FLOAT_BYTES + (STREAM_BUFFERS + RESULT_BUFFERS) * dtypeBytes;
}

uint64_t TileAlignment(uint32_t dtypeBytes)
{
    return REGISTER_BYTES / dtypeBytes;
}

}  // namespace

const UbModel& GetUbModel()
{
    static const UbModel model = {FullBuffers,  SplitBuffers, SplitBytesPerElement, TileAlignment,
                                  FullRowBytes, ScorePitch,   REGISTER_LANES,       STREAM_BUFFERS};
    return model;
}

}  // namespace arch35
}  // namespace block_attention_residuals
}  // namespace optiling
