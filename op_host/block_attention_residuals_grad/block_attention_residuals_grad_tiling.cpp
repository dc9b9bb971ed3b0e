// From a TilingContext to a tiling plan and back; see block_attention_residuals_grad_tiling.h.

#include "op_host/block_attention_residuals_grad/block_attention_residuals_grad_tiling.h"

#include <cinttypes>
#include <string>

#include "exe_graph/runtime/tiling_parse_context.h"
#include "op_common/log/log.h"
#include "op_host/block_attention_residuals_grad/shape_relations.h"
#include "op_host/block_attention_residuals_grad/tiling_plan.h"
#include "op_host/common/tiling/tiling_request.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling
{
namespace
{

constexpr size_t ATTR_VALID_BLOCK_NUM = 0;
constexpr uint32_t ALL_CORES_TOGETHER = 1;  // schedule mode: the kernels synchronise all cores

// The outputs are like inputs 0 to 3.
std::string CheckOutputShapes(const gert::TilingContext& context, const ResolvedDims& dims)
{
    std::string error;
    for (size_t i = 0; error.empty() && i < OUTPUT_NUM; ++i) {
        error = CheckOutputShape(context, i, OUTPUT_LAYOUTS[i].name, ShapeOf(OUTPUT_LAYOUTS[i], dims));
    }
    return error;
}

// Everything up to the plan.
std::string Plan(const gert::TilingContext& context, const platform_ascendc::PlatformAscendC& ascendcPlatform,
                 TilingShape* shape, TilingPlatform* platform, TilingPlan* plan)
{
    const TensorTable inputs = {INPUT_LAYOUTS.data(), INPUT_NUM};
    std::string error = CheckDescs(context, inputs, {OUTPUT_LAYOUTS.data(), OUTPUT_NUM}, &shape->dtypeBytes);
    ResolvedDims dims = {};
    if (error.empty()) {
        error = CheckInputShapes(context, inputs, &dims);
    }
    if (error.empty()) {
        error = CheckOutputShapes(context, dims);
    }
    if (error.empty()) {
        error = CheckValidBlockNum(context, ATTR_VALID_BLOCK_NUM, dims.blocks);
    }
    if (error.empty()) {
        error = ReadPlatform(ascendcPlatform, platform);
    }
    if (error.empty()) {
        shape->batchSize = dims.tokens;
        shape->numBlocks = dims.blocks;
        shape->hiddenSize = dims.hidden;
        PlanTiling(*shape, *platform, plan, &error);
    }
    return error;
}

ge::graphStatus TilingPrepareBlockAttentionResidualsGrad(gert::TilingParseContext* context)
{
    (void)context;
    return ge::GRAPH_SUCCESS;
}

}  // namespace

ge::graphStatus TilingBlockAttentionResidualsGrad(gert::TilingContext* context)
{
    OP_CHECK_NULL_WITH_CONTEXT(context, context->GetPlatformInfo());
    const platform_ascendc::PlatformAscendC ascendcPlatform(context->GetPlatformInfo());
    TilingShape shape = {};
    TilingPlatform platform = {};
    TilingPlan plan = {};
    const std::string error = Plan(*context, ascendcPlatform, &shape, &platform, &plan);
    OP_CHECK_IF(!error.empty(), OP_LOGE(context, "%s", error.c_str()), return ge::GRAPH_FAILED);

    const uint64_t systemBytes = ascendcPlatform.GetLibApiWorkSpaceSize();
    OP_CHECK_IF(plan.workspaceBytes > SIZE_MAX - systemBytes,
                OP_LOGE(context, "workspace of %" PRIu64 " bytes does not fit in memory", plan.workspaceBytes),
                return ge::GRAPH_FAILED);
    size_t* workspaceSizes = context->GetWorkspaceSizes(1);
    OP_CHECK_NULL_WITH_CONTEXT(context, workspaceSizes);
    auto* tilingData = context->GetTilingData<BlockAttentionResidualsGradTilingData>();
    OP_CHECK_NULL_WITH_CONTEXT(context, tilingData);
    workspaceSizes[0] = plan.workspaceBytes + systemBytes;
    *tilingData = plan.data;
    context->SetTilingKey(plan.tilingKey);
    context->SetBlockDim(plan.blockDim);
    context->SetScheduleMode(ALL_CORES_TOGETHER);
    OP_LOGI(context,
            "tiling path: path=%s arch=%s H=%" PRIu64 " K=%" PRIu64 " dtypeBytes=%" PRIu32 " requiredFull=%" PRIu64
            " available=%" PRIu64 " hTile=%" PRIu64,
            PathName(plan.hMode), ArchName(platform.arch), plan.data.hiddenSize, plan.data.totalBlocks,
            shape.dtypeBytes, plan.requiredFull, plan.available, plan.data.hiddenTileSize);
    return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(BlockAttentionResidualsGrad)
    .Tiling(TilingBlockAttentionResidualsGrad)
    .TilingParse<BlockAttentionResidualsGradCompileInfo>(TilingPrepareBlockAttentionResidualsGrad);

}  // namespace optiling
