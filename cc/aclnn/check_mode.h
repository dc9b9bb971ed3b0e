// Check mode: kernels run under the rules of cc/ascendc/checks. Options:
//
//   auto_sync=true|false                        the compiler's own synchronisation; default true
//   orders=eager,late-copies   those to run in; also late-in, late-out, late-vector
//   dump=BUFFER@LINE or BUFFER@FILE:LINE        any number of them; see DumpRequest
//
// and those of check_mutation.h.
//
// The report: {"mode": "check", "arch", "cores", "auto_sync", "orders": [...],
// "instructions": {"vector", "copy_in", "copy_out", "scalar"}, "findings": [...], "dropped",
// "dumps": [{"request", "core", "offset", "bytes"}]}; findings are as ToJson of
// cc/ascendc/checks/finding.h writes them, dumps lie in the report's data. Where they are asked for
// there are "call_sites", and "mutated", how many calls a mutation changed.
#ifndef CC_ACLNN_CHECK_MODE_H_
#define CC_ACLNN_CHECK_MODE_H_

#include <memory>
#include <vector>

#include "cc/acl/internal/error_message.h"
#include "cc/aclnn/launch_mode.h"

namespace attnres::aclnn {

std::shared_ptr<const LaunchMode> MakeCheckMode(const std::vector<ModeOption>& options,
                                                acl::Error* error);

}  // namespace attnres::aclnn

#endif  // CC_ACLNN_CHECK_MODE_H_
