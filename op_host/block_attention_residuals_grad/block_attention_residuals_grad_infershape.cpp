// Shape and data type inference of BlockAttentionResidualsGrad: output i is like input i, with every dimension taken
// from the first input that knows it.

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
    optiling::InputShapes shapes = {};
    for (size_t i = 0; i < optiling::INPUT_NUM; ++i) {
        shapes[i] = context->GetInputShape(i);
        OP_CHECK_IF(shapes[i] == nullptr, OP_LOGE(context, "%s has no shape", optiling::INPUT_NAMES[i]),
                    return ge::GRAPH_FAILED);
    }
    optiling::ResolvedDims dims = {};
    std::string error;
    OP_CHECK_IF(!optiling::ResolveDims(shapes, &dims, &error), OP_LOGE(context, "%s", error.c_str()),
                return ge::GRAPH_FAILED);
    for (size_t i = 0; i < optiling::OUTPUT_NUM; ++i) {
        gert::Shape* output = context->GetOutputShape(i);
        OP_CHECK_IF(output == nullptr, OP_LOGE(context, "%s has no shape", optiling::OUTPUT_NAMES[i]),
                    return ge::GRAPH_FAILED);
        *output = optiling::OutputShape(i, dims);
    }
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus InferDataTypeBlockAttentionResidualsGrad(gert::InferDataTypeContext* context)
{
    for (size_t i = 0; i < optiling::OUTPUT_NUM; ++i) {
        const ge::graphStatus status = context->SetOutputDataType(i, context->GetInputDataType(i));
        OP_CHECK_IF(status != ge::GRAPH_SUCCESS, OP_LOGE(context, "%s has no data type", optiling::OUTPUT_NAMES[i]),
                    return status);
    }
    return ge::GRAPH_SUCCESS;
}

}  // namespace

IMPL_OP_INFERSHAPE(BlockAttentionResidualsGrad)
    .InferShape(InferShapeBlockAttentionResidualsGrad)
    .InferDataType(InferDataTypeBlockAttentionResidualsGrad);

}  // namespace ops
