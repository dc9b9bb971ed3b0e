// The tiling decision of BlockAttentionResidualsGrad as a pure function: shape and platform in, plan or message out.
// block_attention_residuals_grad_tiling.cpp feeds it from a TilingContext; ub_model/ has the buffers of each
// architecture.

#ifndef OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_TILING_PLAN_H
#define OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_TILING_PLAN_H

#include <cstdint>
#include <string>
#include <vector>

#include "op_host/block_attention_residuals_grad/ub_model/ub_model.h"
#include "op_kernel/block_attention_residuals_grad/block_attention_residuals_grad_tiling_data.h"

namespace optiling
{

constexpr int64_t MAX_BLOCK_NUM = 128;  // largest N
// Most elements of [T, N1, H]. Far above any memory, and low enough that no byte count of tiling leaves 64 bits.
constexpr int64_t MAX_VALUE_ELEMENTS = int64_t{1} << 56;
constexpr uint64_t RESERVED_UB_BYTES = 8192;  // not the kernels' to use

// Which generation of kernels runs; the values are those of __NPU_ARCH__.
enum class KernelArch : uint32_t {
    ARCH22 = 2201,
    ARCH35 = 3510,
};

struct TilingShape {
    int64_t batchSize;    // T >= 1
    int64_t numBlocks;    // 0 <= N <= 128
    int64_t hiddenSize;   // H >= 1
    uint32_t dtypeBytes;  // of the main dtype: 2 or 4
};

struct TilingPlatform {
    KernelArch arch;
    uint32_t coreNum;  // AIV cores
    uint64_t ubBytes;  // whole UB of a core, reserved part included
};

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

// "FULL_H" or "SPLIT_H".
const char* PathName(uint32_t hMode);

// "arch22" or "arch35"; null for a value that is neither.
const char* ArchName(KernelArch arch);

}  // namespace optiling

#endif  // OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_TILING_PLAN_H
