// Check mode: kernels run under the rules of cc/ascendc/checks. Options:
//
//   auto_sync=true|false                        the compiler's own synchronisation; default true
//   orders=eager,late-in,late-out,late-vector   those to run in; default all
//   dump=BUFFER@LINE or BUFFER@FILE:LINE        any number of them; see DumpRequest
//
// The report: {"mode": "check", "arch", "cores", "auto_sync", "orders": [...], "findings": [...],
// "dropped", "dumps": [{"request", "core", "offset", "bytes"}]}; findings are as ToJson of
// cc/ascendc/checks/finding.h writes them, dumps lie in the report's data.
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
