// Memory: alignment, copies, and every wrong call.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "acl/acl_rt.h"

namespace {

TEST(Memory, BlocksAreAlignedAndWritable) {
  for (const size_t size : {size_t{1}, size_t{511}, size_t{4096}, size_t{9} << 20}) {
    void* block = nullptr;
    ASSERT_EQ(aclrtMalloc(&block, size, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS) << size;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 512, 0u) << size;
    ASSERT_EQ(aclrtMemset(block, size, 0x5a, size), ACL_SUCCESS) << size;
    EXPECT_EQ(static_cast<unsigned char*>(block)[size - 1], 0x5a) << size;
    EXPECT_EQ(aclrtFree(block), ACL_SUCCESS) << size;
  }
}

TEST(Memory, CopiesInEveryDirection) {
  void* device = nullptr;
  void* host = nullptr;
  ASSERT_EQ(aclrtMalloc(&device, 8, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocHost(&host, 8), ACL_SUCCESS);
  memcpy(host, "1234567", 8);
  ASSERT_EQ(aclrtMemcpy(device, 8, host, 8, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  memset(host, 0, 8);
  ASSERT_EQ(aclrtMemcpyAsync(host, 8, device, 8, ACL_MEMCPY_DEVICE_TO_HOST, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_STREQ(static_cast<char*>(host), "1234567");
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
}

TEST(Memory, WrongCallsAreErrors) {
  void* block = nullptr;
  EXPECT_EQ(aclrtMalloc(nullptr, 8, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMalloc(&block, 0, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
  EXPECT_STREQ(aclGetRecentErrMsg(), "size is 0: expected 1 or more");
  EXPECT_EQ(aclrtMalloc(&block, SIZE_MAX / 4, ACL_MEM_MALLOC_HUGE_FIRST),
            ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(aclrtMalloc(&block, SIZE_MAX, ACL_MEM_MALLOC_HUGE_FIRST),
            ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(block, nullptr);
  EXPECT_EQ(aclrtFree(nullptr), ACL_ERROR_INVALID_PARAM);

  char to[4] = {};
  const char from[4] = {1, 2, 3, 4};
  EXPECT_EQ(aclrtMemcpy(nullptr, 4, from, 4, ACL_MEMCPY_DEFAULT), ACL_ERROR_INVALID_PARAM);
  EXPECT_STREQ(aclGetRecentErrMsg(), "dst is null");
  EXPECT_EQ(aclrtMemcpy(to, 4, nullptr, 4, ACL_MEMCPY_DEFAULT), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy(to, 3, from, 4, ACL_MEMCPY_DEFAULT), ACL_ERROR_INVALID_PARAM);
  EXPECT_STREQ(aclGetRecentErrMsg(), "count is 4: expected at most destMax (3)");
  EXPECT_EQ(aclrtMemcpy(to, 4, from, 4, static_cast<aclrtMemcpyKind>(77)), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemset(nullptr, 4, 0, 4), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemset(to, 3, 0, 4), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(to[0], 0);
  EXPECT_EQ(aclrtMemcpy(nullptr, 0, nullptr, 0, ACL_MEMCPY_DEFAULT), ACL_SUCCESS);
}

TEST(Memory, FreeingAnythingElseIsAnError) {
  void* block = nullptr;
  ASSERT_EQ(aclrtMalloc(&block, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(static_cast<char*>(block) + 8), ACL_ERROR_RT_MEMORY_FREE);
  EXPECT_EQ(aclrtFreeHost(block), ACL_ERROR_RT_MEMORY_FREE);
  EXPECT_EQ(aclrtFree(block), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(block), ACL_ERROR_RT_MEMORY_FREE) << "freed twice";
  int local = 0;
  EXPECT_EQ(aclrtFree(&local), ACL_ERROR_RT_MEMORY_FREE);
}

}  // namespace
