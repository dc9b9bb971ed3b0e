// Runs an operator's shape and type inference on plain values, as a graph compiler would.
// tiling_entry.h does the same for tiling.
#ifndef CC_HOST_INFER_ENTRY_H_
#define CC_HOST_INFER_ENTRY_H_

#include <string>
#include <vector>

#include "exe_graph/runtime/shape.h"
#include "graph/types.h"

namespace attnres {
namespace host {

struct InferTensor {
  gert::Shape shape;  // -1: dynamic dimension; the one dimension -2: unknown rank
  ge::DataType data_type;
};

// Fills `outputs`, one for each output of the definition of `op_type`. On false `error` is one
// sentence and `outputs` is untouched: the operator is not registered, lacks one of the functions,
// got another number of inputs, or its function refused them.
bool InferOutputs(const char* op_type, const std::vector<InferTensor>& inputs,
                  std::vector<InferTensor>* outputs, std::string* error);

}  // namespace host
}  // namespace attnres

#endif  // CC_HOST_INFER_ENTRY_H_
