// The tiling decision of BlockAttentionResidualsGrad; see tiling_plan.h.

#include "op_host/block_attention_residuals_grad/tiling_plan.h"

#include <algorithm>
#include <utility>

#include "op_host/block_attention_residuals_grad/ub_model/arch22_ub_model.h"
#include "op_host/block_attention_residuals_grad/ub_model/arch35_ub_model.h"
#include "op_kernel/block_attention_residuals_grad/block_attention_residuals_grad_tiling_key.h"

namespace optiling
{
namespace
{

constexpr uint64_t FLOAT_BYTES = 4;
constexpr uint64_t REGISTER_BYTES = 256;
constexpr uint64_t SEGMENT_ALIGNMENT = 64;      // elements: whole repeats and registers of float32
constexpr uint64_t GROUP_ALIGNMENT = 8;         // rows: their scores begin at a block of UB
constexpr uint64_t MIN_SEGMENT_ELEMENTS = 128;  // shorter ones take longer to copy and to add up than they save

const UbModel& FindUbModel(KernelArch arch)
{
    return arch == KernelArch::ARCH22 ? arch22::GetUbModel() : arch35::GetUbModel();
}

// The largest tile whose buffers fit in `available`, a multiple of the architecture's alignment; 0 when none fits.
uint64_t LargestTile(const UbModel& model, uint64_t totalBlocks, uint32_t dtypeBytes, uint64_t available)
{
    const uint64_t fixed = SumBytes(model.splitBuffers(0, totalBlocks, dtypeBytes));
    if (fixed > available) {
        return 0;
    }
    const uint64_t alignment = model.tileAlignment(dtypeBytes);
    uint64_t tile = (available - fixed) / model.splitBytesPerElement(dtypeBytes) / alignment * alignment;
    while (tile > 0 && SumBytes(model.splitBuffers(tile, totalBlocks, dtypeBytes)) > available) {
        tile -= alignment;
    }
    return tile;
}

// FULL of kernels that carry the scores in two floats: a place for the [N1] low parts of two of them. The scratch row
// is free while the scores live; only short rows with many blocks need buffers of their own, and only where UB has
// them.
void PlaceScoreLowParts(const UbModel& model, TilingPlan& plan)
{
    plan.data.scoreLowParts = SCORE_LOW_PARTS_NONE;
    if (!model.scoresInTwoFloats) {
        return;
    }
    const uint64_t scoreBytes = AlignUp(FLOAT_BYTES * plan.data.totalBlocks, REGISTER_BYTES);
    if (2 * FLOAT_BYTES * plan.data.totalBlocks <= REGISTER_BYTES) {
        plan.data.scoreLowParts = SCORE_LOW_PARTS_PACKED;
    } else if (2 * scoreBytes <= AlignUp(FLOAT_BYTES * plan.data.segmentElements, REGISTER_BYTES)) {
        plan.data.scoreLowParts = SCORE_LOW_PARTS_IN_SCRATCH;
    } else if (plan.available - SumBytes(plan.buffers) >= 2 * scoreBytes) {
        plan.data.scoreLowParts = SCORE_LOW_PARTS_OWN;
        plan.buffers.push_back({"scoreLowParts", 2, scoreBytes});
    }
}

void AddExtraWork(uint64_t bytes, TilingPlan& plan)
{
    plan.data.extraWorkBytes = bytes;
    if (bytes > 0) {
        plan.buffers.push_back({"extraWork", 1, bytes});
    }
}

// FULL with short rows: as many tokens at once as the kernels can hold, fit and come to a core. False where that is too
// few to be worth it.
bool BatchTokens(const UbModel& model, const TilingShape& shape, TilingPlan& plan)
{
    const uint64_t hidden = plan.data.segmentElements;
    const uint64_t rows = plan.data.totalBlocks;
    const uint64_t left = plan.available - SumBytes(plan.buffers);
    uint64_t tokens = std::min(model.maxBatchTokens(hidden, rows), CeilDiv(plan.data.batchSize, plan.data.usedCoreNum));
    for (; tokens >= MIN_BATCH_TOKENS; --tokens) {
        const std::vector<UbBuffer> buffers = model.batchBuffers(hidden, rows, shape.dtypeBytes, tokens);
        const uint64_t extraWork = model.fullExtraWorkBytes(hidden, rows, tokens);
        if (SumBytes(buffers) + extraWork <= left) {
            plan.data.batchTokens = tokens;
            plan.data.residentRows = rows;
            plan.data.streamBuffers = 1;
            plan.buffers.insert(plan.buffers.end(), buffers.begin(), buffers.end());
            AddExtraWork(extraWork, plan);
            return true;
        }
    }
    return false;
}

// FULL: the model's copy buffers, its float32 rows that are free while tokens are worked on, and what is left of UB
// hold rows: all value rows of a token if they fit, with up to two buffers more for streaming; else two for streaming,
// and as many value rows as remain.
void UseSpareUbFull(const UbModel& model, const TilingShape& shape, TilingPlan& plan)
{
    const uint64_t rows = plan.data.groupRows;
    const uint64_t rowBytes = model.fullRowBytes(plan.data.segmentElements, shape.dtypeBytes);
    const uint64_t floatRowBytes = AlignUp(FLOAT_BYTES * plan.data.segmentElements, REGISTER_BYTES);
    // Of kernels in registers: the low part of the score weight, needed for float32 alone, and the scratch row.
    uint64_t freeFloatRows = 0;
    if (model.scoresInTwoFloats) {
        freeFloatRows =
            (shape.dtypeBytes == FLOAT_BYTES ? 0 : 1) + (plan.data.scoreLowParts == SCORE_LOW_PARTS_IN_SCRATCH ? 0 : 1);
    }
    const uint64_t modelBytes = freeFloatRows * floatRowBytes + model.copyBuffers * rowBytes;
    const uint64_t modelSlots = modelBytes / rowBytes;
    const uint64_t left = plan.available - SumBytes(plan.buffers);
    const uint64_t wanted = rows + 2;
    plan.data.extraRowBuffers = modelSlots >= wanted ? 0 : std::min(wanted - modelSlots, left / rowBytes);
    const uint64_t slots = (modelBytes + plan.data.extraRowBuffers * rowBytes) / rowBytes;
    plan.data.residentRows = slots > rows ? rows : std::max<uint64_t>(slots, 2) - 2;
    plan.data.streamBuffers = std::min<uint64_t>(2, slots - plan.data.residentRows);
    if (plan.data.extraRowBuffers > 0) {
        plan.buffers.push_back({"extraRowCopy", plan.data.extraRowBuffers, rowBytes});
    }
}

// How cores share a token: segments of its rows, and groups of rows.
struct Shares {
    uint64_t segments;
    uint64_t elements;  // of a segment
    uint64_t groups;
    uint64_t rows;  // of a group
};

Shares MakeShares(const BlockAttentionResidualsGradTilingData& data, uint64_t segments, uint64_t groupRows)
{
    const uint64_t elements =
        segments == 1 ? data.hiddenSize : AlignUp(CeilDiv(data.hiddenSize, segments), SEGMENT_ALIGNMENT);
    return {CeilDiv(data.hiddenSize, elements), elements, CeilDiv(data.totalBlocks, groupRows), groupRows};
}

// Partials first, then what the cores of a token exchange. False where the workspace, whose size is that of whole rows,
// has no room for it, or where nothing is shared.
bool TakeShares(const Shares& shares, BlockAttentionResidualsGradTilingData& data)
{
    const uint64_t cores = data.batchSize * shares.segments * shares.groups;
    const uint64_t partialBytes = AlignUp(FLOAT_BYTES * shares.elements, WORKSPACE_ALIGNMENT);
    const uint64_t scoreBytes = AlignUp(FLOAT_BYTES * SHARED_SCORES * data.totalBlocks, WORKSPACE_ALIGNMENT);
    const uint64_t bytes = cores * partialBytes + data.batchSize * shares.segments * scoreBytes;
    if (cores == data.batchSize || bytes > data.coreNum * data.perCoreWkspBytes) {
        return false;
    }
    data.rowSegments = shares.segments;
    data.segmentElements = shares.elements;
    data.rowGroups = shares.groups;
    data.groupRows = shares.rows;
    data.partialBytes = partialBytes;
    data.sharedScoresWkspOff = cores * partialBytes;
    data.usedCoreNum = cores;
    return true;
}

// FULL's kernels: of `cores` cores, as many as there are segments, and where rows are many, cores that are left share
// them out. `buffers`: those of the shares, of which the model knows all but those that the cores' scores meet in.
bool ShareWholeRows(const UbModel& model, const TilingShape& shape, uint64_t cores, TilingPlan& plan,
                    std::vector<UbBuffer>& buffers)
{
    const uint64_t rows = plan.data.totalBlocks;
    const uint64_t scoreBytes = AlignUp(FLOAT_BYTES * rows, model.scoreAlignment);
    const uint64_t lowParts = model.scoresInTwoFloats ? 2 * scoreBytes : 0;
    const uint64_t mostSegments = std::max<uint64_t>(1, plan.data.hiddenSize / MIN_SEGMENT_ELEMENTS);
    for (uint64_t segments = std::min(cores, mostSegments); segments > 0; --segments) {
        const Shares whole = MakeShares(plan.data, segments, rows);
        std::vector<UbBuffer> shared = model.fullBuffers(whole.elements, rows, shape.dtypeBytes);
        shared.push_back({"sharedScores", SHARED_SCORES * whole.segments, scoreBytes});
        if (SumBytes(shared) + lowParts > plan.available) {
            continue;
        }
        uint64_t groupRows =
            std::max(model.minGroupRows, AlignUp(CeilDiv(rows, cores / whole.segments), GROUP_ALIGNMENT));
        for (; groupRows <= rows / 2; groupRows += GROUP_ALIGNMENT) {
            if (TakeShares(MakeShares(plan.data, segments, groupRows), plan.data)) {
                buffers = std::move(shared);
                return true;
            }
        }
        if (TakeShares(whole, plan.data)) {
            buffers = std::move(shared);
            return true;
        }
    }
    return false;
}

// SPLIT's kernels: each core has tiles of its own segment. The scores meet in a float32 row of a tile.
bool ShareTiles(const UbModel& model, uint64_t cores, TilingPlan& plan)
{
    BlockAttentionResidualsGradTilingData& data = plan.data;
    const uint64_t scoreBytes = AlignUp(FLOAT_BYTES * data.totalBlocks, model.scoreAlignment);
    for (uint64_t segments = cores; segments > 1; --segments) {
        const Shares shares = MakeShares(data, segments, data.totalBlocks);
        if (SHARED_SCORES * shares.segments * scoreBytes <= FLOAT_BYTES * data.hiddenTileSize &&
            TakeShares(shares, data)) {
            data.segmentTiles = CeilDiv(shares.elements, data.hiddenTileSize);
            return true;
        }
    }
    return false;
}

// Few tokens: a token is several cores' where that pays, which it does not where a token is so small that the cores'
// meeting takes longer than the work. True where what a core has lies whole in UB, in `buffers` then.
bool ShareTokens(const UbModel& model, const TilingShape& shape, TilingPlan& plan, std::vector<UbBuffer>& buffers)
{
    const uint64_t cores = plan.data.coreNum / plan.data.batchSize;
    if (cores < 2 || plan.data.totalBlocks * plan.data.hiddenSize < model.minSharedElements) {
        return false;
    }
    if (ShareWholeRows(model, shape, cores, plan, buffers)) {
        plan.data.segmentTiles = 0;
        return true;
    }
    if (plan.hMode == TPL_H_MODE_SPLIT) {
        ShareTiles(model, cores, plan);
    }
    return false;
}

void PlanFull(TilingPlan& plan)
{
    plan.hMode = TPL_H_MODE_FULL;
    plan.tilingKey = GET_TPL_TILING_KEY(TPL_H_MODE_FULL);
    plan.data.hiddenTileSize = plan.data.hiddenSize;
    plan.data.hiddenTileNum = 1;
}

// What whole rows, or segments of rows, that fit in UB have there.
void PlaceRows(const UbModel& model, const TilingShape& shape, std::vector<UbBuffer> buffers, TilingPlan& plan)
{
    plan.buffers = std::move(buffers);
    if (BatchTokens(model, shape, plan)) {
        return;
    }
    PlaceScoreLowParts(model, plan);
    const uint64_t extraWork = model.fullExtraWorkBytes(plan.data.segmentElements, plan.data.totalBlocks, 1);
    AddExtraWork(std::min(extraWork, plan.available - SumBytes(plan.buffers)), plan);
    UseSpareUbFull(model, shape, plan);
}

// False when not even the smallest tile fits.
bool PlanSplit(const UbModel& model, const TilingShape& shape, TilingPlan& plan)
{
    const uint64_t hiddenSize = plan.data.hiddenSize;
    const uint64_t largest = LargestTile(model, plan.data.totalBlocks, shape.dtypeBytes, plan.available);
    if (largest == 0) {
        return false;
    }
    // Even tiles: as few as the largest one allows, then no wider than needed.
    const uint64_t evenTile = CeilDiv(hiddenSize, CeilDiv(hiddenSize, largest));
    const uint64_t tile = std::min(largest, AlignUp(evenTile, model.tileAlignment(shape.dtypeBytes)));
    plan.hMode = TPL_H_MODE_SPLIT;
    plan.tilingKey = GET_TPL_TILING_KEY(TPL_H_MODE_SPLIT);
    plan.data.hiddenTileSize = tile;
    plan.data.hiddenTileNum = CeilDiv(hiddenSize, tile);
    plan.data.segmentTiles = plan.data.hiddenTileNum;
    plan.buffers = model.splitBuffers(tile, plan.data.totalBlocks, shape.dtypeBytes);
    const uint64_t rowBytes = model.splitRowBytes(tile, shape.dtypeBytes);
    const uint64_t left = plan.available - SumBytes(plan.buffers);
    const uint64_t extra = std::min<uint64_t>(model.maxExtraSplitBuffers, left / rowBytes);
    plan.data.streamBuffers = 1 + extra;
    plan.data.residentRows = 0;
    if (extra > 0) {
        plan.buffers.push_back({"extraTileCopy", extra, rowBytes});
    }
    return true;
}

// A weight partial for each core; SPLIT adds two float32 [T, N1] areas. False when the sum does not fit in 64 bits.
bool PlanWorkspace(TilingPlan& plan)
{
    BlockAttentionResidualsGradTilingData& data = plan.data;
    if (__builtin_mul_overflow(data.perCoreWkspBytes, data.coreNum, &plan.workspaceBytes)) {
        return false;
    }
    data.gradScoresWkspOff = 0;
    data.varianceScaleWkspOff = 0;
    if (plan.hMode == TPL_H_MODE_FULL) {
        return true;
    }
    const uint64_t areaBytes = AlignUp(FLOAT_BYTES * data.batchSize * data.totalBlocks, WORKSPACE_ALIGNMENT);
    data.gradScoresWkspOff = plan.workspaceBytes;
    return !__builtin_add_overflow(data.gradScoresWkspOff, areaBytes, &data.varianceScaleWkspOff) &&
           !__builtin_add_overflow(data.varianceScaleWkspOff, areaBytes, &plan.workspaceBytes);
}

}  // namespace

bool PlanTiling(const TilingShape& shape, const TilingPlatform& platform, TilingPlan* plan, std::string* error)
{
    *error = CheckShape(shape);
    if (error->empty()) {
        *error = CheckPlatform(platform);
    }
    if (!error->empty()) {
        return false;
    }
    const UbModel& model = FindUbModel(platform.arch);
    TilingPlan result = {};
    result.available = platform.ubBytes - RESERVED_UB_BYTES;
    result.data.batchSize = static_cast<uint64_t>(shape.batchSize);
    result.data.numBlocks = static_cast<uint64_t>(shape.numBlocks);
    result.data.totalBlocks = result.data.numBlocks + 1;
    result.data.hiddenSize = static_cast<uint64_t>(shape.hiddenSize);
    result.data.coreNum = platform.coreNum;
    const uint64_t minTokens =
        model.minTokens(result.data.hiddenSize, result.data.totalBlocks, result.data.batchSize, platform.coreNum);
    result.data.usedCoreNum = std::min<uint64_t>(platform.coreNum, CeilDiv(result.data.batchSize, minTokens));
    result.data.perCoreWkspBytes = AlignUp(FLOAT_BYTES * result.data.hiddenSize, WORKSPACE_ALIGNMENT);
    result.data.rowSegments = 1;
    result.data.segmentElements = result.data.hiddenSize;
    result.data.rowGroups = 1;
    result.data.groupRows = result.data.totalBlocks;
    result.data.partialBytes = result.data.perCoreWkspBytes;
    result.data.batchTokens = 1;

    std::vector<UbBuffer> rowBuffers =
        model.fullBuffers(result.data.hiddenSize, result.data.totalBlocks, shape.dtypeBytes);
    result.requiredFull = SumBytes(rowBuffers);
    if (result.requiredFull <= result.available) {
        PlanFull(result);
    } else if (!PlanSplit(model, shape, result)) {
        *error = NoTileFits(shape, platform, result.available, model.tileAlignment(shape.dtypeBytes));
        return false;
    }
    if (ShareTokens(model, shape, result, rowBuffers) || result.hMode == TPL_H_MODE_FULL) {
        PlaceRows(model, shape, std::move(rowBuffers), result);
    }
    result.blockDim = static_cast<uint32_t>(result.data.usedCoreNum);
    result.ubBytesUsed = SumBytes(result.buffers);
    result.data.ubBytesUsed = result.ubBytesUsed;
    if (!PlanWorkspace(result)) {
        *error = "workspace of " + std::to_string(platform.coreNum) +
                 " cores with T=" + std::to_string(shape.batchSize) + ", N=" + std::to_string(shape.numBlocks) +
                 ", H=" + std::to_string(shape.hiddenSize) + " does not fit in 64 bits";
        return false;
    }
    *plan = std::move(result);
    return true;
}

}  // namespace optiling
