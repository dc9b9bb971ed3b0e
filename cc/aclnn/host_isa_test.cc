// Instruction-set ranks: ordered, 0 for what is unknown. The one that ATTNRES_ISA asks for.
#include "cc/aclnn/host_isa.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace attnres::aclnn {
namespace {

// In children: the variable is read at the first question. A null value unsets it.
bool ForcedIs(const char* value, const char* expected) {
  const pid_t child = fork();
  if (child == 0) {
    if (value == nullptr) {
      unsetenv("ATTNRES_ISA");
    } else {
      setenv("ATTNRES_ISA", value, 1);
    }
    const char* forced = ForcedIsa();
    setenv("ATTNRES_ISA", "changed later", 1);
    const bool same =
        expected == nullptr ? forced == nullptr : forced != nullptr && !strcmp(forced, expected);
    _exit(same ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status == 0;
}

TEST(ForcedIsa, IsTheVariableAtTheFirstQuestion) {
  EXPECT_TRUE(ForcedIs("x86-64-v3", "x86-64-v3"));
  EXPECT_TRUE(ForcedIs("no such thing", "no such thing")) << "whoever uses it says what is wrong";
  EXPECT_TRUE(ForcedIs("", nullptr));
  EXPECT_TRUE(ForcedIs(nullptr, nullptr));
}

#if defined(__x86_64__)

TEST(HostIsa, AWiderOneRanksHigherWhereItRuns) {
  ASSERT_GT(IsaRank("x86-64-v3"), 0) << "the build targets x86-64-v3 and better";
  if (IsaRank("x86-64-v4") != 0) {
    EXPECT_GT(IsaRank("x86-64-v4"), IsaRank("x86-64-v3"));
  }
}

#endif

TEST(HostIsa, UnknownIsRuledOut) {
  EXPECT_EQ(IsaRank("x86-64-v9"), 0);
  EXPECT_EQ(IsaRank(""), 0);
}

}  // namespace
}  // namespace attnres::aclnn
