// Executors from the outside: a small operator of this test's own, Scale (y = k * x on
// contiguous float32), written with the opdev headers as operator sources are, and called
// as callers do.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"
#include "aclnn_kernels/contiguous.h"
#include "cc/acl/internal/operator_registry.h"
#include "cc/acl/internal/twin_runtime.h"
#include "cc/aclnn/internal/executor_api.h"
#include "level0/zero_op.h"
#include "opdev/make_op_executor.h"
#include "opdev/op_dfx.h"
#include "opdev/op_errno.h"
#include "opdev/shape_utils.h"
#include "opdev/tensor_view_utils.h"

// ---- The operator ------------------------------------------------------------------

namespace {

constexpr uint64_t kUserWorkspaceBytes = 700;  // no multiple of 512, on purpose
constexpr int64_t kRefusedCount = 13;          // tiling fails
constexpr int64_t kUncompiledCount = 17;       // no kernel has its key
constexpr int64_t kFailingFactor = 99;         // the kernel fails
constexpr uint32_t kBlocks = 4;

struct ScaleTiling {
  int64_t count;
  int64_t factor;
};

int32_t TileScale(const AclTwinTilingRequest* request, AclTwinTilingResult* result) {
  int64_t count = 1;
  for (uint64_t i = 0; i < request->inputs[0].rank; ++i) count *= request->inputs[0].dims[i];
  if (count == kRefusedCount) {
    snprintf(result->message, sizeof result->message, "13 elements bring bad luck");
    return 1;
  }
  const ScaleTiling tiling = {count, request->attrs[0].value.integer};
  memcpy(result->tiling_data, &tiling, sizeof tiling);
  result->tiling_data_size = sizeof tiling;
  result->tiling_key = count == kUncompiledCount ? 1 : 0;
  result->block_dim = kBlocks;
  result->workspace_bytes = kUserWorkspaceBytes;
  return 0;
}

// Goes through the workspace, so that a wrong one shows.
void RunScale(AscendcTwinCore* core, void* const* args) {
  const auto* x = static_cast<const float*>(args[0]);
  auto* y = static_cast<float*>(args[1]);
  auto* workspace = static_cast<float*>(args[2]);
  const auto& tiling = *static_cast<const ScaleTiling*>(args[3]);
  if (tiling.factor == kFailingFactor) core->fail(core, "factor 99 is not for this kernel");
  for (int64_t i = core->block_idx; i < tiling.count; i += core->block_num) {
    workspace[core->block_idx] = x[i] * static_cast<float>(tiling.factor);
    y[i] = workspace[core->block_idx];
  }
}

#if defined(__x86_64__)
constexpr char kIsa[] = "x86-64-v3";
#else
constexpr char kIsa[] = "aarch64";
#endif

constexpr AclTwinKernel kKernels[] = {{2201, ACL_FLOAT, 0, kIsa, RunScale}};
constexpr AclTwinOperator kScale = {"Scale", TileScale, kKernels, 1, nullptr, 0};

}  // namespace

namespace l0op {

OP_TYPE_REGISTER(Scale);

aclnnStatus Scale(const aclTensor* x, int64_t factor, const aclTensor* y, aclOpExecutor* executor) {
  L0_DFX(Scale, x, factor);
  return ADD_TO_LAUNCHER_LIST_AICORE(Scale, OP_INPUT(x), OP_OUTPUT(y), OP_ATTR(factor));
}

}  // namespace l0op

