// Each check names the argument, what was expected and what came.

#include "op_host/block_attention_residuals_grad/op_api/param_checks.h"

#include <algorithm>
#include <cinttypes>
#include <string>

#include "op_host/block_attention_residuals_grad/op_api/tensor_overlap.h"
#include "op_host/block_attention_residuals_grad/tiling_plan.h"
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

constexpr std::array<const char*, INPUT_COUNT> INPUT_NAMES = {
    "partialBlock", "blockRes", "projWeight", "normWeight", "gradHiddenStates", "invNorm", "probs"};
constexpr std::array<const char*, OUTPUT_COUNT> OUTPUT_NAMES = {"gradPartialBlock", "gradBlockRes", "gradProjWeight",
                                                                "gradNormWeight"};
constexpr std::array<size_t, INPUT_COUNT> INPUT_RANKS = {2, 3, 2, 1, 2, 2, 2};

aclnnStatus CheckNotNull(const Params& params)
{
    const auto check = [](const aclTensor* tensor, const char* name) {
        if (tensor == nullptr) {
            OP_LOGE(ACLNN_ERR_PARAM_NULLPTR, "%s is null: expected a tensor", name);
            return false;
        }
        return true;
    };
    for (size_t i = 0; i < INPUT_COUNT; ++i) {
        CHECK_RET(check(params.inputs[i], INPUT_NAMES[i]), ACLNN_ERR_PARAM_NULLPTR);
    }
    for (size_t i = 0; i < OUTPUT_COUNT; ++i) {
        CHECK_RET(check(params.outputs[i], OUTPUT_NAMES[i]), ACLNN_ERR_PARAM_NULLPTR);
    }
    return ACLNN_SUCCESS;
}

aclnnStatus CheckSoc(const Params&)
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

bool IsDtype(const aclTensor* tensor, const char* name, op::DataType expected, const char* reason)
{
    const op::DataType dtype = tensor->GetDataType();
    if (dtype == expected) {
        return true;
    }
    OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s has data type %s: expected %s%s", name, op::ToString(dtype).GetString(),
            op::ToString(expected).GetString(), reason);
    return false;
}

aclnnStatus CheckDtypes(const Params& params)
{
    const op::DataType main = params.inputs[PARTIAL_BLOCK]->GetDataType();
    if (main != op::DataType::DT_FLOAT16 && main != op::DataType::DT_BF16 && main != op::DataType::DT_FLOAT) {
        OP_LOGE(ACLNN_ERR_PARAM_INVALID, "partialBlock has data type %s: expected DT_FLOAT16, DT_BF16 or DT_FLOAT",
                op::ToString(main).GetString());
        return ACLNN_ERR_PARAM_INVALID;
    }
    const char* asMain = ", that of partialBlock";
    for (size_t i = BLOCK_RES; i < INPUT_COUNT; ++i) {
        const bool saved = i == INV_NORM || i == PROBS;
        CHECK_RET(IsDtype(params.inputs[i], INPUT_NAMES[i], saved ? op::DataType::DT_FLOAT : main, saved ? "" : asMain),
                  ACLNN_ERR_PARAM_INVALID);
    }
    for (size_t i = 0; i < OUTPUT_COUNT; ++i) {
        CHECK_RET(IsDtype(params.outputs[i], OUTPUT_NAMES[i], main, asMain), ACLNN_ERR_PARAM_INVALID);
    }
    return ACLNN_SUCCESS;
}

bool IsFormatNd(const aclTensor* tensor, const char* name)
{
    const op::Format format = tensor->GetStorageFormat();
    if (format == op::Format::FORMAT_ND) {
        return true;
    }
    OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s has format %s: expected ND", name, op::ToString(format).GetString());
    return false;
}

aclnnStatus CheckFormats(const Params& params)
{
    for (size_t i = 0; i < INPUT_COUNT; ++i) {
        CHECK_RET(IsFormatNd(params.inputs[i], INPUT_NAMES[i]), ACLNN_ERR_PARAM_INVALID);
    }
    for (size_t i = 0; i < OUTPUT_COUNT; ++i) {
        CHECK_RET(IsFormatNd(params.outputs[i], OUTPUT_NAMES[i]), ACLNN_ERR_PARAM_INVALID);
    }
    return ACLNN_SUCCESS;
}

