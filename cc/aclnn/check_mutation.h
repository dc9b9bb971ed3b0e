// Options of check mode that change a kernel's calls one at a time, to see whether anybody notices:
//
//   call_sites=true|false              list the calls; default false
//   mutate=KIND@FILE:LINE:COLUMN       drop a call; KIND is a name of a call's kind, as listed
//   mutate_use=N@[FILE:LINE:COLUMN]    only its use N since that place, as listed
//   mutate_copy=FIELD+N or FIELD-N     of a copy: change block_count, block_bytes, src_gap,
//   dst_gap,
//                                      src_offset or dst_offset
//
// cc/ascendc/checks/options.h says what they mean.
#ifndef CC_ACLNN_CHECK_MUTATION_H_
#define CC_ACLNN_CHECK_MUTATION_H_

#include <string>
#include <vector>

#include "cc/acl/internal/error_message.h"
#include "cc/aclnn/launch_mode.h"
#include "cc/ascendc/checks/options.h"

namespace attnres::aclnn {

bool IsMutationOption(const std::string& name);
// Precondition: IsMutationOption.
acl::Error ReadMutationOption(const ModeOption& option, checks::CheckOptions* check);

// [{"kind", "place", "ordinal", "after", "tensors": [...], "most_blocks"}]; a place is an object of
// file, line and column, null where it is unknown.
std::string CallSitesJson(const std::vector<checks::CallSite>& sites);

}  // namespace attnres::aclnn

#endif  // CC_ACLNN_CHECK_MUTATION_H_
