// Instruction-set ranks: ordered, limited by ATTNRES_ISA, 0 for what is unknown.
#include "cc/aclnn/host_isa.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace attnres::aclnn {
namespace {

#if defined(__x86_64__)

// First in the file: the variable is read at the first question, and a child inherits the answer.
TEST(HostIsaVariable, LimitsIt) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("ATTNRES_ISA", "x86-64-v3", 1);
    _exit(IsaRank("x86-64-v4") == 0 && IsaRank("x86-64-v3") > 0 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

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