namespace {

aclnnStatus aclnnScaleGetWorkspaceSize(const aclTensor* x, int64_t factor, const aclTensor* y,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  L2_DFX_PHASE_1(aclnnScale, DFX_IN(x, factor), DFX_OUT(y));
  auto unique = CREATE_EXECUTOR();
  CHECK_RET(unique.get() != nullptr, ACLNN_ERR_INNER_CREATE_EXECUTOR);
  if (!x->IsEmpty() && factor == 0) {
    const aclTensor* zeros = l0op::ZerosLike(y, unique.get());
    CHECK_RET(l0op::ViewCopy(zeros, y, unique.get()) != nullptr, ACLNN_ERR_INNER_NULLPTR);
  } else if (!x->IsEmpty()) {
    const aclTensor* contiguous = l0op::Contiguous(x, unique.get());
    CHECK_RET(contiguous != nullptr, ACLNN_ERR_PARAM_INVALID);
    const aclTensor* result =
        op::IsContiguous(y) ? y : unique->AllocTensor(y->GetViewShape(), y->GetDataType());
    const aclnnStatus status = l0op::Scale(contiguous, factor, result, unique.get());
    CHECK_RET(status == ACLNN_SUCCESS, status);
    if (result != y) l0op::ViewCopy(result, y, unique.get());
  }
  *workspaceSize = unique->GetWorkspaceSize();
  unique.ReleaseTo(executor);
  return ACLNN_SUCCESS;
}

aclnnStatus aclnnScale(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  L2_DFX_PHASE_2(aclnnScale);
  return CommonOpExecutorRun(workspace, workspaceSize, executor, stream);
}

// ---- Callers ------------------------------------------------------------------------

using Dims = std::vector<int64_t>;

struct TensorDeleter {
  void operator()(aclTensor* tensor) const { aclDestroyTensor(tensor); }
};
using TensorPtr = std::unique_ptr<aclTensor, TensorDeleter>;

TensorPtr Tensor(const Dims& dims, float* data, const Dims& strides = {}, int64_t offset = 0) {
  return TensorPtr(aclCreateTensor(dims.data(), dims.size(), ACL_FLOAT,
                                   strides.empty() ? nullptr : strides.data(), offset,
                                   ACL_FORMAT_ND, nullptr, 0, data));
}

std::vector<float> Count(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i + 1);
  return values;
}

class ExecutorTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(aclTwinRegisterOperator(&kScale), 0);
    ASSERT_EQ(aclrtSetDevice(aclTwinFindDevice("ascend910b")), 0);
    ASSERT_EQ(aclrtCreateStream(&stream_), 0);
  }
  void TearDown() override {
    aclrtDestroyStream(stream_);
    aclTwinUnregisterOperator(&kScale);
    EXPECT_EQ(aclTwinLiveExecutorCount(), 0u) << "executors leaked";
  }

  // Phase 1 that must succeed.
  aclOpExecutor* Prepare(const aclTensor* x, int64_t factor, const aclTensor* y) {
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(aclnnScaleGetWorkspaceSize(x, factor, y, &workspace_size_, &executor), 0)
        << aclGetRecentErrMsg();
    workspace_.assign(workspace_size_, 0);
    return executor;
  }
  int32_t Run(aclOpExecutor* executor) {
    return aclnnScale(workspace_.data(), workspace_size_, executor, stream_);
  }
  int32_t Synchronize() { return aclrtSynchronizeStream(stream_); }

  aclrtStream stream_ = nullptr;
  uint64_t workspace_size_ = 0;
  std::vector<char> workspace_;
};

TEST_F(ExecutorTest, RunsAKernel) {
  std::vector<float> x = Count(6);
  std::vector<float> y(6, -1.0f);
  const TensorPtr input = Tensor({2, 3}, x.data());
  const TensorPtr output = Tensor({2, 3}, y.data());
  aclOpExecutor* executor = Prepare(input.get(), 2, output.get());
  EXPECT_EQ(workspace_size_, kUserWorkspaceBytes) << "contiguous tensors add nothing";
  ASSERT_EQ(Run(executor), 0);
  ASSERT_EQ(Synchronize(), 0);
  EXPECT_EQ(y, (std::vector<float>{2, 4, 6, 8, 10, 12}));
  AclTwinStats stats;
  ASSERT_EQ(aclTwinGetStreamStats(stream_, &stats), 0);
  EXPECT_EQ(stats.kernel_launches, 1u);
  EXPECT_EQ(stats.copy_tasks, 0u);
  EXPECT_EQ(stats.block_dim, kBlocks);
  EXPECT_EQ(stats.arch, 2201u);
  EXPECT_EQ(stats.dtype, ACL_FLOAT);
  EXPECT_STREQ(stats.isa, kIsa);
  EXPECT_STREQ(stats.op_name, "Scale");
}

