// The tiling decision of BlockAttentionResiduals; see tiling_plan.h.

#include "op_host/block_attention_residuals/tiling_plan.h"

#include <algorithm>
#include <utility>

#include "op_host/block_attention_residuals/ub_model/arch22_ub_model.h"
#include "op_host/block_attention_residuals/ub_model/arch35_ub_model.h"
#include "op_kernel/block_attention_residuals/block_attention_residuals_tiling_key.h"

namespace optiling
{
namespace block_attention_residuals
{
namespace
{

// Rows of a batch: copies of this size use global memory well, and more tokens at once gain nothing.
constexpr uint64_t BATCH_BYTES = 32768;
constexpr uint64_t MAX_ROW_SETS = 2;  // the next tokens come while these are computed

const UbModel& FindUbModel(KernelArch arch)
{
    return arch == KernelArch::ARCH22 ? arch22::GetUbModel() : arch35::GetUbModel();
}

// The largest tile whose buffers fit in `available`, a multiple of the architecture's alignment; 0 when none fits.
uint64_t LargestTile(const UbModel& model, const RowShape& rows, uint64_t available)
{
    const auto bytesOf = [&](uint64_t tile) {
        return SumBytes(model.splitBuffers(tile, rows.totalBlocks, rows.dtypeBytes));
    };
    const uint64_t fixed = bytesOf(0);
    if (fixed > available) {
        return 0;
    }
    const uint64_t alignment = model.tileAlignment(rows.dtypeBytes);
    uint64_t tile = (available - fixed) / model.splitBytesPerElement(rows.dtypeBytes) / alignment * alignment;
    while (tile > 0 && bytesOf(tile) > available) {
        tile -= alignment;
    }
    return tile;
}

// As many tokens as make a batch of BATCH_BYTES, fit and come to a core.
uint64_t BatchTokens(const UbModel& model, const RowShape& rows, const TilingPlan& plan)
{
    if (plan.data.rowSets < MAX_ROW_SETS) {
        return 1;
    }
    const uint64_t tokenBytes = rows.totalBlocks * model.fullRowBytes(rows.hiddenSize, rows.dtypeBytes);
    const uint64_t coreTokens = CeilDiv(plan.data.batchSize, plan.data.usedCoreNum);
    uint64_t tokens =
        std::min({model.maxBatchTokens, BATCH_BYTES / tokenBytes, CeilDiv(coreTokens, plan.data.rowSets)});
    while (tokens > 1 && SumBytes(model.fullBuffers(rows, tokens, plan.data.rowSets)) > plan.available) {
        --tokens;
    }
    return std::max<uint64_t>(tokens, 1);
}

void PlanFull(const UbModel& model, const RowShape& rows, TilingPlan& plan)
{
    plan.hMode = TPL_H_MODE_FULL;
    plan.tilingKey = GET_TPL_TILING_KEY(TPL_H_MODE_FULL);
    plan.data.hiddenTileSize = rows.hiddenSize;
    plan.data.hiddenTileNum = 1;
    const bool twoSets = SumBytes(model.fullBuffers(rows, 1, MAX_ROW_SETS)) <= plan.available;
    plan.data.rowSets = twoSets ? MAX_ROW_SETS : 1;
    plan.data.batchTokens = BatchTokens(model, rows, plan);
    plan.buffers = model.fullBuffers(rows, plan.data.batchTokens, plan.data.rowSets);
}

// False when not even the smallest tile fits.
bool PlanSplit(const UbModel& model, const RowShape& rows, TilingPlan& plan)
{
    const uint64_t largest = LargestTile(model, rows, plan.available);
    if (largest == 0) {
        return false;
    }
    // Even tiles: as few as the largest one allows, then no wider than needed.
    const uint64_t evenTile = CeilDiv(rows.hiddenSize, CeilDiv(rows.hiddenSize, largest));
    const uint64_t tile = std::min(largest, AlignUp(evenTile, model.tileAlignment(rows.dtypeBytes)));
    plan.hMode = TPL_H_MODE_SPLIT;
    plan.tilingKey = GET_TPL_TILING_KEY(TPL_H_MODE_SPLIT);
    plan.data.hiddenTileSize = tile;
    plan.data.hiddenTileNum = CeilDiv(rows.hiddenSize, tile);
    plan.data.batchTokens = 1;
    plan.data.streamBuffers = model.streamBuffers;
    plan.buffers = model.splitBuffers(tile, rows.totalBlocks, rows.dtypeBytes);
    return true;
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
    result.data.usedCoreNum = std::min<uint64_t>(platform.coreNum, result.data.batchSize);
    result.blockDim = static_cast<uint32_t>(result.data.usedCoreNum);

    const RowShape rows = {result.data.hiddenSize, result.data.totalBlocks, shape.dtypeBytes};
    result.requiredFull = SumBytes(model.fullBuffers(rows, 1, 1));
    if (result.requiredFull <= result.available) {
        PlanFull(model, rows, result);
    } else if (!PlanSplit(model, rows, result)) {
        *error = NoTileFits(shape, platform, result.available, model.tileAlignment(shape.dtypeBytes));
        return false;
    }
    result.data.scorePitch = model.scorePitch(result.data.batchTokens);
    result.ubBytesUsed = SumBytes(result.buffers);
    result.data.ubBytesUsed = result.ubBytesUsed;
    *plan = std::move(result);
    return true;
}

}  // namespace block_attention_residuals
}  // namespace optiling
