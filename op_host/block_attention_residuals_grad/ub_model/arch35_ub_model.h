// UB buffers of the arch35 kernels (register-based vector API, Ascend 950).
// arch22_ub_model.h is its sibling; tiling_plan.h decides with both.

#ifndef OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_UB_MODEL_H
#define OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_UB_MODEL_H

#include "op_host/block_attention_residuals_grad/ub_model/ub_model.h"

namespace optiling
{
namespace arch35
{

// 6*a256(4*H) + 4*dt*a16(H) + 4*a256(4*N1) + 192 bytes.
std::vector<UbBuffer> FullBuffers(uint64_t hiddenSize, uint64_t totalBlocks, uint32_t dtypeBytes);

// 7*a256(4*t) + 4*a256(dt*t) + 6*a256(4*N1) + 192 bytes.
std::vector<UbBuffer> SplitBuffers(uint64_t tileSize, uint64_t totalBlocks, uint32_t dtypeBytes);

// dt*a16(H) and a256(dt*t).
uint64_t FullRowBytes(uint64_t hiddenSize, uint32_t dtypeBytes);
uint64_t SplitRowBytes(uint64_t tileSize, uint32_t dtypeBytes);

// All of the above with 28 + 4*dt bytes per tile element and tiles of whole 256-byte registers.
const UbModel& GetUbModel();

}  // namespace arch35
}  // namespace optiling

#endif  // OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_UB_MODEL_H
