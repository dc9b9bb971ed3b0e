// The table of operators and the registration classes that fill it; see operator_registry.h.
#include "cc/host/operator_registry.h"

#include <map>

#include "register/op_def_registry.h"

namespace attnres {
namespace host {
namespace {

// Made on first use: registering objects of other files may be initialised before this one.
std::map<std::string, OperatorRecord>& Records() {
  static auto* const records = new std::map<std::string, OperatorRecord>();
  return *records;
}

}  // namespace

const OperatorRecord* FindOperator(const std::string& op_type) {
  const auto found = Records().find(op_type);
  return found == Records().end() ? nullptr : &found->second;
}

OperatorRecord* GetOrCreateOperator(const std::string& op_type) { return &Records()[op_type]; }

std::vector<std::string> RegisteredOperators() {
  std::vector<std::string> types;
  for (const auto& record : Records()) types.push_back(record.first);
  return types;
}

}  // namespace host
}  // namespace attnres

namespace gert {

using attnres::host::GetOrCreateOperator;
using attnres::host::OperatorRecord;

OpImplRegisterV2& OpImplRegisterV2::InferShape(InferShapeKernelFunc function) {
  if (function != nullptr) GetOrCreateOperator(op_type_)->infer_shape = function;
  return *this;
}

OpImplRegisterV2& OpImplRegisterV2::InferDataType(InferDataTypeKernelFunc function) {
  if (function != nullptr) GetOrCreateOperator(op_type_)->infer_data_type = function;
  return *this;
}

OpImplRegisterV2& OpImplRegisterV2::Tiling(TilingKernelFunc function, size_t max_tiling_data_size) {
  if (function == nullptr) return *this;
  OperatorRecord* record = GetOrCreateOperator(op_type_);
  record->tiling = function;
  record->max_tiling_data_size = max_tiling_data_size;
  return *this;
}

OpImplRegisterV2& OpImplRegisterV2::TilingParse(TilingParseFunc function,
                                                CompileInfoCreatorFunc creator,
                                                CompileInfoDeleterFunc deleter) {
  if (function == nullptr) return *this;
  OperatorRecord* record = GetOrCreateOperator(op_type_);
  record->tiling_parse = function;
  record->create_compile_info = creator;
  record->delete_compile_info = deleter;
  return *this;
}

}  // namespace gert

namespace ops {

int RegisterOpDef(const OpDef& definition) {
  const char* const op_type = definition.GetOpType().c_str();
  gert::OpImplRegisterV2(op_type)
      .InferShape(definition.GetInferShape())
      .InferDataType(definition.GetInferDataType())
      .Tiling(definition.GetAICore().GetTiling());
  attnres::host::GetOrCreateOperator(definition.GetOpType())->definition = definition;
  return 0;
}

}  // namespace ops
