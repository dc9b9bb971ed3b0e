// Executors as aclnn sources use them: aclOpExecutor holds the tasks of one call,
// UniqueExecutor owns it during phase 1, CommonOpExecutorRun is phase 2. All inline over
// the runtime library's C functions; cc/aclnn/executor.h is behind them.
#ifndef CC_ACLNN_INCLUDE_OPDEV_OP_EXECUTOR_H_
#define CC_ACLNN_INCLUDE_OPDEV_OP_EXECUTOR_H_

#include <cstdint>

#include "aclnn/acl_meta.h"
#include "cc/aclnn/internal/executor_api.h"
#include "opdev/common_types.h"
#include "opdev/op_arg_def.h"
#include "opdev/op_dfx.h"
#include "opdev/op_errno.h"
#include "opdev/op_log.h"

// A handle: the pointer is never dereferenced, its methods pass it on.
struct aclOpExecutor {
 public:
  aclOpExecutor() = delete;
  aclOpExecutor(const aclOpExecutor&) = delete;
  aclOpExecutor& operator=(const aclOpExecutor&) = delete;

  // A contiguous tensor in the workspace. Null with a message on failure.
  aclTensor* AllocTensor(const op::Shape& shape, op::DataType data_type,
                         op::Format format = op::Format::FORMAT_ND) {
    int64_t dims[op::MAX_DIM_NUM];
    for (size_t i = 0; i < shape.GetDimNum(); ++i) dims[i] = shape.GetDim(i);
    return aclTwinExecutorAllocTensor(this, dims, shape.GetDimNum(),
                                      static_cast<int32_t>(data_type),
                                      static_cast<int32_t>(format));
  }

  // A contiguous view of the tensor's storage, `offset` elements after its own.
  aclTensor* CreateView(const aclTensor* tensor, const op::Shape& shape, int64_t offset) {
    int64_t dims[op::MAX_DIM_NUM];
    for (size_t i = 0; i < shape.GetDimNum(); ++i) dims[i] = shape.GetDim(i);
    return aclTwinExecutorCreateView(this, tensor, dims, shape.GetDimNum(), nullptr, offset);
  }

  uint64_t GetWorkspaceSize() const {
    return aclTwinExecutorWorkspaceSize(const_cast<aclOpExecutor*>(this));
  }
};

// Ends its executor unless ReleaseTo gave it to the caller.
class UniqueExecutor {
 public:
  explicit UniqueExecutor(const char* func_name) : executor_(aclTwinExecutorCreate(func_name)) {}
  ~UniqueExecutor() {
    if (executor_ != nullptr) aclTwinExecutorDiscard(executor_);
  }
  UniqueExecutor(const UniqueExecutor&) = delete;
  UniqueExecutor& operator=(const UniqueExecutor&) = delete;

  // Null when there was no memory for one.
  aclOpExecutor* get() const { return executor_; }
  aclOpExecutor* operator->() const { return executor_; }

  void ReleaseTo(aclOpExecutor** executor) {
    if (executor == nullptr) return;
    *executor = executor_;
    executor_ = nullptr;
  }

 private:
  aclOpExecutor* executor_;
};

inline aclnnStatus CommonOpExecutorRun(void* workspace, uint64_t workspace_size,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return aclTwinExecutorRun(workspace, workspace_size, executor, stream);
}

#endif  // CC_ACLNN_INCLUDE_OPDEV_OP_EXECUTOR_H_
