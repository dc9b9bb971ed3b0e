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
#include "op_host/block_attention_residuals/op_api/aclnn_call.h"
#include "opdev/op_errno.h"

namespace op_api
{
namespace block_attention_residuals
{
namespace
{

constexpr size_t INPUTS = 4;

struct SeenByTiling {
    std::vector<std::vector<int64_t>> inputDims;
    std::vector<std::vector<int64_t>> outputDims;
    int64_t validBlockNum;
    double normEps;
    int64_t needBackward;
    int calls;
} seen;

struct StandInTiling {
    uint64_t elements[TENSOR_COUNT];
};

int32_t Tile(const AclTwinTilingRequest* request, AclTwinTilingResult* result)
{
    const int calls = seen.calls + 1;
    seen = {};
    seen.calls = calls;
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
    seen.validBlockNum = request->attrs[0].value.integer;
    seen.normEps = request->attrs[1].value.real;
    seen.needBackward = request->attrs[2].value.integer;
    memcpy(result->tiling_data, &tiling, sizeof tiling);
    result->tiling_data_size = sizeof tiling;
    result->block_dim = 1;
    return 0;
}

// Output i becomes 100 * (i + 1) + the first element of input i (float32).
void Kernel(AscendcTwinCore*, void* const* args)
{
    const auto& tiling = *static_cast<const StandInTiling*>(args[TENSOR_COUNT + 1]);
    for (size_t i = 0; i < TENSOR_COUNT - INPUTS; ++i) {
        auto* output = static_cast<float*>(args[INPUTS + i]);
        for (uint64_t j = 0; j < tiling.elements[INPUTS + i]; ++j) {
            output[j] = 100.0f * static_cast<float>(i + 1) + static_cast<const float*>(args[i])[0];
        }
    }
}

#if defined(__x86_64__)
constexpr char ISA[] = "x86-64-v3";
#else
constexpr char ISA[] = "aarch64";
#endif

constexpr AclTwinKernel KERNELS[] = {{3510, ACL_FLOAT, 0, ISA, Kernel}};
constexpr AclTwinOperator OPERATOR = {"BlockAttentionResiduals", Tile, KERNELS, 1, nullptr, 0, nullptr, 0, nullptr};

class AclnnBlockAttentionResiduals : public testing::Test
{
protected:
    void SetUp() override
    {
        seen = {};
        ASSERT_EQ(aclTwinRegisterOperator(&OPERATOR), 0);
        ASSERT_EQ(aclrtSetDevice(aclTwinFindDevice("ascend950")), 0);
    }

    void TearDown() override
    {
        aclTwinUnregisterOperator(&OPERATOR);
    }

    static void Fill(AclnnCall& call, size_t tensor, size_t count, float value)
    {
        for (size_t i = 0; i < count; ++i) {
            reinterpret_cast<float*>(call.specs[tensor].data)[i] = value;
        }
    }

