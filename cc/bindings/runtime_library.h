// The runtime library (libascendcl.so) as the bindings see it: opened at run time from
// the path that Python found, its C functions looked up by name. The bindings link
// against no twin library, so a missing one is an error message, not a failed import.
#ifndef CC_BINDINGS_RUNTIME_LIBRARY_H_
#define CC_BINDINGS_RUNTIME_LIBRARY_H_

#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "cc/acl/internal/operator_registry.h"
#include "cc/acl/internal/twin_runtime.h"
#include "cc/aclnn/internal/executor_api.h"

namespace attnres::bindings {

// Every function of the runtime that the bindings call.
#define ATTNRES_RUNTIME_FUNCTIONS(X) \
  X(aclCreateTensor)                 \
  X(aclDestroyAclOpExecutor)         \
  X(aclDestroyTensor)                \
  X(aclGetRecentErrMsg)              \
  X(aclSetAclOpExecutorRepeatable)   \
  X(aclTwinCreateBlockingStream)     \
  X(aclTwinExecutorSetAddresses)     \
  X(aclTwinFindApi)                  \
  X(aclTwinFindDevice)               \
  X(aclTwinFindOperator)             \
  X(aclTwinGetStreamReport)          \
  X(aclTwinGetStreamStats)           \
  X(aclTwinLogEnabled)               \
  X(aclTwinSetErrorMessage)          \
  X(aclTwinSetLogLevel)              \
  X(aclTwinSetStreamMode)            \
  X(aclTwinSetStreamThreads)         \
  X(aclrtDestroyStream)              \
  X(aclrtFree)                       \
  X(aclrtGetDevice)                  \
  X(aclrtMalloc)                     \
  X(aclrtSetDevice)                  \
  X(aclrtSynchronizeStream)

struct RuntimeFunctions {
#define ATTNRES_DECLARE_FUNCTION(name) decltype(&::name) name = nullptr;
  ATTNRES_RUNTIME_FUNCTIONS(ATTNRES_DECLARE_FUNCTION)
#undef ATTNRES_DECLARE_FUNCTION
};

// Opens the runtime library, looks up its functions, then opens the operator
// libraries, which register themselves. Returns "" or one sentence that names the
// file. What is loaded stays loaded for the life of the process; a second call after
// a success does nothing. Precondition: calls do not overlap.
std::string LoadLibraries(const std::string& runtime_path,
                          const std::vector<std::string>& operator_paths);

// The functions; null before LoadLibraries has succeeded.
const RuntimeFunctions* Runtime();

}  // namespace attnres::bindings

#endif  // CC_BINDINGS_RUNTIME_LIBRARY_H_
