// UB buffers of the arch35 kernels; see arch35_ub_model.h.

#include "op_host/block_attention_residuals_grad/ub_model/arch35_ub_model.h"

#include <algorithm>

namespace optiling
{
namespace arch35
{
namespace
{

constexpr uint64_t REGISTER_BYTES = 256;  // a vector register: whole registers are loaded and stored
constexpr uint64_t FLOAT_BYTES = 4;
constexpr uint64_t COPY_ALIGNMENT_ELEMENTS = 16;  // 32 bytes of a 2-byte dtype
constexpr uint64_t COPY_BUFFER_NUM = 4;
// Six 32-byte blocks: results of register reductions, stored one by one.
constexpr uint64_t REDUCE_SCRATCH_BYTES = 192;
constexpr uint64_t SPLIT_FLOAT_TILE_NUM = 7;

// The six float32 rows (or tiles) of both modes.
std::vector<UbBuffer> FloatRows(uint64_t bytes)
{
    return {
        {"scoreWeight", 1, bytes},    {"gradHidden", 1, bytes},
        {"weightGradSum", 1, bytes},  {"weightGradCompensation", 1, bytes},
        {"scoreWeightLow", 1, bytes}, {"scratch", 1, bytes},
    };
}

// The four float32 rows of N1 entries of both modes.
void AppendTokenScalars(uint64_t totalBlocks, std::vector<UbBuffer>& buffers)
{
    const uint64_t bytes = AlignUp(FLOAT_BYTES * totalBlocks, REGISTER_BYTES);
    buffers.push_back({"probs", 1, bytes});
    buffers.push_back({"invNorm", 1, bytes});
    buffers.push_back({"gradScore", 1, bytes});
    buffers.push_back({"varianceScale", 1, bytes});
}

uint64_t SplitBytesPerElement(uint32_t dtypeBytes)
{
    return SPLIT_FLOAT_TILE_NUM * FLOAT_BYTES + COPY_BUFFER_NUM * dtypeBytes;
}

uint64_t TileAlignment(uint32_t dtypeBytes)
{
    return REGISTER_BYTES / dtypeBytes;
}

// The vector functions keep what is intermediate in registers.
uint64_t FullExtraWorkBytes(uint64_t, uint64_t, uint64_t)
{
    return 0;
}

// A lane of a register for each.
uint64_t MaxBatchTokens(uint64_t, uint64_t)
{
    return REGISTER_BYTES / FLOAT_BYTES;
}

std::vector<UbBuffer> BatchBuffers(uint64_t hiddenSize, uint64_t totalBlocks, uint32_t dtypeBytes, uint64_t batchTokens)
{
    const uint64_t rowBytes = FullRowBytes(hiddenSize, dtypeBytes);
    return {
        {"batchRows", batchTokens * totalBlocks, rowBytes},
        {"batchGradHiddenCopy", batchTokens, rowBytes},
        {"batchGradHidden", batchTokens, AlignUp(FLOAT_BYTES * hiddenSize, REGISTER_BYTES)},
        {"batchTokenScores", 2, AlignUp(FLOAT_BYTES * batchTokens * totalBlocks, REGISTER_BYTES)},
        {"batchSquareSums", 1, REGISTER_BYTES},
        {"batchRowScores", 4, totalBlocks * REGISTER_BYTES},
    };
}

}  // namespace

std::vector<UbBuffer> FullBuffers(uint64_t hiddenSize, uint64_t totalBlocks, uint32_t dtypeBytes)
{
    std::vector<UbBuffer> buffers = FloatRows(AlignUp(FLOAT_BYTES * hiddenSize, REGISTER_BYTES));
    buffers.push_back({"rowCopy", COPY_BUFFER_NUM, FullRowBytes(hiddenSize, dtypeBytes)});
    AppendTokenScalars(totalBlocks, buffers);
    buffers.push_back({"reduceScratch", 1, REDUCE_SCRATCH_BYTES});
    return buffers;
}

std::vector<UbBuffer> SplitBuffers(uint64_t tileSize, uint64_t totalBlocks, uint32_t dtypeBytes)
{
    const uint64_t floatTileBytes = AlignUp(FLOAT_BYTES * tileSize, REGISTER_BYTES);
    std::vector<UbBuffer> buffers = FloatRows(floatTileBytes);
    // The tile of gsw on its way to the workspace, while the next tile is being computed.
    buffers.push_back({"workspaceWrite", 1, floatTileBytes});
    buffers.push_back({"tileCopy", COPY_BUFFER_NUM, SplitRowBytes(tileSize, dtypeBytes)});
    AppendTokenScalars(totalBlocks, buffers);
    // g and d grow over the tiles of a row: each needs the lost low bits of its running sum (Kahan).
    const uint64_t scalarBytes = AlignUp(FLOAT_BYTES * totalBlocks, REGISTER_BYTES);
    buffers.push_back({"gradScoreCompensation", 1, scalarBytes});
    buffers.push_back({"varianceScaleCompensation", 1, scalarBytes});
    buffers.push_back({"reduceScratch", 1, REDUCE_SCRATCH_BYTES});
    return buffers;
}

uint64_t FullRowBytes(uint64_t hiddenSize, uint32_t dtypeBytes)
{
    return dtypeBytes * AlignUp(hiddenSize, COPY_ALIGNMENT_ELEMENTS);
}

uint64_t SplitRowBytes(uint64_t tileSize, uint32_t dtypeBytes)
{
    return AlignUp(dtypeBytes * tileSize, REGISTER_BYTES);
}

// A vector function on the scores of a batch takes as long for 4 tokens as for 64.
uint64_t MinTokens(uint64_t hiddenSize, uint64_t totalBlocks, uint64_t, uint64_t)
{
    constexpr uint64_t CORE_ELEMENTS = 5120;
    constexpr uint64_t MOST = 16;
    const uint64_t tokens = CORE_ELEMENTS / (hiddenSize * totalBlocks);
    return tokens < MIN_BATCH_TOKENS ? 1 : std::min(tokens, MOST);
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
                                  COPY_BUFFER_NUM,
                                  REGISTER_BYTES,
                                  true,
                                  0,
                                  MinTokens,
                                  20480,
                                  24};
    return model;
}

}  // namespace arch35
}  // namespace optiling
