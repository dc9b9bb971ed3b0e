// The tiling decision of BlockAttentionResiduals as a pure function: shape and platform in, plan or message out.
// block_attention_residuals_tiling.cpp feeds it from a TilingContext; ub_model/ has the buffers of each architecture,
// op_host/common/tiling what is not this operator's alone.

#ifndef OP_HOST_BLOCK_ATTENTION_RESIDUALS_TILING_PLAN_H
#define OP_HOST_BLOCK_ATTENTION_RESIDUALS_TILING_PLAN_H

#include <cstdint>
#include <string>
#include <vector>

#include "op_host/common/tiling/tiling_problem.h"
#include "op_host/common/tiling/ub_buffers.h"
#include "op_kernel/block_attention_residuals/block_attention_residuals_tiling_data.h"

namespace optiling
{
namespace block_attention_residuals
{

struct TilingPlan {
    uint32_t hMode;  // TPL_H_MODE_FULL or TPL_H_MODE_SPLIT
    uint64_t tilingKey;
    uint32_t blockDim;      // cores to launch
    uint64_t requiredFull;  // UB bytes that FULL needs at least: the rows of one token
    uint64_t available;     // UB bytes that the kernels may use
    uint64_t ubBytesUsed;   // sum over buffers, <= available
    BlockAttentionResidualsTilingData data;
    std::vector<UbBuffer> buffers;  // all that a kernel takes from its pipe
};

// Decides FULL or SPLIT, the tile and the use of UB; normEps and needBackward stay 0. FULL or SPLIT, and the tile,
// depend on neither T nor the core count, so that a token's results do not either. The operator needs no workspace. On
// false `error` is one sentence and `plan` is untouched: core count 0, UB 0 or too small, T, N or H out of range, a
// dtype of another size. Preconditions: neither pointer is null.
bool PlanTiling(const TilingShape& shape, const TilingPlatform& platform, TilingPlan* plan, std::string* error);

}  // namespace block_attention_residuals
}  // namespace optiling

#endif  // OP_HOST_BLOCK_ATTENTION_RESIDUALS_TILING_PLAN_H
