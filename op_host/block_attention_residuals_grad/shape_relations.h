// How the shapes of the seven inputs hang together: the operator's table for op_host/common/tiling/shape_relations.h.
// Shape inference uses it with unknown dimensions, tiling without.

#ifndef OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_SHAPE_RELATIONS_H
#define OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_SHAPE_RELATIONS_H

#include <array>
#include <cstddef>

#include "op_host/common/tiling/shape_relations.h"

namespace optiling
{

constexpr size_t INPUT_NUM = 7;
constexpr size_t OUTPUT_NUM = 4;  // output i has the shape and data type of input i

constexpr size_t INPUT_PARTIAL_BLOCK = 0;
constexpr size_t INPUT_BLOCK_RES = 1;
constexpr size_t INPUT_PROJ_WEIGHT = 2;
constexpr size_t INPUT_NORM_WEIGHT = 3;
constexpr size_t INPUT_GRAD_HIDDEN_STATES = 4;
constexpr size_t INPUT_INV_NORM = 5;
constexpr size_t INPUT_PROBS = 6;

extern const std::array<TensorLayout, INPUT_NUM> INPUT_LAYOUTS;
extern const std::array<TensorLayout, OUTPUT_NUM> OUTPUT_LAYOUTS;

}  // namespace optiling

#endif  // OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_SHAPE_RELATIONS_H
