// What executors run: kernels, copies in and out, fills; crossed phases, many threads, and
// memory over many calls. executor_test.cc has their life and failures.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"
#include "cc/acl/internal/twin_runtime.h"
#include "cc/aclnn/testing/scale_operator.h"
#include "opdev/op_errno.h"

namespace attnres::aclnn {
namespace {

using Dims = std::vector<int64_t>;

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
}  // namespace attnres::aclnn
