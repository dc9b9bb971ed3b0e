// How the shapes of the operator's tensors hang together: its tables for op_host/common/tiling/shape_relations.h.
// Shape inference uses them with unknown dimensions, tiling without.

#ifndef OP_HOST_BLOCK_ATTENTION_RESIDUALS_TENSOR_LAYOUTS_H
#define OP_HOST_BLOCK_ATTENTION_RESIDUALS_TENSOR_LAYOUTS_H

#include <array>
#include <cstddef>

#include "op_host/common/tiling/shape_relations.h"

namespace optiling
{
namespace block_attention_residuals
{

constexpr size_t INPUT_NUM = 4;
constexpr size_t OUTPUT_NUM = 3;
constexpr size_t OUTPUT_HIDDEN_STATES = 0;

constexpr size_t ATTR_VALID_BLOCK_NUM = 0;
constexpr size_t ATTR_NORM_EPS = 1;
constexpr size_t ATTR_NEED_BACKWARD = 2;

extern const std::array<TensorLayout, INPUT_NUM> INPUT_LAYOUTS;
extern const std::array<TensorLayout, OUTPUT_NUM> OUTPUT_LAYOUTS;

// The shape of output `index`; what the backward needs has no elements where it is not asked for.
gert::Shape OutputShape(size_t index, const ResolvedDims& dims, bool needBackward);

}  // namespace block_attention_residuals
}  // namespace optiling

#endif  // OP_HOST_BLOCK_ATTENTION_RESIDUALS_TENSOR_LAYOUTS_H
