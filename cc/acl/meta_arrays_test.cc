// Scalars, arrays and tensor lists: created, measured, destroyed, and refused.
#include <gtest/gtest.h>

#include "aclnn/acl_meta.h"
#include "opdev/op_errno.h"

namespace {

TEST(MetaArrays, LiveAndEnd) {
  const int64_t integers[] = {1, 2, 3};
  const float floats[] = {1.0f, 2.0f};
  const bool bools[] = {true};
  uint64_t size = 0;
  aclIntArray* int_array = aclCreateIntArray(integers, 3);
  EXPECT_EQ(aclGetIntArraySize(int_array, &size), 0);
  EXPECT_EQ(size, 3u);
  EXPECT_EQ(aclDestroyIntArray(int_array), 0);
  aclFloatArray* float_array = aclCreateFloatArray(floats, 2);
  EXPECT_EQ(aclGetFloatArraySize(float_array, &size), 0);
  EXPECT_EQ(size, 2u);
  EXPECT_EQ(aclDestroyFloatArray(float_array), 0);
  aclBoolArray* bool_array = aclCreateBoolArray(bools, 1);
  EXPECT_EQ(aclGetBoolArraySize(bool_array, &size), 0);
  EXPECT_EQ(size, 1u);
  EXPECT_EQ(aclDestroyBoolArray(bool_array), 0);
  float value = 2.0f;
  aclScalar* scalar = aclCreateScalar(&value, ACL_FLOAT);
  ASSERT_NE(scalar, nullptr);
  EXPECT_EQ(aclDestroyScalar(scalar), 0);
}

TEST(MetaArrays, ListOwnsItsTensors) {
  const int64_t dims[] = {2};
  const aclTensor* tensors[] = {
      aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, nullptr), nullptr};
  aclTensorList* list = aclCreateTensorList(tensors, 2);
  uint64_t size = 0;
  EXPECT_EQ(aclGetTensorListSize(list, &size), 0);
  EXPECT_EQ(size, 2u);
  EXPECT_EQ(aclDestroyTensorList(list), 0);
}

TEST(MetaArrays, NullsAreErrors) {
  uint64_t size = 0;
  EXPECT_EQ(aclCreateIntArray(nullptr, 1), nullptr);
  EXPECT_EQ(aclCreateScalar(nullptr, ACL_FLOAT), nullptr);
  int value = 0;
  EXPECT_EQ(aclCreateScalar(&value, ACL_STRING), nullptr);
  EXPECT_EQ(aclGetIntArraySize(nullptr, &size), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclDestroyIntArray(nullptr), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclDestroyFloatArray(nullptr), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclDestroyBoolArray(nullptr), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclDestroyScalar(nullptr), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclDestroyTensorList(nullptr), ACLNN_ERR_PARAM_NULLPTR);
}

}  // namespace
