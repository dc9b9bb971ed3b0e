// A process in which ATTNRES_ISA asks for an instruction set that does not exist: phase 1 of every
// launch says so, and what launches nothing works. host_isa_test.cc has the variable itself.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"
#include "cc/aclnn/testing/scale_operator.h"
#include "opdev/op_errno.h"

namespace attnres::aclnn {
namespace {

// Before the first test asks for it.
const int kVariableSet = setenv("ATTNRES_ISA", "x86-64-v9", 1);

TEST_F(ExecutorTest, UnknownIsaIsAnErrorOfEveryLaunch) {
  ASSERT_EQ(kVariableSet, 0);
  std::vector<float> x = Count(4);
  const TensorPtr tensor = Tensor({4}, x.data());
  for (int round = 0; round < 2; ++round) {
    aclOpExecutor* executor = nullptr;
    uint64_t size = 7;
    EXPECT_EQ(aclnnScaleGetWorkspaceSize(tensor.get(), 2, tensor.get(), &size, &executor),
              ACLNN_ERR_RUNTIME_ERROR);
    EXPECT_EQ(std::string(aclGetRecentErrMsg()),
              std::string("ATTNRES_ISA is 'x86-64-v9': expected ") + kIsa +
                  ", for which forced_isa_test has kernels that this machine runs");
    EXPECT_EQ(executor, nullptr);
    EXPECT_EQ(size, 7u);
  }
}

TEST_F(ExecutorTest, WhatLaunchesNothingWorks) {
  std::vector<float> x = Count(4);
  const TensorPtr tensor = Tensor({4}, x.data());
  ASSERT_EQ(Run(Prepare(tensor.get(), 0, tensor.get())), 0);
  ASSERT_EQ(Synchronize(), 0);
  EXPECT_EQ(x, std::vector<float>(4, 0.0f));
}

}  // namespace
}  // namespace attnres::aclnn