TEST_F(ExecutorTest, SecondUseIsAnError) {
  std::vector<float> x = Count(4);
  std::vector<float> y(4);
  const TensorPtr input = Tensor({4}, x.data());
  const TensorPtr output = Tensor({4}, y.data());
  aclOpExecutor* executor = Prepare(input.get(), 2, output.get());
  ASSERT_EQ(Run(executor), 0);
  // Other executors take the freed places meanwhile.
  aclOpExecutor* other = Prepare(input.get(), 3, output.get());
  EXPECT_NE(other, executor);
  EXPECT_EQ(Run(executor), ACLNN_ERR_RUNTIME_ERROR);
  EXPECT_STREQ(aclGetRecentErrMsg(),
               "executor does not live: it was used before (it runs once unless "
               "aclSetAclOpExecutorRepeatable), destroyed, or never created");
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), ACLNN_ERR_RUNTIME_ERROR);
  EXPECT_EQ(aclSetAclOpExecutorRepeatable(executor), ACLNN_ERR_RUNTIME_ERROR);
  EXPECT_EQ(Run(other), 0);
  EXPECT_EQ(Synchronize(), 0);
  EXPECT_EQ(y[3], 12.0f);
}

TEST_F(ExecutorTest, RepeatableRunsUntilDestroyed) {
  std::vector<float> x = Count(4);
  std::vector<float> y(4);
  std::vector<float> elsewhere(4);
  const TensorPtr input = Tensor({4}, x.data());
  const TensorPtr output = Tensor({4}, y.data());
  aclOpExecutor* executor = Prepare(input.get(), 2, output.get());
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor), 0);
  for (int round = 1; round <= 3; ++round) {
    x[0] = static_cast<float>(round);
    ASSERT_EQ(Run(executor), 0);
    ASSERT_EQ(Synchronize(), 0);
    EXPECT_EQ(y[0], 2.0f * static_cast<float>(round));
  }
  ASSERT_EQ(aclSetOutputTensorAddr(executor, 0, output.get(), elsewhere.data()), 0);
  ASSERT_EQ(Run(executor), 0);
  ASSERT_EQ(aclDestroyAclOpExecutor(executor), 0) << "may end while its work is queued";
  ASSERT_EQ(Synchronize(), 0);
  EXPECT_EQ(elsewhere[3], 8.0f);
  EXPECT_EQ(Run(executor), ACLNN_ERR_RUNTIME_ERROR);
  EXPECT_EQ(aclSetTensorAddr(executor, 0, input.get(), x.data()), ACLNN_ERR_RUNTIME_ERROR);
}

