// What a TilingContext asks for, checked against an operator's tables of tensors: data types, formats, shapes,
// valid_block_num and the platform. Each function returns one sentence, or nothing when all is right; an operator's
// tiling function calls them in this order.

#ifndef OP_HOST_COMMON_TILING_TILING_REQUEST_H
#define OP_HOST_COMMON_TILING_TILING_REQUEST_H

#include <cstddef>
#include <cstdint>
#include <string>

#include "exe_graph/runtime/tiling_context.h"
#include "op_host/common/tiling/shape_relations.h"
#include "op_host/common/tiling/tiling_problem.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling
{

// The tensors of one kind, in the order of the operator's definition.
struct TensorTable {
    const TensorLayout* layouts;
    size_t count;
};

// Data types and formats of all tensors; the main data type is that of input 0, and dtypeBytes its size.
std::string CheckDescs(const gert::TilingContext& context, const TensorTable& inputs, const TensorTable& outputs,
                       uint32_t* dtypeBytes);

// T, N and H from the inputs, which must agree and know every dimension.
std::string CheckInputShapes(const gert::TilingContext& context, const TensorTable& inputs, ResolvedDims* dims);

std::string CheckOutputShape(const gert::TilingContext& context, size_t index, const char* name,
                             const gert::Shape& expected);

// The attribute at `index`: -1 or N.
std::string CheckValidBlockNum(const gert::TilingContext& context, size_t index, int64_t blocks);

// A SoC without kernels is refused.
std::string ReadPlatform(const platform_ascendc::PlatformAscendC& ascendcPlatform, TilingPlatform* platform);

}  // namespace optiling

#endif  // OP_HOST_COMMON_TILING_TILING_REQUEST_H
