// Shape and data type inference of BlockAttentionResidualsGrad: output i is like input i, with every dimension taken
// from the first input that knows it.

#include <array>
#include <string>

#include "op_common/log/log.h"
#include "op_host/block_attention_residuals_grad/shape_relations.h"
#include "register/op_impl_registry.h"

namespace ops
{
namespace
{

ge::graphStatus InferShapeBlockAttentionResidualsGrad(gert::InferShapeContext* context)
{
    std::array<const gert::Shape*, optiling::INPUT_NUM> shapes = {};
    for (size_t i = 0; i < optiling::INPUT_NUM; ++i) {
        shapes[i] = context->GetInputShape(i);
        OP_CHECK_IF(shapes[i] == nullptr, OP_LOGE(context, "%s has no shape", optiling::INPUT_LAYOUTS[i].name),
                    return ge::GRAPH_FAILED);
    }
    optiling::ResolvedDims dims = {};
    std::string error;
    OP_CHECK_IF(
        !optiling::ResolveDims(optiling::INPUT_LAYOUTS.data(), shapes.data(), optiling::INPUT_NUM, &dims, &error),
        OP_LOGE(context, "%s", error.c_str()), return ge::GRAPH_FAILED);
    for (size_t i = 0; i < optiling::OUTPUT_NUM; ++i) {
        gert::Shape* output = context->GetOutputShape(i);
        OP_CHECK_IF(output == nullptr, OP_LOGE(context, "%s has no shape", optiling::OUTPUT_LAYOUTS[i].name),
                    return ge::GRAPH_FAILED);
        *output = optiling::ShapeOf(optiling::OUTPUT_LAYOUTS[i], dims);
    }
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus InferDataTypeBlockAttentionResidualsGrad(gert::InferDataTypeContext* context)
{
    for (size_t i = 0; i < optiling::OUTPUT_NUM; ++i) {
        const ge::graphStatus status = context->SetOutputDataType(i, context->GetInputDataType(i));
        OP_CHECK_IF(status != ge::GRAPH_SUCCESS,
                    OP_LOGE(context, "%s has no data type", optiling::OUTPUT_LAYOUTS[i].name), return status);
    }
    return ge::GRAPH_SUCCESS;
}

}  // namespace

IMPL_OP_INFERSHAPE(BlockAttentionResidualsGrad)
    .InferShape(InferShapeBlockAttentionResidualsGrad)
    .InferDataType(InferDataTypeBlockAttentionResidualsGrad);

}  // namespace ops