    static float Element(const AclnnCall& call, size_t tensor, size_t index)
    {
        return reinterpret_cast<const float*>(call.specs[tensor].data)[index];
    }
};

TEST_F(AclnnBlockAttentionResiduals, ArgumentsReachTilingAndKernelInOrder)
{
    AclnnCall call(2, 3, 8, ACL_FLOAT);
    call.validBlockNum = 3;
    call.normEps = 0.5;
    for (size_t i = 0; i < INPUTS; ++i) {
        Fill(call, i, 1, static_cast<float>(i));
    }
    ASSERT_EQ(call.Run(), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(seen.inputDims, (std::vector<std::vector<int64_t>>{{2, 8}, {2, 3, 8}, {1, 8}, {8}}));
    EXPECT_EQ(seen.outputDims, (std::vector<std::vector<int64_t>>{{2, 8}, {2, 4}, {2, 4}}));
    EXPECT_EQ(seen.validBlockNum, 3);
    EXPECT_EQ(seen.normEps, 0.5);
    EXPECT_EQ(seen.needBackward, 1);
    EXPECT_EQ(Element(call, 4, 15), 100.0f);
    EXPECT_EQ(Element(call, 5, 7), 201.0f);
    EXPECT_EQ(Element(call, 6, 7), 302.0f);
    EXPECT_EQ(call.workspaceSize, 0u);
}

TEST_F(AclnnBlockAttentionResiduals, StridedTensorsAreCopied)
{
    AclnnCall call(2, 3, 8, ACL_FLOAT);
    call.specs[0].strides = {20, 2};
    call.specs[2].dims = {8};
    call.specs[5].strides = {5, 1};
    Fill(call, 5, 12, 7.0f);
    ASSERT_EQ(call.Run(), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(seen.inputDims[2], std::vector<int64_t>{8});
    EXPECT_GT(call.workspaceSize, 0u);
    for (const size_t i : {0, 3, 5, 8}) {
        EXPECT_EQ(Element(call, 5, i), 200.0f) << i;
    }
    EXPECT_EQ(Element(call, 5, 4), 7.0f) << "gaps of the output stay as they are";
}

TEST_F(AclnnBlockAttentionResiduals, WithoutBackwardItsOutputsMayBeNull)
{
    for (const size_t nullTensor : {size_t{5}, size_t{6}, AclnnCall::NO_TENSOR}) {
        AclnnCall call(2, 3, 8, ACL_FLOAT);
        call.needBackward = false;
        Fill(call, 5, 8, 7.0f);
        Fill(call, 6, 8, 7.0f);
        ASSERT_EQ(call.Run(nullTensor), 0) << aclGetRecentErrMsg();
        EXPECT_EQ(seen.outputDims, (std::vector<std::vector<int64_t>>{{2, 8}, {0}, {0}}));
        EXPECT_EQ(seen.needBackward, 0);
        EXPECT_EQ(Element(call, 4, 0), 100.0f);
        for (size_t i = 0; i < 8; ++i) {
            EXPECT_EQ(Element(call, 5, i), 7.0f);
            EXPECT_EQ(Element(call, 6, i), 7.0f);
        }
    }
}

TEST_F(AclnnBlockAttentionResiduals, WithoutTokensNothingIsScheduled)
{
    AclnnCall call(0, 2, 16, ACL_BF16);
    call.specs[0].data = nullptr;  // empty tensors need no address
    ASSERT_EQ(call.Run(), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(call.workspaceSize, 0u);
    EXPECT_EQ(seen.calls, 0);
}

TEST_F(AclnnBlockAttentionResiduals, WithoutHiddenTheScoresBecomeZeroInPhaseTwo)
{
    AclnnCall call(3, 1, 0, ACL_FLOAT16);
    Fill(call, 5, 7, 7.0f);
    Fill(call, 6, 7, 7.0f);
    ASSERT_EQ(call.PhaseOne(), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(Element(call, 5, 0), 7.0f) << "phase 1 wrote";
    call.executor = nullptr;
    ASSERT_EQ(call.Run(), 0) << aclGetRecentErrMsg();
    for (const size_t tensor : {5, 6}) {
        for (size_t i = 0; i < 7; ++i) {
            EXPECT_EQ(Element(call, tensor, i), i < 6 ? 0.0f : 7.0f);
        }
    }
    call.needBackward = false;
    ASSERT_EQ(call.Run(), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(seen.calls, 0);
}

TEST_F(AclnnBlockAttentionResiduals, WithoutBlocksTheOperatorRuns)
{
    AclnnCall call(3, 0, 16, ACL_FLOAT);
    call.specs[1].data = nullptr;
    Fill(call, 5, 3, 7.0f);
    ASSERT_EQ(call.PhaseOne(), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(seen.calls, 1);
}

TEST_F(AclnnBlockAttentionResiduals, KernelMissingForDtypeOrSocNamesIt)
{
    AclnnCall call(2, 3, 8, ACL_BF16);
    EXPECT_EQ(call.PhaseOne(), ACLNN_ERR_INNER_FIND_KERNEL_ERROR);
    EXPECT_NE(std::string(aclGetRecentErrMsg()).find("ascend950 (arch 3510), dtype DT_BF16, tiling key 0"),
              std::string::npos)
        << aclGetRecentErrMsg();
    EXPECT_EQ(call.executor, nullptr);
    ASSERT_EQ(aclrtSetDevice(aclTwinFindDevice("ascend910b")), 0);
    AclnnCall other(2, 3, 8, ACL_FLOAT);
    EXPECT_EQ(other.PhaseOne(), ACLNN_ERR_INNER_FIND_KERNEL_ERROR) << aclGetRecentErrMsg();
}

}  // namespace
}  // namespace block_attention_residuals
}  // namespace op_api
