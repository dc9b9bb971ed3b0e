// How the shapes of the seven inputs hang together: one table of symbolic axes, and the search for the value of each.
// Shape inference uses it with unknown dimensions, tiling without.

#ifndef OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_SHAPE_RELATIONS_H
#define OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_SHAPE_RELATIONS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "exe_graph/runtime/shape.h"

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

extern const std::array<const char*, INPUT_NUM> INPUT_NAMES;
extern const std::array<const char*, OUTPUT_NUM> OUTPUT_NAMES;

using InputShapes = std::array<const gert::Shape*, INPUT_NUM>;

// T, N and H; ge::UNKNOWN_DIM for one that no input knows.
struct ResolvedDims {
    int64_t tokens;
    int64_t blocks;
    int64_t hidden;
};

// Takes each dimension from the first input that knows it. A dimension of -1 and an input whose only dimension is -2
// (unknown rank) know nothing. On false `error` is one sentence that names what disagrees, with both values: a wrong
// rank, a negative dimension, proj_weight.shape[0] other than 1, N outside 0..128, or two inputs that differ.
bool ResolveDims(const InputShapes& shapes, ResolvedDims* dims, std::string* error);

// The shape of output `index` for these dimensions, with -1 where one is unknown.
gert::Shape OutputShape(size_t index, const ResolvedDims& dims);

}  // namespace optiling

#endif  // OP_HOST_BLOCK_ATTENTION_RESIDUALS_GRAD_SHAPE_RELATIONS_H