TEST_F(ExecutorTest, NullHandlesAreErrors) {
  EXPECT_EQ(aclnnScale(nullptr, 0, nullptr, stream_), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_STREQ(aclGetRecentErrMsg(), "executor is null");
  EXPECT_EQ(aclDestroyAclOpExecutor(nullptr), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclSetAclOpExecutorRepeatable(nullptr), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclSetTensorAddr(nullptr, 0, nullptr, nullptr), ACLNN_ERR_PARAM_NULLPTR);
  std::vector<float> x(4);
  const TensorPtr tensor = Tensor({4}, x.data());
  aclOpExecutor* executor = nullptr;
  uint64_t size = 7;
  EXPECT_EQ(aclnnScaleGetWorkspaceSize(tensor.get(), 1, tensor.get(), nullptr, &executor),
            ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_STREQ(aclGetRecentErrMsg(), "workspaceSize is null: expected an address");
  EXPECT_EQ(aclnnScaleGetWorkspaceSize(tensor.get(), 1, tensor.get(), &size, nullptr),
            ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_STREQ(aclGetRecentErrMsg(), "executor is null: expected an address");
  EXPECT_EQ(executor, nullptr);
  EXPECT_EQ(size, 7u);
}

TEST_F(ExecutorTest, WorkspaceMustBeThereAndLargeEnough) {
  std::vector<float> x = Count(4);
  std::vector<float> y(4, -1.0f);
  const TensorPtr input = Tensor({4}, x.data());
  const TensorPtr output = Tensor({4}, y.data());
  aclOpExecutor* executor = Prepare(input.get(), 2, output.get());
  EXPECT_EQ(aclnnScale(nullptr, workspace_size_, executor, stream_), ACLNN_ERR_RUNTIME_ERROR);
  EXPECT_STREQ(aclGetRecentErrMsg(), "aclnnScale: workspace is null: expected 700 bytes");
  EXPECT_EQ(aclnnScale(workspace_.data(), 699, executor, stream_), ACLNN_ERR_RUNTIME_ERROR);
  EXPECT_STREQ(aclGetRecentErrMsg(), "aclnnScale: workspaceSize is 699: expected at least 700");
  ASSERT_EQ(Synchronize(), 0);
  EXPECT_EQ(y, std::vector<float>(4, -1.0f)) << "nothing may have run";
  EXPECT_EQ(Run(executor), 0) << "the executor is still good for a right call";
  EXPECT_EQ(Synchronize(), 0);
  EXPECT_EQ(y[0], 2.0f);
}

TEST_F(ExecutorTest, DestroyedStreamIsAnError) {
  std::vector<float> x = Count(4);
  std::vector<float> y(4, -1.0f);
  const TensorPtr input = Tensor({4}, x.data());
  const TensorPtr output = Tensor({4}, y.data());
  aclOpExecutor* executor = Prepare(input.get(), 2, output.get());
  aclrtStream gone = nullptr;
  aclrtCreateStream(&gone);
  aclrtDestroyStream(gone);
  EXPECT_EQ(aclnnScale(workspace_.data(), workspace_size_, executor, gone),
            ACLNN_ERR_RUNTIME_ERROR);
  EXPECT_STREQ(aclGetRecentErrMsg(), "stream does not live: it was destroyed or never created");
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
}

TEST_F(ExecutorTest, StreamOfAnotherDeviceIsAnError) {
  std::vector<float> x = Count(4);
  const TensorPtr tensor = Tensor({4}, x.data());
  aclOpExecutor* executor = Prepare(tensor.get(), 2, tensor.get());
  ASSERT_EQ(aclrtSetDevice(aclTwinFindDevice("ascend950")), 0);
  aclrtStream other = nullptr;
  ASSERT_EQ(aclrtCreateStream(&other), 0);
  EXPECT_EQ(aclnnScale(workspace_.data(), workspace_size_, executor, other),
            ACLNN_ERR_RUNTIME_ERROR);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("stream is on device"), std::string::npos);
  aclrtDestroyStream(other);
  aclDestroyAclOpExecutor(executor);
}

TEST_F(ExecutorTest, TensorWithoutAddressIsAnError) {
  std::vector<float> y(4);
  const TensorPtr input = Tensor({4}, nullptr);
  const TensorPtr output = Tensor({4}, y.data());
  aclOpExecutor* executor = Prepare(input.get(), 2, output.get());
  EXPECT_EQ(Run(executor), ACLNN_ERR_RUNTIME_ERROR);
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
}

TEST_F(ExecutorTest, FailedTilingIsReportedInPhaseOne) {
  std::vector<float> x(kRefusedCount);
  const TensorPtr tensor = Tensor({kRefusedCount}, x.data());
  aclOpExecutor* executor = nullptr;
  uint64_t size = 7;
  EXPECT_EQ(aclnnScaleGetWorkspaceSize(tensor.get(), 2, tensor.get(), &size, &executor),
            ACLNN_ERR_INNER_TILING_ERROR);
  EXPECT_STREQ(aclGetRecentErrMsg(),
               "tiling of Scale for ascend910b failed: 13 elements bring bad luck");
  EXPECT_EQ(executor, nullptr);
  EXPECT_EQ(size, 7u);
}

TEST_F(ExecutorTest, MissingKernelNamesWhatIsMissing) {
  std::vector<float> x(kUncompiledCount);
  const TensorPtr tensor = Tensor({kUncompiledCount}, x.data());
  aclOpExecutor* executor = nullptr;
  uint64_t size = 7;
  EXPECT_EQ(aclnnScaleGetWorkspaceSize(tensor.get(), 2, tensor.get(), &size, &executor),
            ACLNN_ERR_INNER_FIND_KERNEL_ERROR);
  const std::string message = aclGetRecentErrMsg();
  EXPECT_EQ(message.substr(message.find(' ')),
            " has no kernel of Scale for SoC ascend910b (arch 2201), dtype DT_FLOAT, tiling key 1");
  EXPECT_EQ(message.rfind("executor_test", 0), 0u) << message;

  // The kernel of the other architecture is never taken instead.
  ASSERT_EQ(aclrtSetDevice(aclTwinFindDevice("ascend950")), 0);
  const TensorPtr four = Tensor({4}, x.data());
  EXPECT_EQ(aclnnScaleGetWorkspaceSize(four.get(), 2, four.get(), &size, &executor),
            ACLNN_ERR_INNER_FIND_KERNEL_ERROR);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("ascend950 (arch 3510)"), std::string::npos);

  // Nor is an operator that no library brought.
  aclTwinUnregisterOperator(&kScale);
  EXPECT_EQ(aclnnScaleGetWorkspaceSize(four.get(), 2, four.get(), &size, &executor),
            ACLNN_ERR_INNER_FIND_KERNEL_ERROR);
  EXPECT_STREQ(aclGetRecentErrMsg(),
               "no loaded library has registered operator Scale (SoC ascend950)");
  ASSERT_EQ(aclTwinRegisterOperator(&kScale), 0);
  EXPECT_EQ(executor, nullptr);
  EXPECT_EQ(size, 7u);
}

TEST_F(ExecutorTest, FailingKernelSurfacesAtSynchronise) {
  std::vector<float> x(4);
  std::vector<float> y(4);
  const TensorPtr input = Tensor({4}, x.data());
  const TensorPtr output = Tensor({4}, y.data());
  ASSERT_EQ(Run(Prepare(input.get(), kFailingFactor, output.get())), 0);
  EXPECT_EQ(Synchronize(), ACLNN_ERR_RUNTIME_ERROR);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("factor 99 is not for this kernel"),
            std::string::npos);
  EXPECT_EQ(Synchronize(), 0);
}

