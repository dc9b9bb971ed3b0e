// Mutations as options, call sites as JSON.
#include "cc/aclnn/check_mutation.h"

#include <gtest/gtest.h>

#include <string>

#include "cc/ascendc/checks/options.h"

namespace attnres::aclnn {
namespace {

using checks::CallKind;
using checks::CheckOptions;
using checks::CopyField;

TEST(CheckMutation, IsReadFromOptions) {
  CheckOptions check;
  EXPECT_TRUE(ReadMutationOption({"call_sites", "true"}, &check).ok());
  EXPECT_TRUE(ReadMutationOption({"mutate", "copy@a/b.h:12:9"}, &check).ok());
  EXPECT_TRUE(ReadMutationOption({"mutate_use", "3@a/c.h:7:5"}, &check).ok());
  EXPECT_TRUE(ReadMutationOption({"mutate_copy", "src_gap-32"}, &check).ok());
  EXPECT_TRUE(check.record_call_sites);
  EXPECT_EQ(check.mutation.site.kind, CallKind::kCopy);
  EXPECT_EQ(check.mutation.site.place.file, "a/b.h");
  EXPECT_EQ(check.mutation.site.place.line, 12u);
  EXPECT_EQ(check.mutation.site.place.column, 9u);
  EXPECT_EQ(check.mutation.site.ordinal, 3u);
  EXPECT_EQ(check.mutation.site.after.file, "a/c.h");
  EXPECT_EQ(check.mutation.site.after.line, 7u);
  EXPECT_EQ(check.mutation.field, CopyField::kSrcGap);
  EXPECT_EQ(check.mutation.delta, -32);
  EXPECT_TRUE(ReadMutationOption({"mutate_copy", "dst_offset+4"}, &check).ok());
  EXPECT_EQ(check.mutation.field, CopyField::kDstOffset);
  EXPECT_EQ(check.mutation.delta, 4);
}

TEST(CheckMutation, FaultsSayWhatIsExpected) {
  CheckOptions check;
  for (const char* text : {"", "copy", "copy@", "copy@a.h:1", "copy@:1:2", "jump@a.h:1:2",
                           "copy@a.h:x:2", "copy@a.h:1:"}) {
    EXPECT_EQ(std::string(ReadMutationOption({"mutate", text}, &check).message),
              "mutate is '" + std::string(text) +
                  "': expected KIND@FILE:LINE:COLUMN, e.g. set_flag@kernel.cpp:120:9");
  }
  for (const char* text : {"", "1", "0@a.h:1:2", "x@", "1@a.h"}) {
    EXPECT_FALSE(ReadMutationOption({"mutate_use", text}, &check).ok()) << text;
  }
  for (const char* text : {"", "block_bytes", "block_bytes+", "blocks+1", "src_gap+-1"}) {
    EXPECT_FALSE(ReadMutationOption({"mutate_copy", text}, &check).ok()) << text;
  }
  EXPECT_FALSE(ReadMutationOption({"call_sites", "yes"}, &check).ok());
  EXPECT_FALSE(IsMutationOption("orders"));
}

TEST(CheckMutation, CallSitesAsJson) {
  EXPECT_EQ(CallSitesJson({}), "[]");
  EXPECT_EQ(CallSitesJson({{CallKind::kSetFlag, {"a.h", 1, 2}, 1, {}, {}, 0},
                           {CallKind::kCopy, {"a.h", 3, 4}, 2, {"b.h", 5, 6}, {"x", "y"}, 7}}),
            "[{\"kind\":\"set_flag\",\"place\":{\"file\":\"a.h\",\"line\":1,\"column\":2},"
            "\"ordinal\":1,\"after\":null,\"tensors\":[],\"most_blocks\":0},"
            "{\"kind\":\"copy\",\"place\":{\"file\":\"a.h\",\"line\":3,\"column\":4},"
            "\"ordinal\":2,\"after\":{\"file\":\"b.h\",\"line\":5,\"column\":6},"
            "\"tensors\":[\"x\",\"y\"],\"most_blocks\":7}]");
}

}  // namespace
}  // namespace attnres::aclnn
