// l0op::Contiguous and l0op::ViewCopy: in and out of the contiguous tensors that kernels
// work on.
#ifndef CC_ACLNN_INCLUDE_ACLNN_KERNELS_CONTIGUOUS_H_
#define CC_ACLNN_INCLUDE_ACLNN_KERNELS_CONTIGUOUS_H_

#include "cc/aclnn/internal/executor_api.h"
#include "opdev/op_executor.h"

namespace l0op {

// `x` itself when it is contiguous, else a copy in the workspace. Null with a message when
// the view leaves its storage.
inline const aclTensor* Contiguous(const aclTensor* x, aclOpExecutor* executor) {
  return aclTwinExecutorContiguous(executor, x);
}

// Copies `x` to `y`, a view of the same shape and dtype, and returns `y`.
inline const aclTensor* ViewCopy(const aclTensor* x, const aclTensor* y, aclOpExecutor* executor) {
  return aclTwinExecutorViewCopy(executor, x, y);
}

}  // namespace l0op

#endif  // CC_ACLNN_INCLUDE_ACLNN_KERNELS_CONTIGUOUS_H_
