// The operators of this library by type: definition and host functions. Static objects of operator
// sources fill it while the library loads (IMPL_OP_*, OP_ADD); afterwards it is only read, so that
// readers need no lock.
#ifndef CC_HOST_OPERATOR_REGISTRY_H_
#define CC_HOST_OPERATOR_REGISTRY_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "register/op_def.h"
#include "register/op_impl_registry.h"

namespace attnres {
namespace host {

struct OperatorRecord {
  std::optional<ops::OpDef> definition;
  gert::OpImplRegisterV2::InferShapeKernelFunc infer_shape = nullptr;
  gert::OpImplRegisterV2::InferDataTypeKernelFunc infer_data_type = nullptr;
  gert::OpImplRegisterV2::TilingKernelFunc tiling = nullptr;
  size_t max_tiling_data_size = 0;
  gert::OpImplRegisterV2::TilingParseFunc tiling_parse = nullptr;
  gert::OpImplRegisterV2::CompileInfoCreatorFunc create_compile_info = nullptr;
  gert::OpImplRegisterV2::CompileInfoDeleterFunc delete_compile_info = nullptr;
};

// Null when no source registered anything for `op_type`.
const OperatorRecord* FindOperator(const std::string& op_type);

// The record of `op_type`, empty the first time.
OperatorRecord* GetOrCreateOperator(const std::string& op_type);

// The types of all operators, sorted.
std::vector<std::string> RegisteredOperators();

}  // namespace host
}  // namespace attnres

#endif  // CC_HOST_OPERATOR_REGISTRY_H_
