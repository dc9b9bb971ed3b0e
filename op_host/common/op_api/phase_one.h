// What phase 1 of every aclnn interface does with tensors that are right: contiguous inputs, results that are written
// through the strides of non-contiguous outputs, and an executor that the caller gets only when all has succeeded.

#ifndef OP_HOST_COMMON_OP_API_PHASE_ONE_H
#define OP_HOST_COMMON_OP_API_PHASE_ONE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>

#include "aclnn_kernels/contiguous.h"
#include "opdev/make_op_executor.h"
#include "opdev/op_dfx.h"
#include "opdev/op_errno.h"
#include "opdev/op_log.h"
#include "opdev/tensor_view_utils.h"

namespace op_api
{

// The tensors are checked: from here on a step fails for lack of memory alone, unless it is a launch.

template <size_t COUNT>
aclnnStatus MakeContiguous(const std::array<const aclTensor*, COUNT>& inputs, aclOpExecutor* executor,
                           std::array<const aclTensor*, COUNT>* contiguous)
{
    for (size_t i = 0; i < COUNT; ++i) {
        (*contiguous)[i] = l0op::Contiguous(inputs[i], executor);
        CHECK_RET((*contiguous)[i] != nullptr, ACLNN_ERR_RUNTIME_ERROR);
    }
    return ACLNN_SUCCESS;
}

// For each output itself, or a tensor of the same shape and type where it is not contiguous.
template <size_t COUNT>
aclnnStatus MakeResults(const std::array<const aclTensor*, COUNT>& outputs, aclOpExecutor* executor,
                        std::array<const aclTensor*, COUNT>* results)
{
    for (size_t i = 0; i < COUNT; ++i) {
        const aclTensor* output = outputs[i];
        (*results)[i] =
            op::IsContiguous(output) ? output : executor->AllocTensor(output->GetViewShape(), output->GetDataType());
        CHECK_RET((*results)[i] != nullptr, ACLNN_ERR_RUNTIME_ERROR);
    }
    return ACLNN_SUCCESS;
}

// The way from MakeResults' tensors to the outputs.
template <size_t COUNT>
aclnnStatus WriteResults(const std::array<const aclTensor*, COUNT>& results,
                         const std::array<const aclTensor*, COUNT>& outputs, aclOpExecutor* executor)
{
    for (size_t i = 0; i < COUNT; ++i) {
        if (results[i] != outputs[i]) {
            CHECK_RET(l0op::ViewCopy(results[i], outputs[i], executor) != nullptr, ACLNN_ERR_RUNTIME_ERROR);
        }
    }
    return ACLNN_SUCCESS;
}

// Runs `check`, then `addTasks` on a new executor, and hands out executor and workspace size; both stay as they are on
// failure. `api` names the function in the message of an exception, none of which may cross the C interface.
template <typename Check, typename AddTasks>
aclnnStatus MakeExecutor(const char* api, Check check, AddTasks addTasks, uint64_t* workspaceSize,
                         aclOpExecutor** executor)
{
    try {
        aclnnStatus status = check();
        CHECK_RET(status == ACLNN_SUCCESS, status);
        auto uniqueExecutor = CREATE_EXECUTOR();
        CHECK_RET(uniqueExecutor.get() != nullptr, ACLNN_ERR_RUNTIME_ERROR);
        status = addTasks(uniqueExecutor.get());
        CHECK_RET(status == ACLNN_SUCCESS, status);
        *workspaceSize = uniqueExecutor->GetWorkspaceSize();
        uniqueExecutor.ReleaseTo(executor);
        return ACLNN_SUCCESS;
    } catch (const std::exception& exception) {  // no memory
        OP_LOGE(ACLNN_ERR_RUNTIME_ERROR, "%s failed: %s", api, exception.what());
        return ACLNN_ERR_RUNTIME_ERROR;
    }
}

}  // namespace op_api

#endif  // OP_HOST_COMMON_OP_API_PHASE_ONE_H
