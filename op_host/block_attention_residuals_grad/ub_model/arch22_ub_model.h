// UB buffers of the arch22 kernels (memory-based vector API, Ascend 910B and 910_93).
// arch35_ub_model.h is its sibling; tiling_plan.h decides with both.

#ifndef OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_UB_MODEL_H
#define OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_UB_MODEL_H

#include "op_host/block_attention_residuals_grad/ub_model/ub_model.h"

namespace optiling
{
namespace arch22
{

// 6*a32(4*max(H,64)) + a32(dt*max(H,64)) + 4*a32(4*N1) + 32 bytes.
std::vector<UbBuffer> FullBuffers(uint64_t hiddenSize, uint64_t totalBlocks, uint32_t dtypeBytes);

// 6*a32(4*t) + a32(dt*t) + 6*a32(4*N1) + 32 bytes.
std::vector<UbBuffer> SplitBuffers(uint64_t tileSize, uint64_t totalBlocks, uint32_t dtypeBytes);

// a32(dt*max(H,64)) and a32(dt*t).
uint64_t FullRowBytes(uint64_t hiddenSize, uint32_t dtypeBytes);
uint64_t SplitRowBytes(uint64_t tileSize, uint32_t dtypeBytes);

// All of the above with 24 + dt bytes per tile element and tiles of whole 32-byte blocks.
const UbModel& GetUbModel();

}  // namespace arch22
}  // namespace optiling

#endif  // OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_UB_MODEL_H
