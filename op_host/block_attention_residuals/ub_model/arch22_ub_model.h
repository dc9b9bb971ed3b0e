// UB buffers of the arch22 kernels (memory-based vector API, Ascend 910B and 910_93).
// arch35_ub_model.h is its sibling; tiling_plan.h decides with both.

#ifndef OP_HOST_BLOCK_ATTENTION_RESIDUALS_ARCH22_UB_MODEL_H
#define OP_HOST_BLOCK_ATTENTION_RESIDUALS_ARCH22_UB_MODEL_H

#include "op_host/block_attention_residuals/ub_model/ub_model.h"

namespace optiling
{
namespace block_attention_residuals
{
namespace arch22
{

const UbModel& GetUbModel();

}  // namespace arch22
}  // namespace block_attention_residuals
}  // namespace optiling

#endif  // OP_HOST_BLOCK_ATTENTION_RESIDUALS_ARCH22_UB_MODEL_H
