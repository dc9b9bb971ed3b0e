// Buffers: reused by size, the newest first, and bounded while they wait.
#include "cc/bindings/result_memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace attnres::bindings {
namespace {

constexpr size_t kMiB = 1 << 20;

TEST(ResultMemory, ServesWhatWasGivenBackLast) {
  ResultMemory memory(100 * kMiB);
  void* first = memory.Take(kMiB);
  void* second = memory.Take(kMiB);
  ASSERT_NE(first, nullptr);
  ASSERT_NE(second, nullptr);
  EXPECT_NE(first, second);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % 4096, 0u);
  std::memset(first, 1, kMiB);
  memory.Give(first, kMiB);
  memory.Give(second, kMiB);
  EXPECT_EQ(memory.Take(kMiB), second);
  EXPECT_EQ(memory.Take(kMiB), first);
  EXPECT_EQ(static_cast<unsigned char*>(first)[kMiB - 1], 1) << "the very memory, not zeroed anew";
  EXPECT_EQ(memory.waiting_bytes(), 0u);
  memory.Give(first, kMiB);
  memory.Give(second, kMiB);
}

TEST(ResultMemory, AnotherSizeIsFresh) {
  ResultMemory memory(100 * kMiB);
  void* first = memory.Take(kMiB);
  memory.Give(first, kMiB);
  void* larger = memory.Take(kMiB + 1);
  EXPECT_NE(larger, first);
  EXPECT_EQ(memory.waiting_bytes(), kMiB);
  memory.Give(larger, kMiB + 1);
  EXPECT_EQ(memory.Take(kMiB - 1), first) << "the same number of pages";
  memory.Give(first, kMiB - 1);
}

TEST(ResultMemory, NoMoreWaitsThanTheBound) {
  ResultMemory memory(2 * kMiB);
  std::vector<void*> buffers;
  for (int i = 0; i < 4; ++i) buffers.push_back(memory.Take(kMiB));
  for (void* buffer : buffers) memory.Give(buffer, kMiB);
  EXPECT_EQ(memory.waiting_bytes(), 2 * kMiB);
  EXPECT_EQ(memory.Take(kMiB), buffers[3]);
  EXPECT_EQ(memory.Take(kMiB), buffers[2]);
  EXPECT_EQ(memory.waiting_bytes(), 0u);
  memory.Give(buffers[3], kMiB);
  memory.Give(buffers[2], kMiB);
  void* large = memory.Take(3 * kMiB);
  memory.Give(large, 3 * kMiB);
  EXPECT_EQ(memory.waiting_bytes(), 0u) << "larger than all that may wait";
}

TEST(ResultMemory, LargeBuffersLieOnHugePages) {
  ResultMemory memory(100 * kMiB);
  void* buffer = memory.Take(5 * kMiB);
  ASSERT_NE(buffer, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer) % (2 * kMiB), 0u);
  std::memset(buffer, 1, 6 * kMiB);  // whole pages
  memory.Give(buffer, 5 * kMiB);
  EXPECT_EQ(memory.waiting_bytes(), 6 * kMiB);
  EXPECT_EQ(memory.Take(6 * kMiB), buffer);
  memory.Give(buffer, 6 * kMiB);
}

TEST(ResultMemory, WhatTheSystemDoesNotHaveIsNull) {
  ResultMemory memory(kMiB);
  EXPECT_EQ(memory.Take(size_t{1} << 62), nullptr);
}

}  // namespace
}  // namespace attnres::bindings
