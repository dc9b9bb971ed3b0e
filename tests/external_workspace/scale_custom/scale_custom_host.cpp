// ScaleCustom on the host: its definition and its tiling.
#include "exe_graph/runtime/tiling_context.h"
#include "op_common/log/log.h"
#include "register/op_def_registry.h"
#include "register/op_impl_registry.h"
#include "scale_custom/scale_custom_tiling.h"
#include "tiling/platform/platform_ascendc.h"

namespace ops {

class ScaleCustom : public OpDef {
 public:
  explicit ScaleCustom(const char* name) : OpDef(name) {
    for (OpParamDef* tensor : {&this->Input("x"), &this->Output("y")}) {
      tensor->ParamType(REQUIRED)
          .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
          .Format({ge::FORMAT_ND, ge::FORMAT_ND});
    }
    this->Attr("factor").AttrType(REQUIRED).Float();
    this->AICore().AddConfig("ascend950");
  }
};

OP_ADD(ScaleCustom);

}  // namespace ops

namespace {

struct ScaleCustomCompileInfo {};

ge::graphStatus ScaleCustomTiling(gert::TilingContext* context) {
  constexpr uint32_t kTileElements = 4096;
  const gert::StorageShape* shape = context->GetInputShape(0);
  auto* data = context->GetTilingData<ScaleCustomTilingData>();
  OP_CHECK_NULL_WITH_CONTEXT(context, shape);
  OP_CHECK_NULL_WITH_CONTEXT(context, data);
  data->elements = static_cast<uint64_t>(shape->GetStorageShape().GetShapeSize());
  data->factor = *context->GetAttrs()->GetFloat(0);
  data->tileElements = kTileElements;
  const uint64_t tiles = (data->elements + kTileElements - 1) / kTileElements;
  const uint64_t cores =
      platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCoreNumAiv();
  context->SetBlockDim(static_cast<uint32_t>(tiles < cores ? tiles : cores));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

ge::graphStatus ScaleCustomTilingPrepare(gert::TilingParseContext*) { return ge::GRAPH_SUCCESS; }

IMPL_OP_OPTILING(ScaleCustom)
    .Tiling(ScaleCustomTiling)
    .TilingParse<ScaleCustomCompileInfo>(ScaleCustomTilingPrepare);

}  // namespace
