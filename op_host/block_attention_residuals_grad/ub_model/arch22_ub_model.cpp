// UB buffers of the arch22 kernels; see arch22_ub_model.h.

#include "op_host/block_attention_residuals_grad/ub_model/arch22_ub_model.h"

#include <algorithm>
#include <iterator>

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
// The rows "value" and "scratch" hold the tails of the score weight, low parts of two [N1] scores, and 12 vectors for
// intermediate results, of 256 float32 or, with batches, 512 (WORK_VECTORS, MAX_WORK_LANES and BATCH_WORK_LANES of the
// kernels).
constexpr uint64_t SCORE_NUM = 4;
constexpr uint64_t SCORE_LOW_PART_NUM = 2;
constexpr uint64_t WORK_LANES = 256;
constexpr uint64_t BATCH_WORK_LANES = 512;
constexpr uint64_t WORK_VECTOR_NUM = 12;
constexpr uint64_t BLOCK_LANES = BLOCK_BYTES / FLOAT_BYTES;
constexpr uint64_t REPEAT_LANES = 64;
constexpr uint64_t SCORE_COPY_NUM = 3;  // probs and inv_norm as they come, and the order that turns them

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

// Bytes of a float32 row of FULL. Batches have whole repeats for each row, and rows as wide as a group of them.
uint64_t FloatRowBytes(uint64_t hiddenSize, uint64_t batchTokens)
{
    if (batchTokens > 1) {
        const uint64_t rowLanes = AlignUp(hiddenSize, MIN_ROW_ELEMENTS);
        return FLOAT_BYTES * (BATCH_WORK_LANES / rowLanes * rowLanes);
    }
    return AlignUp(FLOAT_BYTES * std::max(hiddenSize, MIN_ROW_ELEMENTS), BLOCK_BYTES);
}

// Bytes of the [N1] scores of some tokens: by rows, each of whole blocks.
uint64_t ScoreBytes(uint64_t totalBlocks, uint64_t batchTokens)
{
    return batchTokens > 1 ? totalBlocks * AlignUp(FLOAT_BYTES * batchTokens, BLOCK_BYTES)
                           : AlignUp(FLOAT_BYTES * totalBlocks, BLOCK_BYTES);
}

uint64_t FullExtraWorkBytes(uint64_t hiddenSize, uint64_t totalBlocks, uint64_t batchTokens)
{
    const uint64_t rowBytes = FloatRowBytes(hiddenSize, batchTokens);
    const uint64_t workBytes = FLOAT_BYTES * WORK_VECTOR_NUM * (batchTokens > 1 ? BATCH_WORK_LANES : WORK_LANES);
    const uint64_t wanted = SCORE_LOW_PART_NUM * ScoreBytes(totalBlocks, batchTokens) + workBytes;
    return wanted > rowBytes ? wanted - rowBytes : 0;
}

// As many as have room for their scores in one work vector, and a lane of a repeat each; none where a row has no room.
uint64_t MaxBatchTokens(uint64_t hiddenSize, uint64_t totalBlocks)
{
    const uint64_t tokens = BATCH_WORK_LANES / totalBlocks / BLOCK_LANES * BLOCK_LANES;
    return hiddenSize > WORK_LANES ? 0 : std::min(tokens, REPEAT_LANES);
}

std::vector<UbBuffer> BatchBuffers(uint64_t hiddenSize, uint64_t totalBlocks, uint32_t dtypeBytes, uint64_t batchTokens)
{
    const uint64_t rowLanes = AlignUp(hiddenSize, MIN_ROW_ELEMENTS);
    // float32 has the heads and the tails of grad_hidden.
    const uint64_t gradHiddenRows = dtypeBytes == FLOAT_BYTES ? 2 * batchTokens : batchTokens;
    const UbBuffer all[] = {
        {"batchRows", batchTokens * totalBlocks, dtypeBytes * rowLanes},
        {"batchGradHiddenCopy", batchTokens, dtypeBytes * rowLanes},
        {"batchGradHidden", gradHiddenRows, FLOAT_BYTES * rowLanes},
        {"batchWiderRows", FLOAT_ROW_NUM, FloatRowBytes(hiddenSize, batchTokens) - FloatRowBytes(hiddenSize, 1)},
        {"batchScores", SCORE_NUM, ScoreBytes(totalBlocks, batchTokens) - ScoreBytes(totalBlocks, 1)},
        {"batchScoreCopies", SCORE_COPY_NUM, ScoreBytes(totalBlocks, batchTokens)},
        {"batchScalars", 1, AlignUp(FLOAT_BYTES * batchTokens, BLOCK_BYTES) - REDUCE_SCRATCH_BYTES},
    };
    std::vector<UbBuffer> buffers;
    std::copy_if(std::begin(all), std::end(all), std::back_inserter(buffers),
                 [](const UbBuffer& buffer) { return buffer.bytes > 0; });
    return buffers;
}

}  // namespace

std::vector<UbBuffer> FullBuffers(uint64_t hiddenSize, uint64_t totalBlocks, uint32_t dtypeBytes)
{
    std::vector<UbBuffer> buffers = FloatRows(FloatRowBytes(hiddenSize, 1));
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

// Tokens of a batch take much less time than as many one by one.
uint64_t MinTokens(uint64_t hiddenSize, uint64_t totalBlocks, uint64_t tokens, uint64_t cores)
{
    const bool batches = MaxBatchTokens(hiddenSize, totalBlocks) >= MIN_BATCH_TOKENS;
    return batches && tokens >= 2 * cores ? MIN_BATCH_TOKENS : 1;
}

const UbModel& GetUbModel()
{
    static const UbModel model = {FullBuffers,
                                  SplitBuffers,
                                  FullRowBytes,
                                  SplitRowBytes,
                                  SplitBytesPerElement,
                                  TileAlignment,
                                  FullExtraWorkBytes,
                                  MaxBatchTokens,
                                  BatchBuffers,
                                  1,
                                  BLOCK_BYTES,
                                  false,
                                  3,
                                  MinTokens,
                                  4096,
                                  8};
    return model;
}

}  // namespace arch22
}  // namespace optiling
