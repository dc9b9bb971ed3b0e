// From a TilingContext to a tiling plan and back; see block_attention_residuals_tiling.h.

#include "op_host/block_attention_residuals/block_attention_residuals_tiling.h"

#include <cinttypes>
#include <cmath>
#include <string>

#include "exe_graph/runtime/tiling_parse_context.h"
#include "op_common/log/log.h"
#include "op_host/block_attention_residuals/tensor_layouts.h"
#include "op_host/block_attention_residuals/tiling_plan.h"
#include "op_host/common/tiling/tiling_request.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling
{
namespace block_attention_residuals
{
namespace
{

constexpr float DEFAULT_NORM_EPS = 1e-6f;

// What a context asks for.
struct Request {
    TilingShape shape;
    TilingPlatform platform;
    float normEps;
    bool needBackward;
};

std::string ReadAttrs(const gert::TilingContext& context, Request* request)
{
    const gert::RuntimeAttrs* attrs = context.GetAttrs();
    const float* normEps = attrs == nullptr ? nullptr : attrs->GetFloat(ATTR_NORM_EPS);
    const bool* needBackward = attrs == nullptr ? nullptr : attrs->GetBool(ATTR_NEED_BACKWARD);
    request->normEps = normEps == nullptr ? DEFAULT_NORM_EPS : *normEps;
    request->needBackward = needBackward == nullptr || *needBackward;
    if (std::isfinite(request->normEps) && request->normEps > 0) {
        return "";
    }
    return "norm_eps is " + std::to_string(request->normEps) + ", expected a finite number above 0";
}

std::string CheckOutputShapes(const gert::TilingContext& context, const ResolvedDims& dims, bool needBackward)
{
    std::string error;
    for (size_t i = 0; error.empty() && i < OUTPUT_NUM; ++i) {
        error = CheckOutputShape(context, i, OUTPUT_LAYOUTS[i].name, OutputShape(i, dims, needBackward));
    }
    return error;
}

// Everything up to the plan.
std::string Plan(const gert::TilingContext& context, const platform_ascendc::PlatformAscendC& ascendcPlatform,
                 Request* request, TilingPlan* plan)
{
    const TensorTable inputs = {INPUT_LAYOUTS.data(), INPUT_NUM};
    std::string error = CheckDescs(context, inputs, {OUTPUT_LAYOUTS.data(), OUTPUT_NUM}, &request->shape.dtypeBytes);
    ResolvedDims dims = {};
    if (error.empty()) {
        error = CheckInputShapes(context, inputs, &dims);
    }
    if (error.empty()) {
        error = ReadAttrs(context, request);
    }
    if (error.empty()) {
        error = CheckOutputShapes(context, dims, request->needBackward);
    }
    if (error.empty()) {
        error = CheckValidBlockNum(context, ATTR_VALID_BLOCK_NUM, dims.blocks);
    }
    if (error.empty()) {
        error = ReadPlatform(ascendcPlatform, &request->platform);
    }
    if (error.empty()) {
        request->shape.batchSize = dims.tokens;
        request->shape.numBlocks = dims.blocks;
        request->shape.hiddenSize = dims.hidden;
        PlanTiling(request->shape, request->platform, plan, &error);
    }
    return error;
}

}  // namespace
}  // namespace block_attention_residuals

namespace
{

ge::graphStatus TilingPrepareBlockAttentionResiduals(gert::TilingParseContext* context)
{
    (void)context;
    return ge::GRAPH_SUCCESS;
}

}  // namespace

ge::graphStatus TilingBlockAttentionResiduals(gert::TilingContext* context)
{
    OP_CHECK_NULL_WITH_CONTEXT(context, context->GetPlatformInfo());
    const platform_ascendc::PlatformAscendC ascendcPlatform(context->GetPlatformInfo());
    block_attention_residuals::Request request = {};
    block_attention_residuals::TilingPlan plan = {};
    const std::string error = block_attention_residuals::Plan(*context, ascendcPlatform, &request, &plan);
    OP_CHECK_IF(!error.empty(), OP_LOGE(context, "%s", error.c_str()), return ge::GRAPH_FAILED);

    size_t* workspaceSizes = context->GetWorkspaceSizes(1);
    OP_CHECK_NULL_WITH_CONTEXT(context, workspaceSizes);
    auto* tilingData = context->GetTilingData<BlockAttentionResidualsTilingData>();
    OP_CHECK_NULL_WITH_CONTEXT(context, tilingData);
    workspaceSizes[0] = ascendcPlatform.GetLibApiWorkSpaceSize();
    *tilingData = plan.data;
    tilingData->normEps = request.normEps;
    tilingData->needBackward = request.needBackward ? 1 : 0;
    context->SetTilingKey(plan.tilingKey);
    context->SetBlockDim(plan.blockDim);
    OP_LOGI(context,
            "tiling path: path=%s arch=%s H=%" PRIu64 " K=%" PRIu64 " dtypeBytes=%" PRIu32 " requiredFull=%" PRIu64
            " available=%" PRIu64 " hTile=%" PRIu64,
            PathName(plan.hMode), ArchName(request.platform.arch), plan.data.hiddenSize, plan.data.totalBlocks,
            request.shape.dtypeBytes, plan.requiredFull, plan.available, plan.data.hiddenTileSize);
    return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(BlockAttentionResiduals)
    .Tiling(TilingBlockAttentionResiduals)
    .TilingParse<BlockAttentionResidualsCompileInfo>(TilingPrepareBlockAttentionResiduals);

}  // namespace optiling
