// How the shapes of an operator's tensors hang together: a table of symbolic axes, and the search for the value of
// each. An operator has the table; shape inference uses it with unknown dimensions, tiling without.

#ifndef OP_HOST_COMMON_TILING_SHAPE_RELATIONS_H
#define OP_HOST_COMMON_TILING_SHAPE_RELATIONS_H

#include <cstddef>
#include <cstdint>
#include <string>

#include "exe_graph/runtime/shape.h"

namespace optiling
{

enum class Axis { TOKENS, BLOCKS, HIDDEN, VALUE_ROWS, ONE };  // VALUE_ROWS is N + 1
constexpr size_t MAX_RANK = 3;

struct TensorLayout {
    const char* name;
    size_t rank;
    Axis axes[MAX_RANK];
    bool alwaysFloat32 = false;      // whatever the main data type is
    bool firstAxisOptional = false;  // the shape may begin at axes[1]
};

// T, N and H; ge::UNKNOWN_DIM for one that no input knows.
struct ResolvedDims {
    int64_t tokens;
    int64_t blocks;
    int64_t hidden;
};

// Takes each dimension from the first of the `count` shapes that knows it. A dimension of -1 and a shape whose only
// dimension is -2 (unknown rank) know nothing. On false `error` is one sentence that names what disagrees, with both
// values: a wrong rank, a negative dimension, an axis ONE of another size, N outside 0..128, or two shapes that differ.
bool ResolveDims(const TensorLayout* layouts, const gert::Shape* const* shapes, size_t count, ResolvedDims* dims,
                 std::string* error);

// The shape that has this layout for these dimensions, with -1 where one is unknown.
gert::Shape ShapeOf(const TensorLayout& layout, const ResolvedDims& dims);

}  // namespace optiling

#endif  // OP_HOST_COMMON_TILING_SHAPE_RELATIONS_H
