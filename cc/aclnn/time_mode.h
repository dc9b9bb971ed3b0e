// Time mode: kernels run on a model of the SoC's cores, cc/ascendc/timeline. Options:
//
//   trace_cores=N       cores in the trace; default 4
//   trace_events=N      events in the trace, about; default 200000
//   past_l2=NAME,...    inputs and outputs that the kernel keeps out of the L2 cache
//
// The report: {"mode": "time", "result": {...}} as ResultJson of cc/ascendc/timeline/result_json.h
// writes it; the report's data is a Chrome trace. A kernel that would wait for ever on a device
// ends the launch with a message.
#ifndef CC_ACLNN_TIME_MODE_H_
#define CC_ACLNN_TIME_MODE_H_

#include <memory>
#include <vector>

#include "cc/acl/internal/error_message.h"
#include "cc/aclnn/launch_mode.h"

namespace attnres::aclnn {

std::shared_ptr<const LaunchMode> MakeTimeMode(const std::vector<ModeOption>& options,
                                               acl::Error* error);

}  // namespace attnres::aclnn

#endif  // CC_ACLNN_TIME_MODE_H_
