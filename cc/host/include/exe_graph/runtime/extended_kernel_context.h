// What all contexts have in common: names, tensor descriptions and attributes of the call.
// Every input is required in the twin, so that an input's index is also its index in the
// definition.
#ifndef CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_EXTENDED_KERNEL_CONTEXT_H_
#define CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_EXTENDED_KERNEL_CONTEXT_H_

#include <cstddef>

#include "exe_graph/runtime/compute_node_info.h"
#include "graph/types.h"

namespace gert {

class ExtendedKernelContext {
 public:
  // The node must outlive the context.
  explicit ExtendedKernelContext(ComputeNodeInfo* node) : node_(node) {}

  // Null when there is no such tensor.
  const CompileTimeTensorDesc* GetInputDesc(size_t index) const {
    return node_->GetInputTdInfo(index);
  }
  const CompileTimeTensorDesc* GetRequiredInputDesc(size_t ir_index) const {
    return node_->GetInputTdInfo(ir_index);
  }
  const CompileTimeTensorDesc* GetOutputDesc(size_t index) const {
    return node_->GetOutputTdInfo(index);
  }

  size_t GetComputeNodeInputNum() const { return node_->GetInputsNum(); }
  size_t GetComputeNodeOutputNum() const { return node_->GetOutputsNum(); }
  const RuntimeAttrs* GetAttrs() const { return node_->GetAttrs(); }
  const ge::char_t* GetNodeType() const { return node_->GetNodeType(); }
  const ge::char_t* GetNodeName() const { return node_->GetNodeName(); }
  const ComputeNodeInfo* GetComputeNodeInfo() const { return node_; }

 protected:
  ComputeNodeInfo* node() const { return node_; }

 private:
  ComputeNodeInfo* node_;
};

}  // namespace gert

#endif  // CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_EXTENDED_KERNEL_CONTEXT_H_
