// The tables of tensors; see tensor_layouts.h.

#include "op_host/block_attention_residuals/tensor_layouts.h"

namespace optiling
{
namespace block_attention_residuals
{

const std::array<TensorLayout, INPUT_NUM> INPUT_LAYOUTS = {{
    {"partial_block", 2, {Axis::TOKENS, Axis::HIDDEN}},
    {"block_res", 3, {Axis::TOKENS, Axis::BLOCKS, Axis::HIDDEN}},
    {"proj_weight", 2, {Axis::ONE, Axis::HIDDEN}, false, true},
    {"norm_weight", 1, {Axis::HIDDEN}},
}};

const std::array<TensorLayout, OUTPUT_NUM> OUTPUT_LAYOUTS = {{
    {"hidden_states", 2, {Axis::TOKENS, Axis::HIDDEN}},
    {"inv_norm", 2, {Axis::TOKENS, Axis::VALUE_ROWS}, true},
    {"probs", 2, {Axis::TOKENS, Axis::VALUE_ROWS}, true},
}};

gert::Shape OutputShape(size_t index, const ResolvedDims& dims, bool needBackward)
{
    return index == OUTPUT_HIDDEN_STATES || needBackward ? ShapeOf(OUTPUT_LAYOUTS[index], dims) : gert::Shape({0});
}

}  // namespace block_attention_residuals
}  // namespace optiling