TEST_F(ExecutorTest, OperatorUnloadedBeforeItRuns) {
  std::vector<float> x(4);
  const TensorPtr tensor = Tensor({4}, x.data());
  aclOpExecutor* executor = Prepare(tensor.get(), 2, tensor.get());
  aclTwinUnregisterOperator(&kScale);
  ASSERT_EQ(Run(executor), 0);
  EXPECT_EQ(Synchronize(), ACLNN_ERR_RUNTIME_ERROR);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("was unloaded before Scale ran"),
            std::string::npos);
  ASSERT_EQ(aclTwinRegisterOperator(&kScale), 0);
}

TEST_F(ExecutorTest, StridedInputsAndOutputs) {
  const std::vector<float> original = Count(24);
  const struct {
    const char* name;
    Dims input_strides;
    int64_t input_offset;
    Dims output_strides;
    int64_t output_offset;
    uint64_t workspace;  // copies of 24 bytes take 512 each, then the operator's own
  } cases[] = {
      {"offset", {3, 1}, 5, {3, 1}, 2, kUserWorkspaceBytes},
      {"transposed input", {1, 2}, 0, {3, 1}, 0, 512 + kUserWorkspaceBytes},
      {"expanded input", {0, 0}, 7, {3, 1}, 0, 512 + kUserWorkspaceBytes},
      {"reversed input", {-3, -1}, 5, {3, 1}, 0, 512 + kUserWorkspaceBytes},
      {"strided output", {3, 1}, 0, {8, 2}, 1, 512 + kUserWorkspaceBytes},
      {"both", {1, 2}, 3, {1, 2}, 4, 1024 + kUserWorkspaceBytes},
  };
  for (const auto& test : cases) {
    std::vector<float> x = original;
    std::vector<float> y(24, -1.0f);
    std::vector<float> expected = y;
    for (int64_t i = 0; i < 2; ++i) {
      for (int64_t j = 0; j < 3; ++j) {
        const int64_t from =
            test.input_offset + i * test.input_strides[0] + j * test.input_strides[1];
        const int64_t to =
            test.output_offset + i * test.output_strides[0] + j * test.output_strides[1];
        expected[static_cast<size_t>(to)] = 3 * x[static_cast<size_t>(from)];
      }
    }
    const TensorPtr input = Tensor({2, 3}, x.data(), test.input_strides, test.input_offset);
    const TensorPtr output = Tensor({2, 3}, y.data(), test.output_strides, test.output_offset);
    aclOpExecutor* executor = Prepare(input.get(), 3, output.get());
    EXPECT_EQ(workspace_size_, test.workspace) << test.name;
    ASSERT_EQ(Run(executor), 0) << test.name;
    ASSERT_EQ(Synchronize(), 0) << test.name;
    EXPECT_EQ(y, expected) << test.name;
    EXPECT_EQ(x, original) << test.name;
  }
}

