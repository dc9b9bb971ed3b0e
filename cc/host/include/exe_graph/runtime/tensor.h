// The older name of exe_graph/runtime/runtime_tensor.h.
#ifndef CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_TENSOR_H_
#define CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_TENSOR_H_

#include "exe_graph/runtime/runtime_tensor.h"  // IWYU pragma: export

#endif  // CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_TENSOR_H_
