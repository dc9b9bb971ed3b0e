// gert::InferDataTypeContext: input data types to read, output data types to write.
#ifndef CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_INFER_DATATYPE_CONTEXT_H_
#define CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_INFER_DATATYPE_CONTEXT_H_

#include <cstddef>

#include "exe_graph/runtime/extended_kernel_context.h"
#include "graph/types.h"

namespace gert {

class InferDataTypeContext : public ExtendedKernelContext {
 public:
  using ExtendedKernelContext::ExtendedKernelContext;

  // DT_UNDEFINED when there is no such tensor.
  ge::DataType GetInputDataType(size_t index) const {
    const CompileTimeTensorDesc* desc = node()->GetInputTdInfo(index);
    return desc == nullptr ? ge::DT_UNDEFINED : desc->GetDataType();
  }
  ge::DataType GetRequiredInputDataType(size_t ir_index) const {
    return GetInputDataType(ir_index);
  }
  ge::DataType GetOutputDataType(size_t index) const {
    const CompileTimeTensorDesc* desc = node()->GetOutputTdInfo(index);
    return desc == nullptr ? ge::DT_UNDEFINED : desc->GetDataType();
  }
  // GRAPH_FAILED when there is no such output.
  ge::graphStatus SetOutputDataType(size_t index, ge::DataType data_type) {
    CompileTimeTensorDesc* desc = node()->MutableOutputTdInfo(index);
    if (desc == nullptr) return ge::GRAPH_FAILED;
    desc->SetDataType(data_type);
    return ge::GRAPH_SUCCESS;
  }
};

}  // namespace gert

#endif  // CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_INFER_DATATYPE_CONTEXT_H_
