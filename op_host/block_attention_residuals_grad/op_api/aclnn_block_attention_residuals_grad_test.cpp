// What phase 1 schedules and phase 2 runs, seen with a stand-in operator that writes which kernel argument it got: the
// real kernels are tested end to end elsewhere.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "cc/acl/internal/operator_registry.h"
#include "cc/acl/internal/twin_runtime.h"
#include "op_host/block_attention_residuals_grad/op_api/aclnn_call.h"
#include "opdev/op_errno.h"

namespace op_api
{
namespace
{

constexpr uint64_t USER_WORKSPACE_BYTES = 1536;

struct SeenByTiling {
    std::vector<std::vector<int64_t>> inputDims;
    std::vector<std::vector<int64_t>> outputDims;
    std::vector<int64_t> attrs;
    int calls;
} seen;

struct StandInTiling {
    uint64_t elements[TENSOR_COUNT];
};

int32_t Tile(const AclTwinTilingRequest* request, AclTwinTilingResult* result)
{
    ++seen.calls;
    seen.inputDims.clear();
    seen.outputDims.clear();
    seen.attrs.clear();
    StandInTiling tiling = {};
    size_t next = 0;
    const auto describe = [&](const AclTwinTensorDesc& desc, std::vector<std::vector<int64_t>>* dims) {
        dims->emplace_back(desc.dims, desc.dims + desc.rank);
        tiling.elements[next] = 1;
        for (int64_t dim : dims->back()) {
            tiling.elements[next] *= static_cast<uint64_t>(dim);
        }
        ++next;
    };
    for (uint64_t i = 0; i < request->input_count; ++i) {
        describe(request->inputs[i], &seen.inputDims);
    }
    for (uint64_t i = 0; i < request->output_count; ++i) {
        describe(request->outputs[i], &seen.outputDims);
    }
    for (uint64_t i = 0; i < request->attr_count; ++i) {
        seen.attrs.push_back(request->attrs[i].value.integer);
    }
    memcpy(result->tiling_data, &tiling, sizeof tiling);
    result->tiling_data_size = sizeof tiling;
    result->block_dim = 1;
    result->workspace_bytes = USER_WORKSPACE_BYTES;
    return 0;
}

// Output i becomes 100 * (i + 1) + the sum of the first elements of inputs i and i + 3 (float32).
void Kernel(AscendcTwinCore*, void* const* args)
{
    const auto& tiling = *static_cast<const StandInTiling*>(args[TENSOR_COUNT + 1]);
    constexpr size_t INPUTS = 7;
    for (size_t i = 0; i < TENSOR_COUNT - INPUTS; ++i) {
        auto* output = static_cast<float*>(args[INPUTS + i]);
        for (uint64_t j = 0; j < tiling.elements[INPUTS + i]; ++j) {
            output[j] = 100.0f * static_cast<float>(i + 1) + static_cast<const float*>(args[i])[j] +
                        static_cast<const float*>(args[i + 3])[0];
        }
    }
    memset(args[TENSOR_COUNT], 0xff, USER_WORKSPACE_BYTES);
}

#if defined(__x86_64__)
constexpr char ISA[] = "x86-64-v3";
#else
constexpr char ISA[] = "aarch64";
#endif

constexpr AclTwinKernel KERNELS[] = {{2201, ACL_FLOAT, 0, ISA, Kernel}};
constexpr AclTwinOperator OPERATOR = {"BlockAttentionResidualsGrad", Tile, KERNELS, 1, nullptr, 0, nullptr, 0, nullptr};

void FillTensor(const TensorSpec& spec, float value)
{
    float* data = reinterpret_cast<float*>(spec.data);
    int64_t elements = 1;
    for (int64_t dim : spec.dims) {
        elements *= dim;
    }
    for (int64_t i = 0; i < elements; ++i) {
        data[i] = value;
    }
}

class AclnnBlockAttentionResidualsGrad : public testing::Test
{
protected:
    void SetUp() override
    {
        seen = {};
        ASSERT_EQ(aclTwinRegisterOperator(&OPERATOR), 0);
        ASSERT_EQ(aclrtSetDevice(aclTwinFindDevice("ascend910b")), 0);
    }
    void TearDown() override
    {
        aclTwinUnregisterOperator(&OPERATOR);
    }

