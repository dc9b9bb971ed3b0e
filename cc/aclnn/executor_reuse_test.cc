// What repeated calls cost and share: equal shapes are tiled once for each SoC, a repeatable
// executor on a blocking stream allocates nothing, and addresses change between runs.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"
#include "cc/acl/internal/operator_registry.h"
#include "cc/acl/internal/twin_runtime.h"
#include "cc/aclnn/internal/executor_api.h"
#include "cc/aclnn/testing/scale_operator.h"
#include "opdev/op_errno.h"

namespace {

std::atomic<uint64_t> allocations{0};

void* Allocate(size_t bytes) {
  ++allocations;
  void* memory = malloc(bytes > 0 ? bytes : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// Counts what the runtime, which is linked into this program, takes from the heap.
void* operator new(size_t bytes) { return Allocate(bytes); }
void* operator new[](size_t bytes) { return Allocate(bytes); }
void operator delete(void* memory) noexcept { free(memory); }
void operator delete[](void* memory) noexcept { free(memory); }
void operator delete(void* memory, size_t) noexcept { free(memory); }
void operator delete[](void* memory, size_t) noexcept { free(memory); }

namespace attnres::aclnn {
namespace {

class ExecutorReuseTest : public ExecutorTest {
 protected:
  // Both phases; returns y.
  std::vector<float> Scaled(size_t count, int64_t factor) {
    std::vector<float> x = Count(count);
    std::vector<float> y(count);
    const auto length = static_cast<int64_t>(count);
    const TensorPtr input = Tensor({length}, x.data());
    const TensorPtr output = Tensor({length}, y.data());
    EXPECT_EQ(Run(Prepare(input.get(), factor, output.get())), 0);
    EXPECT_EQ(Synchronize(), 0);
    return y;
  }

  static std::vector<float> Expected(size_t count, int64_t factor) {
    std::vector<float> values = Count(count);
    for (float& value : values) value *= static_cast<float>(factor);
    return values;
  }
};

TEST_F(ExecutorReuseTest, EqualCallsAreTiledOnceAndChangedOnesAnew) {
  const int before = ScaleTilings();
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(Scaled(4, 2), Expected(4, 2));
    EXPECT_EQ(Scaled(5, 2), Expected(5, 2)) << "another shape";
    EXPECT_EQ(Scaled(4, 3), Expected(4, 3)) << "another attribute";
  }
  EXPECT_EQ(ScaleTilings() - before, 3);
  // Same number of elements, another rank.
  std::vector<float> x = Count(4);
  const TensorPtr square = Tensor({2, 2}, x.data());
  EXPECT_EQ(aclDestroyAclOpExecutor(Prepare(square.get(), 2, square.get())), 0);
  EXPECT_EQ(ScaleTilings() - before, 4);
}

TEST_F(ExecutorReuseTest, SocsDoNotShareATiling) {
  Scaled(4, 2);
  const int before = ScaleTilings();
  ASSERT_EQ(aclrtSetDevice(aclTwinFindDevice("ascend910_93")), 0);
  std::vector<float> x = Count(4);
  const TensorPtr tensor = Tensor({4}, x.data());
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(aclDestroyAclOpExecutor(Prepare(tensor.get(), 2, tensor.get())), 0);
  }
  EXPECT_EQ(ScaleTilings() - before, 1);
  EXPECT_EQ(ScaleTiledSoc(), "ascend910_93");
  // One without a kernel gets none from the others' plans.
  ASSERT_EQ(aclrtSetDevice(aclTwinFindDevice("ascend950")), 0);
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnScaleGetWorkspaceSize(tensor.get(), 2, tensor.get(), &workspace_size_, &executor),
            ACLNN_ERR_INNER_FIND_KERNEL_ERROR);
}

TEST_F(ExecutorReuseTest, AnotherRegistrationIsTiledAnew) {
  Scaled(4, 2);
  const int before = ScaleTilings();
  aclTwinUnregisterOperator(&kScale);
  ASSERT_EQ(aclTwinRegisterOperator(&kScale), 0);
  EXPECT_EQ(Scaled(4, 2), Expected(4, 2));
  EXPECT_EQ(ScaleTilings() - before, 1);
}

TEST_F(ExecutorReuseTest, FailuresAreNotKept) {
  std::vector<float> x(kRefusedCount);
  const TensorPtr tensor = Tensor({kRefusedCount}, x.data());
  const int before = ScaleTilings();
  for (int round = 0; round < 2; ++round) {
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(
        aclnnScaleGetWorkspaceSize(tensor.get(), 2, tensor.get(), &workspace_size_, &executor),
        ACLNN_ERR_INNER_TILING_ERROR);
  }
  EXPECT_EQ(ScaleTilings() - before, 2);
}

// Whoever turns the log on looks for the lines that tiling writes.
TEST_F(ExecutorReuseTest, WithLogsOnEveryCallIsTiled) {
  Scaled(4, 2);
  const int before = ScaleTilings();
  aclTwinSetLogLevel(ACL_INFO);
  Scaled(4, 2);
  aclTwinSetLogLevel(ACL_ERROR);
  EXPECT_EQ(ScaleTilings() - before, 1);
}

TEST_F(ExecutorReuseTest, ARepeatedRunTakesNothingFromTheHeap) {
  aclrtStream blocking = nullptr;
  ASSERT_EQ(aclTwinCreateBlockingStream(&blocking), 0);
  std::vector<float> x = Count(8);
  std::vector<float> y(8);
  std::vector<float> other(8);
  const TensorPtr input = Tensor({8}, x.data());
  const TensorPtr output = Tensor({8}, y.data());
  aclOpExecutor* executor = Prepare(input.get(), 2, output.get());
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor), 0);
  const std::array<const aclTensor*, 2> tensors = {input.get(), output.get()};
  const auto run = [&](std::vector<float>& target) {
    void* const addresses[] = {x.data(), target.data()};
    int32_t code = aclTwinExecutorSetAddresses(executor, tensors.data(), addresses, 2);
    if (code == 0) code = aclnnScale(workspace_.data(), workspace_size_, executor, blocking);
    return code == 0 ? aclrtSynchronizeStream(blocking) : code;
  };
  ASSERT_EQ(run(y), 0);  // the first launch makes the cores' memory
  const uint64_t before = allocations;
  for (int round = 0; round < 10; ++round) ASSERT_EQ(run(round % 2 == 0 ? other : y), 0);
  EXPECT_EQ(allocations - before, 0u);
  EXPECT_EQ(other, Expected(8, 2));
  EXPECT_EQ(y, Expected(8, 2));
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
  EXPECT_EQ(run(y), ACLNN_ERR_RUNTIME_ERROR) << "the executor ended";
  aclrtDestroyStream(blocking);
}

TEST_F(ExecutorReuseTest, AddressesOfUnknownTensorsAreSkipped) {
  std::vector<float> x = Count(4);
  std::vector<float> y(4);
  const TensorPtr input = Tensor({4}, x.data());
  const TensorPtr output = Tensor({4}, nullptr);
  const TensorPtr stranger = Tensor({4}, x.data());
  aclOpExecutor* executor = Prepare(input.get(), 2, output.get());
  const std::array<const aclTensor*, 3> tensors = {stranger.get(), output.get(), nullptr};
  void* const addresses[] = {nullptr, y.data(), nullptr};
  EXPECT_EQ(aclTwinExecutorSetAddresses(executor, tensors.data(), addresses, 3), 0);
  ASSERT_EQ(Run(executor), 0);
  ASSERT_EQ(Synchronize(), 0);
  EXPECT_EQ(y, Expected(4, 2));
}

}  // namespace
}  // namespace attnres::aclnn
