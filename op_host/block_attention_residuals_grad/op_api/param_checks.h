// The checks of phase 1, in the order that the interface promises: null pointers, SoC, data types, formats, ranks,
// validBlockNum, input shapes, output shapes, storage, overlap.

#ifndef OP_API_PARAM_CHECKS_H_
#define OP_API_PARAM_CHECKS_H_

#include <array>
#include <cstdint>

#include "opdev/common_types.h"

namespace op_api
{

enum InputIndex : size_t {
    PARTIAL_BLOCK = 0,
    BLOCK_RES,
    PROJ_WEIGHT,
    NORM_WEIGHT,
    GRAD_HIDDEN_STATES,
    INV_NORM,
    PROBS,
    INPUT_COUNT
};

// Output i has shape and data type of input i.
enum OutputIndex : size_t { GRAD_PARTIAL_BLOCK = 0, GRAD_BLOCK_RES, GRAD_PROJ_WEIGHT, GRAD_NORM_WEIGHT, OUTPUT_COUNT };

struct Params {
    std::array<const aclTensor*, INPUT_COUNT> inputs;
    std::array<const aclTensor*, OUTPUT_COUNT> outputs;
    int64_t validBlockNum;
};

// Returns the code of the first check that fails, with the recent error message set.
aclnnStatus CheckParams(const Params& params);

}  // namespace op_api

#endif  // OP_API_PARAM_CHECKS_H_
