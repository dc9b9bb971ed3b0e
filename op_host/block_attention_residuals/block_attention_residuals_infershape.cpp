// Shape and data type inference of BlockAttentionResiduals: hidden_states is like partial_block, inv_norm and probs are
// float32 [T, N + 1], or have no elements without need_backward; every dimension comes from the first input that knows
// it.

#include <array>
#include <string>

#include "op_common/log/log.h"
#include "op_host/block_attention_residuals/tensor_layouts.h"
#include "register/op_impl_registry.h"

namespace ops
{
namespace
{

using namespace optiling::block_attention_residuals;

ge::graphStatus InferShapeBlockAttentionResiduals(gert::InferShapeContext* context)
{
    std::array<const gert::Shape*, INPUT_NUM> shapes = {};
    for (size_t i = 0; i < INPUT_NUM; ++i) {
        shapes[i] = context->GetInputShape(i);
        OP_CHECK_IF(shapes[i] == nullptr, OP_LOGE(context, "%s has no shape", INPUT_LAYOUTS[i].name),
                    return ge::GRAPH_FAILED);
    }
    optiling::ResolvedDims dims = {};
    std::string error;
    OP_CHECK_IF(!optiling::ResolveDims(INPUT_LAYOUTS.data(), shapes.data(), INPUT_NUM, &dims, &error),
                OP_LOGE(context, "%s", error.c_str()), return ge::GRAPH_FAILED);
    const gert::RuntimeAttrs* attrs = context->GetAttrs();
    const bool* needBackward = attrs == nullptr ? nullptr : attrs->GetBool(ATTR_NEED_BACKWARD);
    for (size_t i = 0; i < OUTPUT_NUM; ++i) {
        gert::Shape* output = context->GetOutputShape(i);
        OP_CHECK_IF(output == nullptr, OP_LOGE(context, "%s has no shape", OUTPUT_LAYOUTS[i].name),
                    return ge::GRAPH_FAILED);
        *output = OutputShape(i, dims, needBackward == nullptr || *needBackward);
    }
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus InferDataTypeBlockAttentionResiduals(gert::InferDataTypeContext* context)
{
    for (size_t i = 0; i < OUTPUT_NUM; ++i) {
        const ge::DataType type = OUTPUT_LAYOUTS[i].alwaysFloat32 ? ge::DT_FLOAT : context->GetInputDataType(0);
        const ge::graphStatus status = context->SetOutputDataType(i, type);
        OP_CHECK_IF(status != ge::GRAPH_SUCCESS, OP_LOGE(context, "%s has no data type", OUTPUT_LAYOUTS[i].name),
                    return status);
    }
    return ge::GRAPH_SUCCESS;
}

}  // namespace

IMPL_OP_INFERSHAPE(BlockAttentionResiduals)
    .InferShape(InferShapeBlockAttentionResiduals)
    .InferDataType(InferDataTypeBlockAttentionResiduals);

}  // namespace ops
