// The search over a table of axes; see shape_relations.h.

#include "op_host/common/tiling/shape_relations.h"

#include "graph/types.h"
#include "op_host/common/tiling/tiling_problem.h"

namespace optiling
{
namespace
{

// A known dimension and who knew it first.
struct Finding {
    int64_t value = ge::UNKNOWN_DIM;  // of T, N or H
    std::string place;                // "block_res.shape[1]"
    int64_t shown = 0;                // what stands there: N + 1 for inv_norm and probs
    int64_t offset = 0;               // shown - value
};

struct Findings {
    Finding& Of(Axis axis)
    {
        return axis == Axis::TOKENS ? tokens : (axis == Axis::HIDDEN ? hidden : blocks);
    }

    Finding tokens;
    Finding blocks;
    Finding hidden;
};

std::string Place(const TensorLayout& layout, size_t axis)
{
    return std::string(layout.name) + ".shape[" + std::to_string(axis) + "]";
}

std::string Plus(int64_t offset)
{
    return offset == 0 ? "" : (offset > 0 ? " + " : " - ") + std::to_string(offset > 0 ? offset : -offset);
}

std::string CheckRank(const TensorLayout& layout, size_t rank)
{
    if (rank == layout.rank || (layout.firstAxisOptional && rank + 1 == layout.rank)) {
        return "";
    }
    return std::string(layout.name) + " has rank " + std::to_string(rank) + ", expected " +
           (layout.firstAxisOptional ? std::to_string(layout.rank - 1) + " or " : "") + std::to_string(layout.rank);
}

// Holds one known dimension against what is found already, or makes it the finding.
std::string Merge(Axis kind, const std::string& place, int64_t shown, Findings* findings)
{
    if (kind == Axis::ONE) {
        return shown == 1 ? "" : place + " is " + std::to_string(shown) + ", expected 1";
    }
    const int64_t offset = kind == Axis::VALUE_ROWS ? 1 : 0;
    const int64_t value = shown - offset;
    if ((kind == Axis::BLOCKS || kind == Axis::VALUE_ROWS) && (value < 0 || value > MAX_BLOCK_NUM)) {
        return place + " is " + std::to_string(shown) + ", expected " + std::to_string(offset) + " to " +
               std::to_string(MAX_BLOCK_NUM + offset);
    }
    Finding& finding = findings->Of(kind);
    if (finding.value == ge::UNKNOWN_DIM) {
        finding = {value, place, shown, offset};
        return "";
    }
    if (finding.value == value) {
        return "";
    }
    return place + " (" + std::to_string(shown) + ") does not match " + finding.place + " (" +
           std::to_string(finding.shown) + ")" + Plus(offset - finding.offset);
}

std::string MergeShape(const TensorLayout& layout, const gert::Shape& shape, Findings* findings)
{
    if (shape.GetDimNum() == 1 && shape.GetDim(0) == ge::UNKNOWN_DIM_NUM) {
        return "";
    }
    std::string error = CheckRank(layout, shape.GetDimNum());
    const size_t skipped = layout.rank - shape.GetDimNum();
    for (size_t axis = 0; error.empty() && axis < shape.GetDimNum(); ++axis) {
        const int64_t shown = shape.GetDim(axis);
        if (shown == ge::UNKNOWN_DIM) {
            continue;
        }
        const std::string place = Place(layout, axis);
        error = shown >= 0 ? Merge(layout.axes[axis + skipped], place, shown, findings)
                           : place + " is " + std::to_string(shown) + ", expected -1 or more";
    }
    return error;
}

}  // namespace

bool ResolveDims(const TensorLayout* layouts, const gert::Shape* const* shapes, size_t count, ResolvedDims* dims,
                 std::string* error)
{
    Findings findings;
    for (size_t i = 0; i < count; ++i) {
        *error = MergeShape(layouts[i], *shapes[i], &findings);
        if (!error->empty()) {
            return false;
        }
    }
    *dims = {findings.tokens.value, findings.blocks.value, findings.hidden.value};
    return true;
}

gert::Shape ShapeOf(const TensorLayout& layout, const ResolvedDims& dims)
{
    gert::Shape shape;
    for (size_t axis = 0; axis < layout.rank; ++axis) {
        switch (layout.axes[axis]) {
            case Axis::TOKENS:
                shape.AppendDim(dims.tokens);
                break;
            case Axis::BLOCKS:
                shape.AppendDim(dims.blocks);
                break;
            case Axis::HIDDEN:
                shape.AppendDim(dims.hidden);
                break;
            case Axis::VALUE_ROWS:
                shape.AppendDim(dims.blocks == ge::UNKNOWN_DIM ? ge::UNKNOWN_DIM : dims.blocks + 1);
                break;
            case Axis::ONE:
                shape.AppendDim(1);
                break;
        }
    }
    return shape;
}

}  // namespace optiling
