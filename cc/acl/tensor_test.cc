// aclTensor: what creation accepts and refuses, and what the getters give back.
#include "cc/acl/internal/tensor.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"
#include "opdev/op_errno.h"

namespace attnres::acl {
namespace {

using Dims = std::vector<int64_t>;

aclTensor* Create(const Dims& dims, const Dims* strides, int64_t offset, const Dims* storage,
                  void* data = nullptr) {
  return aclCreateTensor(dims.data(), dims.size(), ACL_FLOAT16,
                         strides == nullptr ? nullptr : strides->data(), offset, ACL_FORMAT_ND,
                         storage == nullptr ? nullptr : storage->data(),
                         storage == nullptr ? 0 : storage->size(), data);
}

Dims Taken(int64_t* values, uint64_t count) {
  Dims dims(values, values + count);
  delete[] values;
  return dims;
}

TEST(Tensor, GettersGiveWhatCreationGot) {
  const Dims strides = {40, 2};
  const Dims storage = {10, 20};
  int element = 0;
  aclTensor* tensor = Create({2, 5}, &strides, 3, &storage, &element);
  ASSERT_NE(tensor, nullptr);
  int64_t* values = nullptr;
  uint64_t count = 0;
  ASSERT_EQ(aclGetViewShape(tensor, &values, &count), 0);
  EXPECT_EQ(Taken(values, count), (Dims{2, 5}));
  ASSERT_EQ(aclGetViewStrides(tensor, &values, &count), 0);
  EXPECT_EQ(Taken(values, count), strides);
  ASSERT_EQ(aclGetStorageShape(tensor, &values, &count), 0);
  EXPECT_EQ(Taken(values, count), storage);
  int64_t offset = 0;
  ASSERT_EQ(aclGetViewOffset(tensor, &offset), 0);
  EXPECT_EQ(offset, 3);
  aclDataType dtype;
  ASSERT_EQ(aclGetDataType(tensor, &dtype), 0);
  EXPECT_EQ(dtype, ACL_FLOAT16);
  aclFormat format;
  ASSERT_EQ(aclGetFormat(tensor, &format), 0);
  EXPECT_EQ(format, ACL_FORMAT_ND);
  void* address = nullptr;
  ASSERT_EQ(aclGetRawTensorAddr(tensor, &address), 0);
  EXPECT_EQ(address, &element);
  ASSERT_EQ(aclSetRawTensorAddr(tensor, nullptr), 0);
  aclGetRawTensorAddr(tensor, &address);
  EXPECT_EQ(address, nullptr);
  EXPECT_EQ(aclDestroyTensor(tensor), 0);
}

TEST(Tensor, NullStridesAreContiguousAndNullStorageIsTheReach) {
  aclTensor* tensor = Create({2, 3, 4}, nullptr, 5, nullptr);
  ASSERT_NE(tensor, nullptr);
  int64_t* values = nullptr;
  uint64_t count = 0;
  aclGetViewStrides(tensor, &values, &count);
  EXPECT_EQ(Taken(values, count), (Dims{12, 4, 1}));
  aclGetStorageShape(tensor, &values, &count);
  EXPECT_EQ(Taken(values, count), (Dims{29}));
  EXPECT_TRUE(FromHandle(tensor)->IsContiguous());
  aclDestroyTensor(tensor);
}

TEST(Tensor, Contiguity) {
  const struct {
    Dims dims;
    Dims strides;
    bool contiguous;
  } cases[] = {
      {{2, 3}, {3, 1}, true},  {{2, 3}, {1, 2}, false},
      {{2, 3}, {6, 2}, false}, {{1, 3}, {99, 1}, true},  // a dimension of 1 has no stride
      {{2, 3}, {0, 0}, false},                           // expanded
      {{2, 0}, {7, 7}, true},                            // nothing to lie anywhere
      {{}, {}, true},
  };
  for (const auto& test : cases) {
    aclTensor* tensor = Create(test.dims, &test.strides, 0, nullptr);
    ASSERT_NE(tensor, nullptr);
    EXPECT_EQ(FromHandle(tensor)->IsContiguous(), test.contiguous)
        << testing::PrintToString(test.strides);
    aclDestroyTensor(tensor);
  }
}

TEST(Tensor, RefusesNonsense) {
  const Dims huge_strides = {INT64_MAX, 1};
  const Dims negative_storage = {-1};
  EXPECT_EQ(Create({2, -1}, nullptr, 0, nullptr), nullptr);
  EXPECT_STREQ(aclGetRecentErrMsg(), "viewDims[1] is -1: expected 0 or more");
  EXPECT_EQ(Create({2, 3}, nullptr, -1, nullptr), nullptr);
  EXPECT_EQ(Create(Dims(26, 1), nullptr, 0, nullptr), nullptr);
  EXPECT_STREQ(aclGetRecentErrMsg(), "viewDimsNum is 26: expected at most 25");
  EXPECT_EQ(Create({INT64_MAX, 2}, nullptr, 0, nullptr), nullptr);
  EXPECT_EQ(Create({3, 1}, &huge_strides, 0, nullptr), nullptr);
  EXPECT_EQ(Create({3}, nullptr, 0, &negative_storage), nullptr);
  EXPECT_EQ(aclCreateTensor(nullptr, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, nullptr),
            nullptr);
  EXPECT_STREQ(aclGetRecentErrMsg(), "viewDims is null");
}

TEST(Tensor, EmptyOnesMayHaveAnyOtherDimension) {
  aclTensor* tensor = Create({INT64_MAX, 0, INT64_MAX}, nullptr, 0, nullptr);
  ASSERT_NE(tensor, nullptr);
  EXPECT_EQ(FromHandle(tensor)->element_count(), 0);
  aclDestroyTensor(tensor);
}

TEST(Tensor, NullsAreErrors) {
  int64_t* values = nullptr;
  uint64_t count = 0;
  aclDataType dtype;
  EXPECT_EQ(aclDestroyTensor(nullptr), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclGetViewShape(nullptr, &values, &count), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclGetViewStrides(nullptr, &values, &count), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclGetStorageShape(nullptr, &values, &count), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclGetDataType(nullptr, &dtype), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclSetRawTensorAddr(nullptr, nullptr), ACLNN_ERR_PARAM_NULLPTR);
  aclTensor* tensor = Create({2}, nullptr, 0, nullptr);
  EXPECT_EQ(aclGetViewShape(tensor, nullptr, &count), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclGetDataType(tensor, nullptr), ACLNN_ERR_PARAM_NULLPTR);
  aclDestroyTensor(tensor);
}

}  // namespace
}  // namespace attnres::acl
