// Buffers that follow, contain and replace each other.
#include "cc/ascendc/checks/ub_buffers.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace attnres::checks {
namespace {

TEST(UbBuffers, NamesAndEnds) {
  UbBuffers buffers(1024);
  EXPECT_EQ(buffers.Name(0), "UB");
  EXPECT_EQ(buffers.EndOf(0), 0u);
  buffers.Make(0, 64, {"k.h", 1, 1});
  buffers.Make(64, 256, {"k.h", 2, 1});
  buffers.Make(96, 32, {"k.h", 3, 1});  // a part of the one before
  EXPECT_EQ(buffers.Name(63), "UB buffer 0, made at k.h:1");
  EXPECT_EQ(buffers.Name(64), "UB buffer 1, made at k.h:2");
  EXPECT_EQ(buffers.Name(96), "UB buffer 2, made at k.h:3");
  EXPECT_EQ(buffers.Name(128), "UB buffer 1, made at k.h:2");
  EXPECT_EQ(buffers.EndOf(32), 64u);
  EXPECT_EQ(buffers.EndOf(100), 320u);
  EXPECT_EQ(buffers.EndOf(320), 0u);
}

TEST(UbBuffers, AreGoneAfterAReset) {
  UbBuffers buffers(1024);
  buffers.Make(0, 64, {"k.h", 1, 1});
  buffers.Reset();
  EXPECT_EQ(buffers.EndOf(0), 0u);
  EXPECT_EQ(buffers.Name(0), "UB buffer 0, made at k.h:1");  // as an older access saw it
  buffers.Make(0, 32, {"k.h", 2, 1});
  EXPECT_EQ(buffers.Name(0), "UB buffer 1, made at k.h:2");
  EXPECT_EQ(buffers.EndOf(0), 32u);
  EXPECT_EQ(buffers.At(2), nullptr);
}

}  // namespace
}  // namespace attnres::checks