bool IsRank(const aclTensor* tensor, const char* name, size_t expected)
{
    const size_t rank = tensor->GetViewShape().GetDimNum();
    if (rank == expected) {
        return true;
    }
    OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s has %zu dimensions: expected %zu", name, rank, expected);
    return false;
}

aclnnStatus CheckRanks(const Params& params)
{
    for (size_t i = 0; i < INPUT_COUNT; ++i) {
        CHECK_RET(IsRank(params.inputs[i], INPUT_NAMES[i], INPUT_RANKS[i]), ACLNN_ERR_PARAM_INVALID);
    }
    for (size_t i = 0; i < OUTPUT_COUNT; ++i) {
        CHECK_RET(IsRank(params.outputs[i], OUTPUT_NAMES[i], INPUT_RANKS[i]), ACLNN_ERR_PARAM_INVALID);
    }
    return ACLNN_SUCCESS;
}

aclnnStatus CheckValidBlockNum(const Params& params)
{
    const int64_t blockNum = params.inputs[BLOCK_RES]->GetViewShape().GetDim(1);
    if (params.validBlockNum == ALL_BLOCKS || params.validBlockNum == blockNum) {
        return ACLNN_SUCCESS;
    }
    OP_LOGE(ACLNN_ERR_PARAM_INVALID, "validBlockNum is %" PRId64 ": expected -1 or %" PRId64 ", blockRes.shape[1]",
            params.validBlockNum, blockNum);
    return ACLNN_ERR_PARAM_INVALID;
}

// One dimension of a tensor against its expected value and where that comes from.
bool IsDim(const aclTensor* tensor, const char* name, size_t axis, int64_t expected, const std::string& source)
{
    const int64_t dim = tensor->GetViewShape().GetDim(axis);
    if (dim == expected) {
        return true;
    }
    OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s.shape[%zu] (%" PRId64 ") does not match %s (%" PRId64 ")", name, axis, dim,
            source.c_str(), expected);
    return false;
}

aclnnStatus CheckInputShapes(const Params& params)
{
    const int64_t tokens = params.inputs[PARTIAL_BLOCK]->GetViewShape().GetDim(0);
    const int64_t hidden = params.inputs[PARTIAL_BLOCK]->GetViewShape().GetDim(1);
    const int64_t blockNum = params.inputs[BLOCK_RES]->GetViewShape().GetDim(1);
    if (blockNum > optiling::MAX_BLOCK_NUM) {
        OP_LOGE(ACLNN_ERR_PARAM_INVALID, "blockRes.shape[1] (%" PRId64 ") is too large: expected 0 to %" PRId64,
                blockNum, optiling::MAX_BLOCK_NUM);
        return ACLNN_ERR_PARAM_INVALID;
    }
    const struct {
        InputIndex input;
        size_t axis;
        int64_t expected;
        const char* source;
    } relations[] = {
        {BLOCK_RES, 0, tokens, "partialBlock.shape[0]"},
        {BLOCK_RES, 2, hidden, "partialBlock.shape[1]"},
        {PROJ_WEIGHT, 0, 1, "the number of projections"},
        {PROJ_WEIGHT, 1, hidden, "partialBlock.shape[1]"},
        {NORM_WEIGHT, 0, hidden, "partialBlock.shape[1]"},
        {GRAD_HIDDEN_STATES, 0, tokens, "partialBlock.shape[0]"},
        {GRAD_HIDDEN_STATES, 1, hidden, "partialBlock.shape[1]"},
        {INV_NORM, 0, tokens, "partialBlock.shape[0]"},
        {INV_NORM, 1, blockNum + 1, "blockRes.shape[1] + 1"},
        {PROBS, 0, tokens, "partialBlock.shape[0]"},
        {PROBS, 1, blockNum + 1, "blockRes.shape[1] + 1"},
    };
    for (const auto& relation : relations) {
        CHECK_RET(IsDim(params.inputs[relation.input], INPUT_NAMES[relation.input], relation.axis, relation.expected,
                        relation.source),
                  ACLNN_ERR_PARAM_INVALID);
    }
    return ACLNN_SUCCESS;
}

