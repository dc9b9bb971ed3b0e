// l0op::ZerosLike.
#ifndef CC_ACLNN_INCLUDE_LEVEL0_ZERO_OP_H_
#define CC_ACLNN_INCLUDE_LEVEL0_ZERO_OP_H_

#include "cc/aclnn/internal/executor_api.h"
#include "opdev/op_executor.h"

namespace l0op {

// Zeros of the shape and dtype of `self`. Copied to a result with ViewCopy they are
// written there at once and take no workspace.
inline const aclTensor* ZerosLike(const aclTensor* self, aclOpExecutor* executor) {
  return aclTwinExecutorZerosLike(executor, self);
}

}  // namespace l0op

#endif  // CC_ACLNN_INCLUDE_LEVEL0_ZERO_OP_H_
