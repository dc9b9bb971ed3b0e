// A small operator for tests of executors, y = factor * x on contiguous float32, written with the
// opdev headers as operator sources are, and a fixture that calls it as callers do.
#ifndef CC_ACLNN_TESTING_SCALE_OPERATOR_H_
#define CC_ACLNN_TESTING_SCALE_OPERATOR_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"
#include "cc/acl/internal/operator_registry.h"

namespace attnres::aclnn {

constexpr uint64_t kUserWorkspaceBytes = 700;  // no multiple of 512, on purpose
constexpr int64_t kRefusedCount = 13;          // tiling of so many elements fails
constexpr int64_t kUncompiledCount = 17;       // no kernel has the tiling key of so many
constexpr int64_t kFailingFactor = 99;         // the kernel fails
constexpr uint32_t kBlocks = 4;

// Its one kernel: arch 2201, float32, tiling key 0, and this instruction set.
#if defined(__x86_64__)
constexpr char kIsa[] = "x86-64-v3";
#else
constexpr char kIsa[] = "aarch64";
#endif

extern const AclTwinOperator kScale;

// How often its tiling function was asked, and for which SoC last.
int ScaleTilings();
std::string ScaleTiledSoc();

// Any strides of x and y. A factor of 0 fills y and launches nothing.
aclnnStatus aclnnScaleGetWorkspaceSize(const aclTensor* x, int64_t factor, const aclTensor* y,
                                       uint64_t* workspaceSize, aclOpExecutor** executor);
aclnnStatus aclnnScale(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream);

struct TensorDeleter {
  void operator()(aclTensor* tensor) const { aclDestroyTensor(tensor); }
};
using TensorPtr = std::unique_ptr<aclTensor, TensorDeleter>;

TensorPtr Tensor(const std::vector<int64_t>& dims, float* data,
                 const std::vector<int64_t>& strides = {}, int64_t offset = 0);

// 1, 2, 3, …
std::vector<float> Count(size_t count);

// Registers the operator, chooses ascend910b, makes a stream, and checks that no executor leaks.
class ExecutorTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // Phase 1 that must succeed; makes workspace_ as large as asked for.
  aclOpExecutor* Prepare(const aclTensor* x, int64_t factor, const aclTensor* y);
  int32_t Run(aclOpExecutor* executor) {
    return aclnnScale(workspace_.data(), workspace_size_, executor, stream_);
  }
  int32_t Synchronize() { return aclrtSynchronizeStream(stream_); }

  aclrtStream stream_ = nullptr;
  uint64_t workspace_size_ = 0;
  std::vector<char> workspace_;
};

}  // namespace attnres::aclnn

#endif  // CC_ACLNN_TESTING_SCALE_OPERATOR_H_
