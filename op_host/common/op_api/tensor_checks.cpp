// Each check names the argument, what was expected and what came; see tensor_checks.h.

#include "op_host/common/op_api/tensor_checks.h"

#include <algorithm>
#include <cinttypes>
#include <iterator>

#include "op_host/common/op_api/tensor_overlap.h"
#include "op_host/common/tiling/tiling_problem.h"
#include "opdev/data_type_utils.h"
#include "opdev/format_utils.h"
#include "opdev/op_errno.h"
#include "opdev/op_log.h"
#include "opdev/platform.h"

namespace op_api
{
namespace
{

constexpr int64_t ALL_BLOCKS = -1;

// A view must lie in the storage that its creator declared.
bool IsInStorage(const aclTensor* tensor, const char* name)
{
    if (tensor->IsEmpty()) {
        return true;
    }
    const op::Shape shape = tensor->GetViewShape();
    const op::Strides strides = tensor->GetViewStrides();
    const int64_t storage = tensor->GetStorageShape().GetShapeSize();
    int64_t first = tensor->GetViewOffset();
    int64_t last = first;
    for (size_t i = 0; i < shape.GetDimNum(); ++i) {
        const int64_t reach = strides[i] * (shape.GetDim(i) - 1);
        (reach < 0 ? first : last) += reach;
    }
    if (first >= 0 && last < storage) {
        return true;
    }
    OP_LOGE(ACLNN_ERR_PARAM_INVALID,
            "%s reaches element %" PRId64 " of its storage: expected 0 to %" PRId64 ", from its storageDims", name,
            first < 0 ? first : last, storage - 1);
    return false;
}

std::vector<MemoryView> DescribeMemoryOf(const NamedTensors& tensors)
{
    std::vector<MemoryView> views;
    std::transform(tensors.begin(), tensors.end(), std::back_inserter(views),
                   [](const NamedTensor& named) { return DescribeMemory(named.tensor); });
    return views;
}

}  // namespace

aclnnStatus CheckNotNull(const NamedTensors& tensors)
{
    for (const NamedTensor& named : tensors) {
        if (named.tensor == nullptr) {
            OP_LOGE(ACLNN_ERR_PARAM_NULLPTR, "%s is null: expected a tensor", named.name);
            return ACLNN_ERR_PARAM_NULLPTR;
        }
    }
    return ACLNN_SUCCESS;
}

aclnnStatus CheckSoc()
{
    const op::PlatformInfo& platform = op::GetCurrentPlatformInfo();
    switch (platform.GetSocVersion()) {
        case op::SocVersion::ASCEND910B:
        case op::SocVersion::ASCEND910_93:
        case op::SocVersion::ASCEND950:
            return ACLNN_SUCCESS;
        default:
            OP_LOGE(ACLNN_ERR_PARAM_INVALID, "SoC %s is not supported: expected ascend910b, ascend910_93 or ascend950",
                    platform.GetSocLongVersion().c_str());
            return ACLNN_ERR_PARAM_INVALID;
    }
}

aclnnStatus CheckMainDtype(const NamedTensor& named)
{
    const op::DataType main = named.tensor->GetDataType();
    if (main == op::DataType::DT_FLOAT16 || main == op::DataType::DT_BF16 || main == op::DataType::DT_FLOAT) {
        return ACLNN_SUCCESS;
    }
    OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s has data type %s: expected DT_FLOAT16, DT_BF16 or DT_FLOAT", named.name,
            op::ToString(main).GetString());
    return ACLNN_ERR_PARAM_INVALID;
}

aclnnStatus CheckDtype(const NamedTensor& named, op::DataType expected, const char* reason)
{
    const op::DataType dtype = named.tensor->GetDataType();
    if (dtype == expected) {
        return ACLNN_SUCCESS;
    }
    OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s has data type %s: expected %s%s", named.name, op::ToString(dtype).GetString(),
            op::ToString(expected).GetString(), reason);
    return ACLNN_ERR_PARAM_INVALID;
}

aclnnStatus CheckFormats(const NamedTensors& tensors)
{
    for (const NamedTensor& named : tensors) {
        const op::Format format = named.tensor->GetStorageFormat();
        if (format != op::Format::FORMAT_ND) {
            OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s has format %s: expected ND", named.name,
                    op::ToString(format).GetString());
            return ACLNN_ERR_PARAM_INVALID;
        }
    }
    return ACLNN_SUCCESS;
}

