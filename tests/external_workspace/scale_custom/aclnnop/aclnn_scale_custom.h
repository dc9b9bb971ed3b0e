/* The C interface of ScaleCustom, y = factor * x for contiguous tensors of FLOAT16 or FLOAT. */
#ifndef SCALE_CUSTOM_ACLNN_SCALE_CUSTOM_H_
#define SCALE_CUSTOM_ACLNN_SCALE_CUSTOM_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

ACL_FUNC_VISIBILITY aclnnStatus aclnnScaleCustomGetWorkspaceSize(const aclTensor* x, double factor,
                                                                 const aclTensor* y,
                                                                 uint64_t* workspaceSize,
                                                                 aclOpExecutor** executor);

ACL_FUNC_VISIBILITY aclnnStatus aclnnScaleCustom(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* SCALE_CUSTOM_ACLNN_SCALE_CUSTOM_H_ */
