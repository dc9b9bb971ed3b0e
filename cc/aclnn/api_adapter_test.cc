// The adapter: signature letters from types, values handed over, outputs written back.
#include "cc/aclnn/internal/api_adapter.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace attnres::aclnn {
namespace {

struct Seen {
  const void* tensor;
  int64_t integer;
  double real;
  bool flag;
  const void* output;
  void* workspace;
  uint64_t size;
  void* executor;
  void* stream;
} seen;

int marker;

aclnnStatus SampleGetWorkspaceSize(const aclTensor* tensor, int64_t integer, double real, bool flag,
                                   aclTensor* output, uint64_t* workspace_size,
                                   aclOpExecutor** executor) {
  seen = {tensor, integer, real, flag, output, nullptr, 0, nullptr, nullptr};
  if (integer < 0) return 161002;
  *workspace_size = 512;
  *executor = reinterpret_cast<aclOpExecutor*>(&marker);
  return 0;
}

aclnnStatus Sample(void* workspace, uint64_t size, aclOpExecutor* executor, aclrtStream stream) {
  seen.workspace = workspace;
  seen.size = size;
  seen.executor = executor;
  seen.stream = stream;
  return 7;
}

constexpr AclTwinApi kApi = MakeApi<&SampleGetWorkspaceSize, &Sample>("aclnnSample");

TEST(ApiAdapter, DescribesTheInterface) {
  EXPECT_STREQ(kApi.name, "aclnnSample");
  EXPECT_STREQ(kApi.signature, "tidbt");
  EXPECT_EQ(kApi.arg_count, 5u);
}

TEST(ApiAdapter, HandsValuesOver) {
  AclTwinValue args[5];
  args[0].pointer = &args[0];
  args[1].integer = 42;
  args[2].real = 0.5;
  args[3].integer = 1;
  args[4].pointer = &args[4];
  uint64_t workspace_size = 0;
  void* executor = nullptr;
  EXPECT_EQ(kApi.get_workspace_size(args, &workspace_size, &executor), 0);
  EXPECT_EQ(seen.tensor, &args[0]);
  EXPECT_EQ(seen.integer, 42);
  EXPECT_EQ(seen.real, 0.5);
  EXPECT_TRUE(seen.flag);
  EXPECT_EQ(seen.output, &args[4]);
  EXPECT_EQ(workspace_size, 512u);
  EXPECT_EQ(executor, &marker);
  EXPECT_EQ(kApi.run(&args, 512, executor, &seen), 7);
  EXPECT_EQ(seen.workspace, &args);
  EXPECT_EQ(seen.size, 512u);
  EXPECT_EQ(seen.executor, &marker);
  EXPECT_EQ(seen.stream, &seen);
}

TEST(ApiAdapter, FailureLeavesTheExecutorAlone) {
  AclTwinValue args[5] = {};
  args[1].integer = -1;
  uint64_t workspace_size = 9;
  void* executor = &marker;
  EXPECT_EQ(kApi.get_workspace_size(args, &workspace_size, &executor), 161002);
  EXPECT_EQ(workspace_size, 9u);
  EXPECT_EQ(executor, &marker);
}

}  // namespace
}  // namespace attnres::aclnn