    static float Element(const AclnnCall& call, size_t tensor, size_t element)
    {
        return reinterpret_cast<const float*>(call.specs[tensor].data)[element];
    }
};

TEST_F(AclnnBlockAttentionResidualsGrad, LaunchesTheOperatorWithTensorsInItsOrder)
{
    AclnnCall call(2, 3, 8, ACL_FLOAT);
    call.validBlockNum = 3;
    for (size_t i = 0; i < TENSOR_COUNT; ++i) {
        FillTensor(call.specs[i], static_cast<float>(i));
    }
    ASSERT_EQ(call.Run(), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(call.workspaceSize, USER_WORKSPACE_BYTES) << "contiguous tensors add nothing";
    ASSERT_EQ(seen.inputDims.size(), 7u);
    ASSERT_EQ(seen.outputDims.size(), 4u);
    for (size_t i = 0; i < 7; ++i) {
        EXPECT_EQ(seen.inputDims[i], call.specs[i].dims);
    }
    for (size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(seen.outputDims[i], call.specs[7 + i].dims);
        EXPECT_EQ(Element(call, 7 + i, 0), 100.0f * static_cast<float>(i + 1) + static_cast<float>(2 * i + 3));
    }
    EXPECT_EQ(seen.attrs, std::vector<int64_t>{3});
}

TEST_F(AclnnBlockAttentionResidualsGrad, StridedTensorsGoThroughTheWorkspace)
{
    AclnnCall call(2, 3, 8, ACL_FLOAT);
    for (size_t i = 0; i < TENSOR_COUNT; ++i) {
        FillTensor(call.specs[i], static_cast<float>(i));
    }
    TensorSpec& input = call.specs[0];
    input.dims = {2, 8};
    input.strides = {1, 2};  // column-major
    for (int i = 0; i < 16; ++i) {
        reinterpret_cast<float*>(input.data)[i] = static_cast<float>(i);
    }
    TensorSpec& output = call.specs[7];
    output.strides = {40, 4};
    output.offset = 3;
    ASSERT_EQ(call.Run(), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(call.workspaceSize, 2 * 512 + USER_WORKSPACE_BYTES) << "64 bytes each for a copy in and out";
    for (size_t row = 0; row < 2; ++row) {
        for (size_t column = 0; column < 8; ++column) {
            EXPECT_EQ(Element(call, 7, 3 + row * 40 + column * 4),
                      100.0f + static_cast<float>(row + column * 2) + 3.0f);
        }
    }
    EXPECT_EQ(Element(call, 7, 4), 7.0f) << "gaps of the output stay as they are";
}

TEST_F(AclnnBlockAttentionResidualsGrad, WithoutTokensTheWeightGradientsBecomeZeroInPhaseTwo)
{
    for (const aclDataType dtype : {ACL_FLOAT16, ACL_BF16, ACL_FLOAT}) {
        AclnnCall call(0, 2, 16, dtype);
        const size_t bytes = 16 * aclDataTypeSize(dtype);
        for (size_t i : {9, 10}) {
            memset(call.specs[i].data, 0xff, bytes + 1);
        }
        ASSERT_EQ(call.PhaseOne(), 0) << aclGetRecentErrMsg();
        EXPECT_EQ(call.workspaceSize, 0u);
        EXPECT_EQ(static_cast<unsigned char>(call.specs[9].data[0]), 0xff) << "phase 1 wrote";
        call.executor = nullptr;
        ASSERT_EQ(call.Run(), 0) << aclGetRecentErrMsg();
        for (size_t i : {9, 10}) {
            EXPECT_EQ(std::string(call.specs[i].data, bytes), std::string(bytes, '\0')) << call.specs[i].name;
            EXPECT_EQ(static_cast<unsigned char>(call.specs[i].data[bytes]), 0xff) << "wrote past the end";
        }
    }
    EXPECT_EQ(seen.calls, 0) << "the main operator is skipped";
}

TEST_F(AclnnBlockAttentionResidualsGrad, WithoutTokensStridedWeightGradientsBecomeZeroToo)
{
    AclnnCall call(0, 2, 4, ACL_FLOAT);
    call.specs[10].strides = {3};
    FillTensor({"", {12}, ACL_FLOAT, ACL_FORMAT_ND, {}, 0, {}, call.specs[10].data}, 5.0f);
    ASSERT_EQ(call.Run(), 0);
    EXPECT_EQ(call.workspaceSize, 0u);
    for (size_t i = 0; i < 12; ++i) {
        EXPECT_EQ(Element(call, 10, i), i % 3 == 0 ? 0.0f : 5.0f);
    }
}

TEST_F(AclnnBlockAttentionResidualsGrad, WithoutHiddenNothingIsScheduled)
{
    for (const int64_t tokens : {int64_t{0}, int64_t{3}}) {
        for (const int64_t blocks : {int64_t{0}, int64_t{2}}) {
            AclnnCall call(tokens, blocks, 0, ACL_BF16);
            call.specs[0].data = nullptr;  // empty tensors need no address
            ASSERT_EQ(call.Run(), 0) << aclGetRecentErrMsg();
            EXPECT_EQ(call.workspaceSize, 0u);
        }
    }
    EXPECT_EQ(seen.calls, 0);
}

TEST_F(AclnnBlockAttentionResidualsGrad, WithoutBlocksTheOperatorRuns)
{
    AclnnCall call(3, 0, 16, ACL_FLOAT);
    call.specs[1].data = nullptr;
    call.specs[8].data = nullptr;
    ASSERT_EQ(call.Run(), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(seen.calls, 1);
}

TEST_F(AclnnBlockAttentionResidualsGrad, EmptyTensorsAreCheckedToo)
{
    AclnnCall call(0, 2, 16, ACL_FLOAT);
    call.specs[5].dims = {0, 2};
    EXPECT_EQ(call.PhaseOne(), ACLNN_ERR_PARAM_INVALID);
    EXPECT_STREQ(aclGetRecentErrMsg(), "invNorm.shape[1] (2) does not match blockRes.shape[1] + 1 (3)");
}

TEST_F(AclnnBlockAttentionResidualsGrad, InterleavedViewsOfOneBufferAreAccepted)
{
    // Values V = [T, N1, H] in one buffer, gradients in another: blockRes is V[:, :N], partialBlock is V[:, N].
    AclnnCall call(2, 3, 8, ACL_FLOAT);
    std::vector<float> gradients(2 * 4 * 8);
    call.specs[8].data = reinterpret_cast<char*>(gradients.data());
    call.specs[8].strides = {32, 8, 1};
    call.specs[7].data = reinterpret_cast<char*>(gradients.data());
    call.specs[7].strides = {32, 1};
    call.specs[7].offset = 24;
    EXPECT_EQ(call.Run(), 0) << aclGetRecentErrMsg();
}

TEST_F(AclnnBlockAttentionResidualsGrad, KernelMissingForDtypeNamesIt)
{
    AclnnCall call(2, 3, 8, ACL_BF16);
    EXPECT_EQ(call.PhaseOne(), ACLNN_ERR_INNER_FIND_KERNEL_ERROR);
    EXPECT_NE(std::string(aclGetRecentErrMsg()).find("ascend910b (arch 2201), dtype DT_BF16, tiling key 0"),
              std::string::npos)
        << aclGetRecentErrMsg();
    EXPECT_EQ(call.executor, nullptr);
}

}  // namespace
}  // namespace op_api
