// gert::InferShapeContext: input shapes to read, output shapes to write.
#ifndef CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_INFER_SHAPE_CONTEXT_H_
#define CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_INFER_SHAPE_CONTEXT_H_

#include <cstddef>

#include "exe_graph/runtime/extended_kernel_context.h"
#include "exe_graph/runtime/shape.h"

namespace gert {

class InferShapeContext : public ExtendedKernelContext {
 public:
  using ExtendedKernelContext::ExtendedKernelContext;

  // Each returns null when there is no such tensor.
  const Shape* GetInputShape(size_t index) const {
    const Tensor* tensor = node()->GetInputTensor(index);
    return tensor == nullptr ? nullptr : &tensor->GetOriginShape();
  }
  const Shape* GetRequiredInputShape(size_t ir_index) const { return GetInputShape(ir_index); }
  const Tensor* GetInputTensor(size_t index) const { return node()->GetInputTensor(index); }
  Shape* GetOutputShape(size_t index) {
    Tensor* tensor = node()->MutableOutputTensor(index);
    return tensor == nullptr ? nullptr : &tensor->MutableOriginShape();
  }
};

}  // namespace gert

#endif  // CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_INFER_SHAPE_CONTEXT_H_