TEST_F(ExecutorTest, ViewOutsideItsStorageIsRefused) {
  std::vector<float> x(8);
  const Dims dims = {2, 3};
  const Dims strides = {10, 3};
  const Dims storage = {8};
  const TensorPtr input(aclCreateTensor(dims.data(), 2, ACL_FLOAT, strides.data(), 0, ACL_FORMAT_ND,
                                        storage.data(), 1, x.data()));
  std::vector<float> y(6);
  const TensorPtr output = Tensor({2, 3}, y.data());
  aclOpExecutor* executor = nullptr;
  uint64_t size = 0;
  EXPECT_EQ(aclnnScaleGetWorkspaceSize(input.get(), 2, output.get(), &size, &executor),
            ACLNN_ERR_PARAM_INVALID);
  EXPECT_STREQ(aclGetRecentErrMsg(), "a view reaches element 16 of its storage: expected 0 to 7");
}

TEST_F(ExecutorTest, ZeroFillNeedsNoWorkspace) {
  std::vector<float> x(6);
  std::vector<float> y(12, -1.0f);
  const TensorPtr input = Tensor({2, 3}, x.data());
  const TensorPtr output = Tensor({2, 3}, y.data(), {6, 2});
  aclOpExecutor* executor = Prepare(input.get(), 0, output.get());
  EXPECT_EQ(workspace_size_, 0u);
  ASSERT_EQ(aclnnScale(nullptr, 0, executor, stream_), 0);
  ASSERT_EQ(Synchronize(), 0);
  EXPECT_EQ(y, (std::vector<float>{0, -1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1}));
}

TEST_F(ExecutorTest, NothingToDoIsANoOp) {
  const TensorPtr empty = Tensor({0, 3}, nullptr);
  aclOpExecutor* executor = Prepare(empty.get(), 2, empty.get());
  EXPECT_EQ(workspace_size_, 0u);
  EXPECT_EQ(aclnnScale(nullptr, 0, executor, stream_), 0);
  EXPECT_EQ(Synchronize(), 0);
}

TEST_F(ExecutorTest, TensorsMayEndAfterPhaseOne) {
  std::vector<float> x = Count(4);
  std::vector<float> y(4);
  TensorPtr input = Tensor({4}, x.data());
  TensorPtr output = Tensor({4}, y.data());
  aclOpExecutor* executor = Prepare(input.get(), 2, output.get());
  input.reset();
  output.reset();
  ASSERT_EQ(Run(executor), 0);
  ASSERT_EQ(Synchronize(), 0);
  EXPECT_EQ(y[3], 8.0f);
}

