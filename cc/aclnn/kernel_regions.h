// KernelRegions: the global memory of one kernel launch, as check mode wants it: what the kernel
// may read and write, by name.
#ifndef CC_ACLNN_KERNEL_REGIONS_H_
#define CC_ACLNN_KERNEL_REGIONS_H_

#include <vector>

#include "cc/aclnn/address_list.h"
#include "cc/aclnn/launch_plan.h"
#include "cc/ascendc/checks/gm_regions.h"

namespace attnres::aclnn {

// `args`: the addresses of inputs, outputs, workspace and tiling data. Inputs that share bytes, as
// where a caller gives one tensor twice, become one region.
std::vector<checks::GmRegion> KernelRegions(const LaunchPlan& plan, const AddressList& args);

}  // namespace attnres::aclnn

#endif  // CC_ACLNN_KERNEL_REGIONS_H_
