// Builds the inference contexts and collects the outputs; see infer_entry.h.
#include "cc/host/infer_entry.h"

#include <cstddef>
#include <utility>

#include "cc/host/log.h"
#include "cc/host/operator_registry.h"
#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"

namespace attnres {
namespace host {
namespace {

std::string CheckRecord(const char* op_type, const OperatorRecord* record, size_t input_count) {
  const std::string name = op_type;
  if (record == nullptr || !record->definition.has_value()) {
    return name + " is not registered in this library";
  }
  if (record->infer_shape == nullptr) return name + " has no shape inference";
  if (record->infer_data_type == nullptr) return name + " has no type inference";
  const size_t expected = record->definition->GetInputs().size();
  if (input_count != expected) {
    return name + " got " + std::to_string(input_count) + " inputs, expected " +
           std::to_string(expected);
  }
  return "";
}

}  // namespace

bool InferOutputs(const char* op_type, const std::vector<InferTensor>& inputs,
                  std::vector<InferTensor>* outputs, std::string* error) {
  const OperatorRecord* record = FindOperator(op_type);
  *error = CheckRecord(op_type, record, inputs.size());
  if (!error->empty()) return false;
  gert::ComputeNodeInfo node(op_type, op_type);
  for (const InferTensor& input : inputs) {
    node.AppendInput(input.shape, input.data_type, ge::FORMAT_ND);
  }
  const size_t output_count = record->definition->GetOutputs().size();
  for (size_t i = 0; i < output_count; ++i) {
    node.AppendOutput(gert::Shape(), ge::DT_UNDEFINED, ge::FORMAT_ND);
  }
  TakeError();
  gert::InferShapeContext shape_context(&node);
  gert::InferDataTypeContext type_context(&node);
  if (record->infer_shape(&shape_context) != ge::GRAPH_SUCCESS ||
      record->infer_data_type(&type_context) != ge::GRAPH_SUCCESS) {
    *error = TakeError();
    if (error->empty()) *error = std::string(op_type) + ": inference failed without a message";
    return false;
  }
  std::vector<InferTensor> inferred;
  for (size_t i = 0; i < output_count; ++i) {
    inferred.push_back({*shape_context.GetOutputShape(i), type_context.GetOutputDataType(i)});
  }
  *outputs = std::move(inferred);
  return true;
}

}  // namespace host
}  // namespace attnres
