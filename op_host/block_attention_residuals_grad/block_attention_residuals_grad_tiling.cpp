// From a TilingContext to a tiling plan and back; see block_attention_residuals_grad_tiling.h.

#include "op_host/block_attention_residuals_grad/block_attention_residuals_grad_tiling.h"

#include <cinttypes>
#include <string>

#include "exe_graph/runtime/tiling_parse_context.h"
#include "op_common/log/log.h"
#include "op_host/block_attention_residuals_grad/shape_relations.h"
#include "op_host/block_attention_residuals_grad/tiling_plan.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling
{
namespace
{

constexpr size_t ATTR_VALID_BLOCK_NUM = 0;
constexpr int64_t ALL_BLOCKS_VALID = -1;
constexpr uint32_t ALL_CORES_TOGETHER = 1;  // schedule mode: the kernels synchronise all cores

bool IsMainType(ge::DataType type)
{
    return type == ge::DT_FLOAT16 || type == ge::DT_BF16 || type == ge::DT_FLOAT;
}

std::string CheckDesc(const char* name, const gert::CompileTimeTensorDesc* desc, ge::DataType expected)
{
    if (desc == nullptr) {
        return std::string(name) + " is missing";
    }
    if (desc->GetDataType() != expected) {
        return std::string(name) + " has data type " + Ops::Base::ToString(desc->GetDataType()) + ", expected " +
               Ops::Base::ToString(expected);
    }
    if (desc->GetStorageFormat() != ge::FORMAT_ND) {
        return std::string(name) + " has format " + Ops::Base::ToString(desc->GetStorageFormat()) + ", expected ND";
    }
    return "";
}

// Data types and formats of all tensors; sets the bytes of a main element.
std::string CheckDescs(const gert::TilingContext& context, uint32_t* dtypeBytes)
{
    const gert::CompileTimeTensorDesc* first = context.GetInputDesc(INPUT_PARTIAL_BLOCK);
    if (first == nullptr) {
        return std::string(INPUT_NAMES[INPUT_PARTIAL_BLOCK]) + " is missing";
    }
    const ge::DataType mainType = first->GetDataType();
    if (!IsMainType(mainType)) {
        return std::string(INPUT_NAMES[INPUT_PARTIAL_BLOCK]) + " has data type " + Ops::Base::ToString(mainType) +
               ", expected DT_FLOAT16, DT_BF16 or DT_FLOAT";
    }
    for (size_t i = 0; i < INPUT_NUM; ++i) {
        const ge::DataType expected = i == INPUT_INV_NORM || i == INPUT_PROBS ? ge::DT_FLOAT : mainType;
        std::string error = CheckDesc(INPUT_NAMES[i], context.GetInputDesc(i), expected);
        if (!error.empty()) {
            return error;
        }
    }
    for (size_t i = 0; i < OUTPUT_NUM; ++i) {
        std::string error = CheckDesc(OUTPUT_NAMES[i], context.GetOutputDesc(i), mainType);
        if (!error.empty()) {
            return error;
        }
    }
    *dtypeBytes = static_cast<uint32_t>(ge::GetSizeByDataType(mainType));
    return "";
}

// T, N and H from the seven inputs, which must agree; the outputs must be like inputs 0 to 3.
std::string CheckShapes(const gert::TilingContext& context, ResolvedDims* dims)
{
    InputShapes shapes = {};
    for (size_t i = 0; i < INPUT_NUM; ++i) {
        const gert::StorageShape* shape = context.GetInputShape(i);
        if (shape == nullptr) {
            return std::string(INPUT_NAMES[i]) + " has no shape";
        }
        shapes[i] = &shape->GetStorageShape();
    }
    std::string error;
    if (!ResolveDims(shapes, dims, &error)) {
        return error;
    }
    for (size_t i = 0; i < INPUT_NUM; ++i) {
        for (size_t axis = 0; axis < shapes[i]->GetDimNum(); ++axis) {
            if (shapes[i]->GetDim(axis) < 0) {
                return std::string(INPUT_NAMES[i]) + " has the dynamic shape " + Ops::Base::ToString(*shapes[i]) +
                       ", but tiling needs all dimensions";
            }
        }
    }
    for (size_t i = 0; i < OUTPUT_NUM; ++i) {
        const gert::StorageShape* shape = context.GetOutputShape(i);
        const gert::Shape expected = OutputShape(i, *dims);
        if (shape == nullptr || shape->GetStorageShape() != expected) {
            return std::string(OUTPUT_NAMES[i]) + " has shape " +
                   (shape == nullptr ? "none" : Ops::Base::ToString(shape->GetStorageShape())) + ", expected " +
                   Ops::Base::ToString(expected);
        }
    }
    return "";
}

std::string CheckValidBlockNum(const gert::TilingContext& context, int64_t blocks)
{
    const gert::RuntimeAttrs* attrs = context.GetAttrs();
    const int64_t* value = attrs == nullptr ? nullptr : attrs->GetInt(ATTR_VALID_BLOCK_NUM);
    if (value == nullptr || *value == ALL_BLOCKS_VALID || *value == blocks) {
        return "";
    }
    return "valid_block_num is " + std::to_string(*value) + ", expected -1 or N=" + std::to_string(blocks);
}

std::string ReadPlatform(const platform_ascendc::PlatformAscendC& ascendcPlatform, TilingPlatform* platform)
{
    switch (ascendcPlatform.GetSocVersion()) {
        case platform_ascendc::SocVersion::ASCEND910B:
        case platform_ascendc::SocVersion::ASCEND910_93:
            platform->arch = KernelArch::ARCH22;
            break;
        case platform_ascendc::SocVersion::ASCEND950:
            platform->arch = KernelArch::ARCH35;
            break;
        default:
            return "SoC version " + std::to_string(static_cast<int>(ascendcPlatform.GetSocVersion())) +
                   " has no kernels, supported SoCs are ascend910b, ascend910_93, ascend950";
    }
    platform->coreNum = ascendcPlatform.GetCoreNumAiv();
    ascendcPlatform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, platform->ubBytes);
    return "";
}

// Everything up to the plan.
std::string Plan(const gert::TilingContext& context, const platform_ascendc::PlatformAscendC& ascendcPlatform,
                 TilingShape* shape, TilingPlatform* platform, TilingPlan* plan)
{
    std::string error = CheckDescs(context, &shape->dtypeBytes);
    ResolvedDims dims = {};
    if (error.empty()) {
        error = CheckShapes(context, &dims);
    }
    if (error.empty()) {
        error = CheckValidBlockNum(context, dims.blocks);
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
