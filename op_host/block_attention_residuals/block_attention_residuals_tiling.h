// The tiling function of BlockAttentionResiduals: from a TilingContext to a plan and back.
// tiling_plan.h holds the decision itself.

#ifndef OP_HOST_BLOCK_ATTENTION_RESIDUALS_TILING_H
#define OP_HOST_BLOCK_ATTENTION_RESIDUALS_TILING_H

#include "exe_graph/runtime/tiling_context.h"

namespace optiling
{

// Nothing is computed once per platform: all that tiling needs it asks of the platform at each call.
struct BlockAttentionResidualsCompileInfo {
};

// Writes tiling key, block dim, tiling data and workspace size. GRAPH_FAILED, with one logged sentence, for wrong
// ranks, disagreeing shapes or data types, a format other than ND, a valid_block_num other than -1 or N, a norm_eps
// that is not a finite float32 above 0, a SoC without kernels, and for all that PlanTiling refuses.
ge::graphStatus TilingBlockAttentionResiduals(gert::TilingContext* context);

}  // namespace optiling

#endif  // OP_HOST_BLOCK_ATTENTION_RESIDUALS_TILING_H
