// The tiling decision of BlockAttentionResidualsGrad as a pure function: shape and platform in, plan or message out.
// block_attention_residuals_grad_tiling.cpp feeds it from a TilingContext; ub_model/ has the buffers of each
// architecture, op_host/common/tiling what is not this operator's alone.

#ifndef OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_TILING_PLAN_H
#define OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_TILING_PLAN_H

#include <cstdint>
#include <string>
#include <vector>

#include "op_host/common/tiling/tiling_problem.h"
#include "op_host/common/tiling/ub_buffers.h"
#include "op_kernel/block_attention_residuals_grad/block_attention_residuals_grad_tiling_data.h"

namespace optiling
{

struct TilingPlan {
    uint32_t hMode;  // TPL_H_MODE_FULL or TPL_H_MODE_SPLIT
    uint64_t tilingKey;
    uint32_t blockDim;        // cores to launch
    uint64_t requiredFull;    // UB bytes that FULL needs at least
    uint64_t available;       // UB bytes that the kernels may use
    uint64_t ubBytesUsed;     // sum over buffers, <= available
    uint64_t workspaceBytes;  // the operator's own, without the platform's
    BlockAttentionResidualsGradTilingData data;
    std::vector<UbBuffer> buffers;  // all that a kernel takes from its pipe; the last ones use what the model leaves
};

// Decides FULL or SPLIT, the tile, the use of spare UB and the workspace. On false `error` is one sentence and `plan`
// is untouched: core count 0, UB 0 or too small, T, N or H out of range, a dtype of another size, or a workspace beyond
// 64 bits. Preconditions: neither pointer is null.
bool PlanTiling(const TilingShape& shape, const TilingPlatform& platform, TilingPlan* plan, std::string* error);

}  // namespace optiling

#endif  // OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_TILING_PLAN_H
