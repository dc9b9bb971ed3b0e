// Log levels and destinations. The variables are read once in a process, so every case
// runs in a child of its own.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "acl/acl_base.h"
#include "cc/acl/internal/twin_runtime.h"

namespace {

struct Output {
  std::string to_stdout;
  std::string to_stderr;
};

std::string ReadAll(int descriptor) {
  std::string text;
  char buffer[512];
  for (ssize_t count; (count = read(descriptor, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<size_t>(count));
  }
  close(descriptor);
  return text;
}

// What a process with these variables (null: unset) writes when it logs one line of each level.
Output LogInChild(const char* level, const char* print) {
  int out[2];
  int err[2];
  EXPECT_EQ(pipe(out), 0);
  EXPECT_EQ(pipe(err), 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    unsetenv("ASCEND_GLOBAL_LOG_LEVEL");
    unsetenv("ASCEND_SLOG_PRINT_TO_STDOUT");
    if (level != nullptr) setenv("ASCEND_GLOBAL_LOG_LEVEL", level, 1);
    if (print != nullptr) setenv("ASCEND_SLOG_PRINT_TO_STDOUT", print, 1);
    aclTwinLog(ACL_DEBUG, "unit", "line 0");
    aclTwinLog(ACL_INFO, "unit", "line 1");
    aclTwinLog(ACL_WARNING, "unit", "line 2");
    ACL_APP_LOG(ACL_ERROR, "line %d", 3);
    _exit(0);
  }
  close(out[1]);
  close(err[1]);
  Output output{ReadAll(out[0]), ReadAll(err[0])};
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  return output;
}

bool Has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(Log, WritesNothingWhenNobodyAsks) {
  const Output output = LogInChild(nullptr, nullptr);
  EXPECT_EQ(output.to_stdout, "");
  EXPECT_EQ(output.to_stderr, "");
}

TEST(Log, WritesToStderrFromTheLevelOn) {
  const Output output = LogInChild("1", nullptr);
  EXPECT_EQ(output.to_stdout, "");
  EXPECT_FALSE(Has(output.to_stderr, "line 0"));
  EXPECT_TRUE(Has(output.to_stderr, "[INFO] ATTNRES"));
  EXPECT_TRUE(Has(output.to_stderr, "[unit] line 1\n"));
  EXPECT_TRUE(Has(output.to_stderr, "line 2"));
  EXPECT_TRUE(Has(output.to_stderr, "log_test.cc"));
  EXPECT_TRUE(Has(output.to_stderr, "line 3"));
}

TEST(Log, WritesErrorsAloneToStdoutWhenOnlyThePrintIsAskedFor) {
  const Output output = LogInChild(nullptr, "1");
  EXPECT_EQ(output.to_stderr, "");
  EXPECT_FALSE(Has(output.to_stdout, "line 2"));
  EXPECT_TRUE(Has(output.to_stdout, "line 3"));
}

TEST(Log, TakesAnUnknownLevelAsError) {
  const Output output = LogInChild("loud", nullptr);
  EXPECT_FALSE(Has(output.to_stderr, "line 2"));
  EXPECT_TRUE(Has(output.to_stderr, "line 3"));
}

TEST(Log, LevelCanBeOverridden) {
  aclTwinSetLogLevel(ACL_WARNING);
  EXPECT_EQ(aclTwinLogEnabled(ACL_INFO), 0);
  EXPECT_EQ(aclTwinLogEnabled(ACL_WARNING), 1);
  aclTwinSetLogLevel(ACL_DEBUG);
  EXPECT_EQ(aclTwinLogEnabled(ACL_DEBUG), 1);
  aclTwinSetLogLevel(-1);
}

}  // namespace
