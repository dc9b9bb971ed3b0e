// The two phases of aclnnScaleCustom.
#include "aclnnop/aclnn_scale_custom.h"

#include "opdev/make_op_executor.h"
#include "opdev/op_dfx.h"
#include "opdev/op_errno.h"
#include "opdev/op_log.h"

namespace l0op {

OP_TYPE_REGISTER(ScaleCustom);

aclnnStatus ScaleCustom(const aclTensor* x, float factor, const aclTensor* y,
                        aclOpExecutor* executor) {
  L0_DFX(ScaleCustom, x, factor, y);
  return ADD_TO_LAUNCHER_LIST_AICORE(ScaleCustom, OP_INPUT(x), OP_OUTPUT(y), OP_ATTR(factor));
}

}  // namespace l0op

extern "C" {

aclnnStatus aclnnScaleCustomGetWorkspaceSize(const aclTensor* x, double factor, const aclTensor* y,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  L2_DFX_PHASE_1(aclnnScaleCustom, DFX_IN(x, factor), DFX_OUT(y));
  CHECK_RET(x != nullptr && y != nullptr && workspaceSize != nullptr && executor != nullptr,
            ACLNN_ERR_PARAM_NULLPTR);
  auto uniqueExecutor = CREATE_EXECUTOR();
  CHECK_RET(uniqueExecutor.get() != nullptr, ACLNN_ERR_RUNTIME_ERROR);
  const aclnnStatus status =
      l0op::ScaleCustom(x, static_cast<float>(factor), y, uniqueExecutor.get());
  CHECK_RET(status == ACLNN_SUCCESS, status);
  *workspaceSize = uniqueExecutor->GetWorkspaceSize();
  uniqueExecutor.ReleaseTo(executor);
  return ACLNN_SUCCESS;
}

aclnnStatus aclnnScaleCustom(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  L2_DFX_PHASE_2(aclnnScaleCustom);
  return CommonOpExecutorRun(workspace, workspaceSize, executor, stream);
}

}  // extern "C"
