// An operator of another workspace, called through its C interface as a device's user does.
#include <cstdint>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_scale_custom.h"
#include "gtest/gtest.h"

namespace {

aclTensor* Tensor(std::vector<float>& data) {
  const int64_t size = static_cast<int64_t>(data.size());
  return aclCreateTensor(&size, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &size, 1, data.data());
}

TEST(ScaleCustomTest, ScalesEveryElement) {
  ASSERT_EQ(aclrtSetDevice(0), 0);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), 0);
  for (const size_t size : {size_t{1}, size_t{4096}, size_t{50 * 4096 + 7}}) {
    std::vector<float> x(size), y(size, -1);
    for (size_t i = 0; i < size; ++i) x[i] = static_cast<float>(i);
    aclTensor* x_tensor = Tensor(x);
    aclTensor* y_tensor = Tensor(y);
    uint64_t workspace_size = 0;
    aclOpExecutor* executor = nullptr;
    ASSERT_EQ(aclnnScaleCustomGetWorkspaceSize(x_tensor, 0.5, y_tensor, &workspace_size, &executor),
              0)
        << aclGetRecentErrMsg();
    std::vector<char> workspace(workspace_size);
    ASSERT_EQ(aclnnScaleCustom(workspace.data(), workspace_size, executor, stream), 0)
        << aclGetRecentErrMsg();
    ASSERT_EQ(aclrtSynchronizeStream(stream), 0) << aclGetRecentErrMsg();
    for (size_t i = 0; i < size; ++i)
      ASSERT_EQ(y[i], static_cast<float>(i) / 2) << i << " of " << size;
    aclDestroyTensor(x_tensor);
    aclDestroyTensor(y_tensor);
  }
  aclrtDestroyStream(stream);
}

}  // namespace
