// What one call of an operator consists of: names, tensors, their compile-time descriptions and
// attributes. The contexts are views of a ComputeNodeInfo.
#ifndef CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_COMPUTE_NODE_INFO_H_
#define CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_COMPUTE_NODE_INFO_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "exe_graph/runtime/runtime_attrs.h"
#include "exe_graph/runtime/runtime_tensor.h"
#include "exe_graph/runtime/storage_format.h"
#include "graph/types.h"

namespace gert {

// Data type and format of one input or output, without its shape.
class CompileTimeTensorDesc {
 public:
  ge::DataType GetDataType() const { return data_type_; }
  const StorageFormat& GetFormat() const { return format_; }
  ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }
  ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }
  void SetDataType(ge::DataType data_type) { data_type_ = data_type; }
  void SetOriginFormat(ge::Format format) { format_.SetOriginFormat(format); }
  void SetStorageFormat(ge::Format format) { format_.SetStorageFormat(format); }

 private:
  ge::DataType data_type_ = ge::DT_UNDEFINED;
  StorageFormat format_;
};

class ComputeNodeInfo {
 public:
  ComputeNodeInfo(std::string node_type, std::string node_name)
      : node_type_(std::move(node_type)), node_name_(std::move(node_name)) {}

  const ge::char_t* GetNodeType() const { return node_type_.c_str(); }
  const ge::char_t* GetNodeName() const { return node_name_.c_str(); }
  size_t GetInputsNum() const { return inputs_.size(); }
  size_t GetOutputsNum() const { return outputs_.size(); }
  const RuntimeAttrs* GetAttrs() const { return &attrs_; }

  // Each returns null when there is no tensor of that index.
  const CompileTimeTensorDesc* GetInputTdInfo(size_t index) const {
    return index < inputs_.size() ? &inputs_[index].desc : nullptr;
  }
  const CompileTimeTensorDesc* GetOutputTdInfo(size_t index) const {
    return index < outputs_.size() ? &outputs_[index].desc : nullptr;
  }
  CompileTimeTensorDesc* MutableOutputTdInfo(size_t index) {
    return index < outputs_.size() ? &outputs_[index].desc : nullptr;
  }
  const Tensor* GetInputTensor(size_t index) const {
    return index < inputs_.size() ? &inputs_[index].tensor : nullptr;
  }
  const Tensor* GetOutputTensor(size_t index) const {
    return index < outputs_.size() ? &outputs_[index].tensor : nullptr;
  }
  Tensor* MutableOutputTensor(size_t index) {
    return index < outputs_.size() ? &outputs_[index].tensor : nullptr;
  }

  // For whoever builds a context: adds the next tensor or attribute.
  void AppendInput(const Shape& shape, ge::DataType data_type, ge::Format format) {
    inputs_.emplace_back(shape, data_type, format);
  }
  void AppendOutput(const Shape& shape, ge::DataType data_type, ge::Format format) {
    outputs_.emplace_back(shape, data_type, format);
  }
  RuntimeAttrs* MutableAttrs() { return &attrs_; }

 private:
  struct Parameter {
    Parameter(const Shape& shape, ge::DataType data_type, ge::Format format)
        : tensor({}, StorageFormat(format, format), data_type) {
      tensor.MutableOriginShape() = shape;
      tensor.MutableStorageShape() = shape;
      desc.SetDataType(data_type);
      desc.SetOriginFormat(format);
      desc.SetStorageFormat(format);
    }
    Tensor tensor;
    CompileTimeTensorDesc desc;
  };

  std::string node_type_;
  std::string node_name_;
  std::vector<Parameter> inputs_;
  std::vector<Parameter> outputs_;
  RuntimeAttrs attrs_;
};

}  // namespace gert

#endif  // CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_COMPUTE_NODE_INFO_H_
