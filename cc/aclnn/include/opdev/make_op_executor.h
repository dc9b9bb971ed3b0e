// The macros that make an executor and add a kernel launch to it.
#ifndef CC_ACLNN_INCLUDE_OPDEV_MAKE_OP_EXECUTOR_H_
#define CC_ACLNN_INCLUDE_OPDEV_MAKE_OP_EXECUTOR_H_

#include "opdev/op_arg_def.h"
#include "opdev/op_executor.h"
#include "opdev/platform.h"

#define CREATE_EXECUTOR() UniqueExecutor(__func__)

// Expects `executor` in scope and OP_TYPE_REGISTER(KERNEL_NAME) before it; the arguments
// are OP_INPUT, OP_OUTPUT and OP_ATTR groups. Its value is ACLNN_SUCCESS, or a code with
// the recent error message set.
#define ADD_TO_LAUNCHER_LIST_AICORE(KERNEL_NAME, ...) \
  (static_cast<void>(KERNEL_NAME##OpTypeId()),        \
   op::internal::AddLaunch(#KERNEL_NAME, executor, __VA_ARGS__))

#endif  // CC_ACLNN_INCLUDE_OPDEV_MAKE_OP_EXECUTOR_H_
