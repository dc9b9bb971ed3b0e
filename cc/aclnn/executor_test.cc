// The life of executors: handles that ended, phase 2 calls that must fail, and every way in
// which tiling, kernel look-up and kernels do. executor_tasks_test.cc has what they run.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"
#include "cc/acl/internal/operator_registry.h"
#include "cc/acl/internal/twin_runtime.h"
#include "cc/aclnn/testing/scale_operator.h"
#include "opdev/op_errno.h"

namespace attnres::aclnn {
namespace {

TEST_F(ExecutorTest, SecondUseIsAnError) {
  std::vector<float> x = Count(4);
  std::vector<float> y(4);
  const TensorPtr input = Tensor({4}, x.data());
  const TensorPtr output = Tensor({4}, y.data());
  aclOpExecutor* executor = Prepare(input.get(), 2, output.get());
  ASSERT_EQ(Run(executor), 0);
  ASSERT_EQ(Synchronize(), 0) << "before Prepare makes another workspace";
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

}  // namespace
}  // namespace attnres::aclnn
