// The tables of tensors; see shape_relations.h.

#include "op_host/block_attention_residuals_grad/shape_relations.h"

namespace optiling
{

const std::array<TensorLayout, INPUT_NUM> INPUT_LAYOUTS = {{
    {"partial_block", 2, {Axis::TOKENS, Axis::HIDDEN}},
    {"block_res", 3, {Axis::TOKENS, Axis::BLOCKS, Axis::HIDDEN}},
    {"proj_weight", 2, {Axis::ONE, Axis::HIDDEN}},
    {"norm_weight", 1, {Axis::HIDDEN}},
    {"grad_hidden_states", 2, {Axis::TOKENS, Axis::HIDDEN}},
    {"inv_norm", 2, {Axis::TOKENS, Axis::VALUE_ROWS}, true},
    {"probs", 2, {Axis::TOKENS, Axis::VALUE_ROWS}, true},
}};

const std::array<TensorLayout, OUTPUT_NUM> OUTPUT_LAYOUTS = {{
    {"grad_partial_block", 2, {Axis::TOKENS, Axis::HIDDEN}},
    {"grad_block_res", 3, {Axis::TOKENS, Axis::BLOCKS, Axis::HIDDEN}},
    {"grad_proj_weight", 2, {Axis::ONE, Axis::HIDDEN}},
    {"grad_norm_weight", 1, {Axis::HIDDEN}},
}};

}  // namespace optiling
