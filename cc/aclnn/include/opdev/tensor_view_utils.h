// Questions about how a tensor lies in its storage.
#ifndef CC_ACLNN_INCLUDE_OPDEV_TENSOR_VIEW_UTILS_H_
#define CC_ACLNN_INCLUDE_OPDEV_TENSOR_VIEW_UTILS_H_

#include "opdev/common_types.h"

namespace op {

// Elements lie in order without gaps, from the view's offset on.
inline bool IsContiguous(const aclTensor* tensor) { return aclTwinTensorIsContiguous(tensor) != 0; }

}  // namespace op

#endif  // CC_ACLNN_INCLUDE_OPDEV_TENSOR_VIEW_UTILS_H_