aclnnStatus CheckRank(const NamedTensor& named, size_t expected)
{
    const size_t rank = named.tensor->GetViewShape().GetDimNum();
    if (rank == expected) {
        return ACLNN_SUCCESS;
    }
    OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s has %zu dimensions: expected %zu", named.name, rank, expected);
    return ACLNN_ERR_PARAM_INVALID;
}

aclnnStatus CheckValidBlockNum(int64_t validBlockNum, const NamedTensor& blocks)
{
    const int64_t blockNum = blocks.tensor->GetViewShape().GetDim(1);
    if (validBlockNum == ALL_BLOCKS || validBlockNum == blockNum) {
        return ACLNN_SUCCESS;
    }
    OP_LOGE(ACLNN_ERR_PARAM_INVALID, "validBlockNum is %" PRId64 ": expected -1 or %" PRId64 ", %s.shape[1]",
            validBlockNum, blockNum, blocks.name);
    return ACLNN_ERR_PARAM_INVALID;
}

aclnnStatus CheckBlockNum(const NamedTensor& blocks)
{
    const int64_t blockNum = blocks.tensor->GetViewShape().GetDim(1);
    if (blockNum <= optiling::MAX_BLOCK_NUM) {
        return ACLNN_SUCCESS;
    }
    OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s.shape[1] (%" PRId64 ") is too large: expected 0 to %" PRId64, blocks.name,
            blockNum, optiling::MAX_BLOCK_NUM);
    return ACLNN_ERR_PARAM_INVALID;
}

aclnnStatus CheckDim(const NamedTensor& named, size_t axis, int64_t expected, const std::string& source)
{
    const int64_t dim = named.tensor->GetViewShape().GetDim(axis);
    if (dim == expected) {
        return ACLNN_SUCCESS;
    }
    OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s.shape[%zu] (%" PRId64 ") does not match %s (%" PRId64 ")", named.name, axis,
            dim, source.c_str(), expected);
    return ACLNN_ERR_PARAM_INVALID;
}

aclnnStatus CheckElementCount(const NamedTensor& named, int64_t rows)
{
    const int64_t tokens = named.tensor->GetViewShape().GetDim(0);
    const int64_t hidden = named.tensor->GetViewShape().GetDim(1);
    int64_t elements = 0;
    if (!__builtin_mul_overflow(tokens, hidden, &elements) && !__builtin_mul_overflow(elements, rows, &elements) &&
        elements <= optiling::MAX_VALUE_ELEMENTS) {
        return ACLNN_SUCCESS;
    }
    OP_LOGE(ACLNN_ERR_PARAM_INVALID,
            "%s.shape [%" PRId64 ", %" PRId64 "] with %" PRId64
            " value rows has too many elements: expected at most %" PRId64 " in all",
            named.name, tokens, hidden, rows, optiling::MAX_VALUE_ELEMENTS);
    return ACLNN_ERR_PARAM_INVALID;
}

aclnnStatus CheckStorage(const NamedTensors& tensors)
{
    for (const NamedTensor& named : tensors) {
        CHECK_RET(IsInStorage(named.tensor, named.name), ACLNN_ERR_PARAM_INVALID);
    }
    return ACLNN_SUCCESS;
}

aclnnStatus CheckOverlap(const NamedTensors& inputs, const NamedTensors& outputs)
{
    const std::vector<MemoryView> inputViews = DescribeMemoryOf(inputs);
    const std::vector<MemoryView> outputViews = DescribeMemoryOf(outputs);
    const auto report = [](const char* output, const char* other) {
        OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s overlaps %s in memory: expected memory of its own", output, other);
        return ACLNN_ERR_PARAM_INVALID;
    };
    for (size_t i = 0; i < outputs.size(); ++i) {
        if (outputViews[i].selfOverlap) {
            return report(outputs[i].name, "itself");
        }
        for (size_t j = 0; j < inputs.size(); ++j) {
            if (MayOverlap(outputViews[i], inputViews[j])) {
                return report(outputs[i].name, inputs[j].name);
            }
        }
        for (size_t j = 0; j < i; ++j) {
            if (MayOverlap(outputViews[i], outputViews[j])) {
                return report(outputs[i].name, outputs[j].name);
            }
        }
    }
    return ACLNN_SUCCESS;
}

}  // namespace op_api
