// The checks of phase 1, in the order that the interface promises: null pointers, SoC, data types, formats, ranks,
// validBlockNum, normEps, input shapes, output shapes, storage, overlap.

#ifndef OP_API_BLOCK_ATTENTION_RESIDUALS_PARAM_CHECKS_H_
#define OP_API_BLOCK_ATTENTION_RESIDUALS_PARAM_CHECKS_H_

#include <array>
#include <cstdint>

#include "opdev/common_types.h"

namespace op_api
{
namespace block_attention_residuals
{

enum InputIndex : size_t { PARTIAL_BLOCK = 0, BLOCK_RES, PROJ_WEIGHT, NORM_WEIGHT, INPUT_COUNT };
enum OutputIndex : size_t { HIDDEN_STATES = 0, INV_NORM, PROBS, OUTPUT_COUNT };

struct Params {
    std::array<const aclTensor*, INPUT_COUNT> inputs;
    std::array<const aclTensor*, OUTPUT_COUNT> outputs;  // without needBackward the first alone counts
    int64_t validBlockNum;
    double normEps;
    bool needBackward;
};

// Returns the code of the first check that fails, with the recent error message set.
aclnnStatus CheckParams(const Params& params);

}  // namespace block_attention_residuals
}  // namespace op_api

#endif  // OP_API_BLOCK_ATTENTION_RESIDUALS_PARAM_CHECKS_H_
