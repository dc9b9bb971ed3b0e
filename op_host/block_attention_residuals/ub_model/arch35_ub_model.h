// UB buffers of the arch35 kernels (register-based vector API, Ascend 950).
// arch22_ub_model.h is its sibling; tiling_plan.h decides with both.

#ifndef OP_HOST_BLOCK_ATTENTION_RESIDUALS_ARCH35_UB_MODEL_H
#define OP_HOST_BLOCK_ATTENTION_RESIDUALS_ARCH35_UB_MODEL_H

#include "op_host/block_attention_residuals/ub_model/ub_model.h"

namespace optiling
{
namespace block_attention_residuals
{
namespace arch35
{

const UbModel& GetUbModel();

}  // namespace arch35
}  // namespace block_attention_residuals
}  // namespace optiling

#endif  // OP_HOST_BLOCK_ATTENTION_RESIDUALS_ARCH35_UB_MODEL_H
