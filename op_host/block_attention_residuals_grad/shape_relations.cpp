// The table of axes and the search over it; see shape_relations.h.

#include "op_host/block_attention_residuals_grad/shape_relations.h"

#include "graph/types.h"
#include "op_host/block_attention_residuals_grad/tiling_plan.h"

namespace optiling
{
namespace
{

enum Axis { TOKENS, BLOCKS, HIDDEN, VALUE_ROWS, ONE };  // VALUE_ROWS is N + 1
constexpr size_t DIM_NUM = 3;                           // TOKENS, BLOCKS and HIDDEN are looked for
constexpr size_t MAX_RANK = 3;

struct Layout {
    size_t rank;
    Axis axes[MAX_RANK];
};

constexpr Layout LAYOUTS[INPUT_NUM] = {
    {2, {TOKENS, HIDDEN}},          // partial_block
    {3, {TOKENS, BLOCKS, HIDDEN}},  // block_res
    {2, {ONE, HIDDEN}},             // proj_weight
    {1, {HIDDEN}},                  // norm_weight
    {2, {TOKENS, HIDDEN}},          // grad_hidden_states
    {2, {TOKENS, VALUE_ROWS}},      // inv_norm
    {2, {TOKENS, VALUE_ROWS}},      // probs
};

// A known dimension and who knew it first.
struct Finding {
    int64_t value = ge::UNKNOWN_DIM;  // of T, N or H
    std::string place;                // "block_res.shape[1]"
    int64_t shown = 0;                // what stands there: N + 1 for inv_norm and probs
    int64_t offset = 0;               // shown - value
};

std::string Place(size_t input, size_t axis)
{
    return std::string(INPUT_NAMES[input]) + ".shape[" + std::to_string(axis) + "]";
}

std::string Plus(int64_t offset)
{
    return offset == 0 ? "" : (offset > 0 ? " + " : " - ") + std::to_string(offset > 0 ? offset : -offset);
}

std::string CheckRank(size_t input, const gert::Shape& shape)
{
    const size_t rank = LAYOUTS[input].rank;
    if (shape.GetDimNum() == rank) {
        return "";
    }
    return std::string(INPUT_NAMES[input]) + " has rank " + std::to_string(shape.GetDimNum()) + ", expected " +
           std::to_string(rank);
}

// Holds one known dimension against what is found already, or makes it the finding.
std::string Merge(size_t input, size_t axis, int64_t shown, Finding findings[DIM_NUM])
{
    const Axis kind = LAYOUTS[input].axes[axis];
    const std::string place = Place(input, axis);
    if (kind == ONE) {
        return shown == 1 ? "" : place + " is " + std::to_string(shown) + ", expected 1";
    }
    const int64_t offset = kind == VALUE_ROWS ? 1 : 0;
    const int64_t value = shown - offset;
    if ((kind == BLOCKS || kind == VALUE_ROWS) && (value < 0 || value > MAX_BLOCK_NUM)) {
        return place + " is " + std::to_string(shown) + ", expected " + std::to_string(offset) + " to " +
               std::to_string(MAX_BLOCK_NUM + offset);
    }
    Finding& finding = findings[kind == VALUE_ROWS ? BLOCKS : kind];
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

}  // namespace

const std::array<const char*, INPUT_NUM> INPUT_NAMES = {
    "partial_block", "block_res", "proj_weight", "norm_weight", "grad_hidden_states", "inv_norm", "probs",
};

const std::array<const char*, OUTPUT_NUM> OUTPUT_NAMES = {
    "grad_partial_block",
    "grad_block_res",
    "grad_proj_weight",
    "grad_norm_weight",
};

bool ResolveDims(const InputShapes& shapes, ResolvedDims* dims, std::string* error)
{
    Finding findings[DIM_NUM];
    for (size_t input = 0; input < INPUT_NUM; ++input) {
        const gert::Shape& shape = *shapes[input];
        if (shape.GetDimNum() == 1 && shape.GetDim(0) == ge::UNKNOWN_DIM_NUM) {
            continue;
        }
        *error = CheckRank(input, shape);
        for (size_t axis = 0; error->empty() && axis < shape.GetDimNum(); ++axis) {
            const int64_t shown = shape.GetDim(axis);
            if (shown == ge::UNKNOWN_DIM) {
                continue;
            }
            *error = shown >= 0 ? Merge(input, axis, shown, findings)
                                : Place(input, axis) + " is " + std::to_string(shown) + ", expected -1 or more";
        }
        if (!error->empty()) {
            return false;
        }
    }
    *dims = {findings[TOKENS].value, findings[BLOCKS].value, findings[HIDDEN].value};
    return true;
}

gert::Shape OutputShape(size_t index, const ResolvedDims& dims)
{
    gert::Shape shape;
    for (size_t axis = 0; axis < LAYOUTS[index].rank; ++axis) {
        switch (LAYOUTS[index].axes[axis]) {
            case TOKENS:
                shape.AppendDim(dims.tokens);
                break;
            case BLOCKS:
                shape.AppendDim(dims.blocks);
                break;
            case HIDDEN:
                shape.AppendDim(dims.hidden);
                break;
            default:
                shape.AppendDim(1);
        }
    }
    return shape;
}

}  // namespace optiling