// Tiling refuses more elements too, but there it would be an error of the operator.
aclnnStatus CheckElementCount(const Params& params)
{
    const int64_t tokens = params.inputs[PARTIAL_BLOCK]->GetViewShape().GetDim(0);
    const int64_t hidden = params.inputs[PARTIAL_BLOCK]->GetViewShape().GetDim(1);
    const int64_t rows = params.inputs[PROBS]->GetViewShape().GetDim(1);
    int64_t elements = 0;
    if (!__builtin_mul_overflow(tokens, hidden, &elements) && !__builtin_mul_overflow(elements, rows, &elements) &&
        elements <= optiling::MAX_VALUE_ELEMENTS) {
        return ACLNN_SUCCESS;
    }
    OP_LOGE(ACLNN_ERR_PARAM_INVALID,
            "partialBlock.shape [%" PRId64 ", %" PRId64 "] with %" PRId64
            " value rows has too many elements: expected at most %" PRId64 " in all",
            tokens, hidden, rows, optiling::MAX_VALUE_ELEMENTS);
    return ACLNN_ERR_PARAM_INVALID;
}

aclnnStatus CheckOutputShapes(const Params& params)
{
    for (size_t i = 0; i < OUTPUT_COUNT; ++i) {
        const op::Shape expected = params.inputs[i]->GetViewShape();
        for (size_t axis = 0; axis < INPUT_RANKS[i]; ++axis) {
            const std::string source = std::string(INPUT_NAMES[i]) + ".shape[" + std::to_string(axis) + "]";
            CHECK_RET(IsDim(params.outputs[i], OUTPUT_NAMES[i], axis, expected.GetDim(axis), source),
                      ACLNN_ERR_PARAM_INVALID);
        }
    }
    return ACLNN_SUCCESS;
}

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

aclnnStatus CheckStorage(const Params& params)
{
    for (size_t i = 0; i < INPUT_COUNT; ++i) {
        CHECK_RET(IsInStorage(params.inputs[i], INPUT_NAMES[i]), ACLNN_ERR_PARAM_INVALID);
    }
    for (size_t i = 0; i < OUTPUT_COUNT; ++i) {
        CHECK_RET(IsInStorage(params.outputs[i], OUTPUT_NAMES[i]), ACLNN_ERR_PARAM_INVALID);
    }
    return ACLNN_SUCCESS;
}

aclnnStatus CheckOverlap(const Params& params)
{
    std::array<MemoryView, INPUT_COUNT> inputs;
    std::transform(params.inputs.begin(), params.inputs.end(), inputs.begin(), DescribeMemory);
    std::array<MemoryView, OUTPUT_COUNT> outputs;
    std::transform(params.outputs.begin(), params.outputs.end(), outputs.begin(), DescribeMemory);
    const auto report = [](const char* output, const char* other) {
        OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s overlaps %s in memory: expected memory of its own", output, other);
        return ACLNN_ERR_PARAM_INVALID;
    };
    for (size_t i = 0; i < OUTPUT_COUNT; ++i) {
        if (outputs[i].selfOverlap) {
            return report(OUTPUT_NAMES[i], "itself");
        }
        for (size_t j = 0; j < INPUT_COUNT; ++j) {
            if (MayOverlap(outputs[i], inputs[j])) {
                return report(OUTPUT_NAMES[i], INPUT_NAMES[j]);
            }
        }
        for (size_t j = 0; j < i; ++j) {
            if (MayOverlap(outputs[i], outputs[j])) {
                return report(OUTPUT_NAMES[i], OUTPUT_NAMES[j]);
            }
        }
    }
    return ACLNN_SUCCESS;
}

}  // namespace

aclnnStatus CheckParams(const Params& params)
{
    for (const auto check : {CheckNotNull, CheckSoc, CheckDtypes, CheckFormats, CheckRanks, CheckValidBlockNum,
                             CheckInputShapes, CheckElementCount, CheckOutputShapes, CheckStorage, CheckOverlap}) {
        const aclnnStatus status = check(params);
        CHECK_RET(status == ACLNN_SUCCESS, status);
    }
    return ACLNN_SUCCESS;
}

}  // namespace op_api
