// Runs an operator's tiling for one call that came over the C seam: checks the call against the
// definition, builds the TilingContext, calls the registered function and collects its answer.
// infer_entry.h does the same for shape and type inference.
#ifndef CC_HOST_TILING_ENTRY_H_
#define CC_HOST_TILING_ENTRY_H_

#include <cstdint>

#include "cc/acl/internal/operator_registry.h"

namespace attnres {
namespace host {

// The aclnn status of a failure.
constexpr int32_t kTilingFailed = 561002;
constexpr int32_t kKernelNotFound = 561003;  // no kernels for this SoC

// Returns 0 with everything but `message` set, kKernelNotFound for a SoC that the definition does
// not list, and kTilingFailed for any other fault; then `message` is one sentence and nothing else
// of `result` has changed. Tiling data goes to result->tiling_data, which may have any alignment.
// Never throws. Precondition: all pointers are valid, `result` says its capacity.
int32_t TilingEntry(const char* op_type, const AclTwinTilingRequest* request,
                    AclTwinTilingResult* result);

// What the definition of `op_type` calls its input or output of that index; null when it has none.
// Never throws.
const char* TensorName(const char* op_type, bool is_output, uint64_t index);

}  // namespace host
}  // namespace attnres

#endif  // CC_HOST_TILING_ENTRY_H_