TEST_F(ExecutorTest, PhasesOfTwoCallsMayCross) {
  std::vector<float> x = Count(24);
  std::vector<float> y_a(4);
  std::vector<float> y_b(20);
  const TensorPtr in_a = Tensor({4}, x.data());
  const TensorPtr out_a = Tensor({4}, y_a.data());
  const TensorPtr in_b = Tensor({20}, x.data());
  const TensorPtr out_b = Tensor({20}, y_b.data());
  aclOpExecutor* a = Prepare(in_a.get(), 2, out_a.get());
  std::vector<char> workspace_a = workspace_;
  aclOpExecutor* b = Prepare(in_b.get(), 3, out_b.get());
  ASSERT_EQ(Run(b), 0);
  ASSERT_EQ(aclnnScale(workspace_a.data(), workspace_a.size(), a, stream_), 0);
  ASSERT_EQ(Synchronize(), 0);
  std::fill(workspace_.begin(), workspace_.end(), '\xff');
  std::fill(workspace_a.begin(), workspace_a.end(), '\xff');
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(y_a[i], 2 * x[i]);
  for (size_t i = 0; i < 20; ++i) EXPECT_EQ(y_b[i], 3 * x[i]);
}

TEST_F(ExecutorTest, OneOfManyThreadsUsesAnExecutor) {
  std::vector<float> x = Count(4);
  std::vector<float> y(4);
  const TensorPtr input = Tensor({4}, x.data());
  const TensorPtr output = Tensor({4}, y.data());
  for (int round = 0; round < 50; ++round) {
    aclOpExecutor* executor = Prepare(input.get(), 2, output.get());
    std::atomic<int> succeeded{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] { succeeded += Run(executor) == 0 ? 1 : 0; });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(succeeded, 1);
    ASSERT_EQ(Synchronize(), 0);
  }
}

TEST_F(ExecutorTest, ManyThreadsRunManyExecutors) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      aclrtSetDevice(aclTwinFindDevice("ascend910b"));
      aclrtStream stream = nullptr;
      aclrtCreateStream(&stream);
      std::vector<float> x = Count(64);
      std::vector<float> y(64);
      std::vector<char> workspace(2048);
      const TensorPtr input = Tensor({8, 8}, x.data(), {1, 8});
      const TensorPtr output = Tensor({8, 8}, y.data());
      for (int64_t factor = 1; factor <= 50; ++factor) {
        aclOpExecutor* executor = nullptr;
        uint64_t size = 0;
        const int64_t unique_factor = factor * 1000 + i;
        if (aclnnScaleGetWorkspaceSize(input.get(), unique_factor, output.get(), &size,
                                       &executor) != 0 ||
            aclnnScale(workspace.data(), size, executor, stream) != 0 ||
            aclrtSynchronizeStream(stream) != 0 ||
            y[1] != 9.0f * static_cast<float>(unique_factor)) {
          ++wrong;
        }
      }
      aclrtDestroyStream(stream);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

int64_t ResidentKilobytes() {
  int64_t size = 0;
  int64_t resident = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == nullptr || fscanf(file, "%ld %ld", &size, &resident) != 2) return -1;
  fclose(file);
  return resident * sysconf(_SC_PAGESIZE) / 1024;
}

TEST_F(ExecutorTest, MemoryStaysFlatOverManyCalls) {
  constexpr int64_t kSide = 512;  // a leaked copy or executor of each call would be 1 MiB
  std::vector<float> x = Count(kSide * kSide);
  std::vector<float> y(x.size());
  const TensorPtr input = Tensor({kSide, kSide}, x.data(), {1, kSide});
  const TensorPtr output = Tensor({kSide, kSide}, y.data());
  int64_t warm = 0;
  for (int call = 0; call < 200; ++call) {
    aclOpExecutor* executor = nullptr;
    uint64_t size = 0;
    ASSERT_EQ(aclnnScaleGetWorkspaceSize(input.get(), 2, output.get(), &size, &executor), 0);
    workspace_.resize(size);
    ASSERT_EQ(aclnnScale(workspace_.data(), size, executor, stream_), 0);
    ASSERT_EQ(Synchronize(), 0);
    if (call == 20) warm = ResidentKilobytes();
  }
  EXPECT_LT(ResidentKilobytes() - warm, 2048);
}

}  // namespace
