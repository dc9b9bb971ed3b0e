// The checks of phase 1 that no operator has to itself. Each returns the code of the first fault, with the recent error
// message naming the argument, what was expected and what came. An operator's param_checks calls them in the order that
// its interface promises: null pointers, SoC, data types, formats, ranks, attributes, input shapes, output shapes,
// storage, overlap.

#ifndef OP_HOST_COMMON_OP_API_TENSOR_CHECKS_H
#define OP_HOST_COMMON_OP_API_TENSOR_CHECKS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "opdev/common_types.h"

namespace op_api
{

struct NamedTensor {
    const aclTensor* tensor;
    const char* name;  // as in the interface
};
using NamedTensors = std::vector<NamedTensor>;

aclnnStatus CheckNotNull(const NamedTensors& tensors);

// One of the SoCs that the operators have kernels for.
aclnnStatus CheckSoc();

// FLOAT16, BFLOAT16 or FLOAT.
aclnnStatus CheckMainDtype(const NamedTensor& tensor);

// `reason` follows the expected type in the message, such as ", that of partialBlock".
aclnnStatus CheckDtype(const NamedTensor& tensor, op::DataType expected, const char* reason);

aclnnStatus CheckFormats(const NamedTensors& tensors);

aclnnStatus CheckRank(const NamedTensor& tensor, size_t expected);

// validBlockNum is -1 or the number of blocks.
aclnnStatus CheckValidBlockNum(int64_t validBlockNum, const NamedTensor& blocks);

// Dimension 1 of [T, N, H] is at most 128.
aclnnStatus CheckBlockNum(const NamedTensor& blocks);

// One dimension of a tensor against its expected value and where that comes from.
aclnnStatus CheckDim(const NamedTensor& tensor, size_t axis, int64_t expected, const std::string& source);

// [T, H] with `rows` value rows per token: tiling refuses more elements too, but there it would be an error of the
// operator.
aclnnStatus CheckElementCount(const NamedTensor& tokens, int64_t rows);

// A view must lie in the storage that its creator declared.
aclnnStatus CheckStorage(const NamedTensors& tensors);

// An output shares no memory with itself, an input or another output.
aclnnStatus CheckOverlap(const NamedTensors& inputs, const NamedTensors& outputs);

}  // namespace op_api

#endif  // OP_HOST_COMMON_OP_API_TENSOR_CHECKS_H
