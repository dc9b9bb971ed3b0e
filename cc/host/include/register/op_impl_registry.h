// IMPL_OP_INFERSHAPE and IMPL_OP_OPTILING: how an operator's source registers its functions, by
// static objects. cc/host/operator_registry.h keeps them; OP_ADD (register/op_def_registry.h) adds
// the definition.
#ifndef CC_HOST_INCLUDE_REGISTER_OP_IMPL_REGISTRY_H_
#define CC_HOST_INCLUDE_REGISTER_OP_IMPL_REGISTRY_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/tiling_context.h"
#include "exe_graph/runtime/tiling_parse_context.h"
#include "graph/ascend_string.h"
#include "graph/compiler_def.h"
#include "graph/types.h"

using UINT32 = unsigned int;

namespace gert {

class OpImplRegisterV2 {
 public:
  using InferShapeKernelFunc = UINT32 (*)(InferShapeContext*);
  using InferDataTypeKernelFunc = UINT32 (*)(InferDataTypeContext*);
  using TilingKernelFunc = UINT32 (*)(TilingContext*);
  using TilingParseFunc = UINT32 (*)(TilingParseContext*);
  using CompileInfoCreatorFunc = void* (*)();
  using CompileInfoDeleterFunc = void (*)(void*);

  explicit OpImplRegisterV2(const ge::char_t* op_type) : op_type_(op_type) {}

  // Each replaces what was registered before; a null function is ignored.
  OpImplRegisterV2& InferShape(InferShapeKernelFunc function);
  OpImplRegisterV2& InferDataType(InferDataTypeKernelFunc function);
  OpImplRegisterV2& Tiling(TilingKernelFunc function, size_t max_tiling_data_size = 2048);
  template <typename T>
  OpImplRegisterV2& TilingParse(TilingParseFunc function) {
    return TilingParse(
        function, []() -> void* { return new T(); },
        [](void* object) { delete static_cast<T*>(object); });
  }

 private:
  OpImplRegisterV2& TilingParse(TilingParseFunc function, CompileInfoCreatorFunc creator,
                                CompileInfoDeleterFunc deleter);

  std::string op_type_;
};

}  // namespace gert

#define IMPL_OP_INFERSHAPE(op_type)                                         \
  gert::OpImplRegisterV2 VAR_UNUSED op_impl_register_infershape_##op_type = \
      gert::OpImplRegisterV2(#op_type)
#define IMPL_OP_OPTILING(op_type)                                         \
  gert::OpImplRegisterV2 VAR_UNUSED op_impl_register_optiling_##op_type = \
      gert::OpImplRegisterV2(#op_type)

#endif  // CC_HOST_INCLUDE_REGISTER_OP_IMPL_REGISTRY_H_
