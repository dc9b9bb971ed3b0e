// The recent error message: per thread, copied, bounded.
#include "cc/acl/internal/error_message.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "acl/acl_rt.h"
#include "cc/acl/internal/twin_runtime.h"

namespace attnres::acl {
namespace {

TEST(ErrorMessage, IsEmptyBeforeTheFirstErrorOfAThread) {
  aclTwinSetErrorMessage("of the main thread");
  std::string other = "not read";
  std::thread([&] { other = aclGetRecentErrMsg(); }).join();
  EXPECT_EQ(other, "");
  EXPECT_STREQ(aclGetRecentErrMsg(), "of the main thread");
}

TEST(ErrorMessage, ReadingKeepsIt) {
  aclTwinSetErrorMessage("kept");
  EXPECT_STREQ(aclGetRecentErrMsg(), "kept");
  EXPECT_STREQ(aclGetRecentErrMsg(), "kept");
}

TEST(ErrorMessage, TakesItselfAndNull) {
  aclTwinSetErrorMessage("again");
  aclTwinSetErrorMessage(aclGetRecentErrMsg());
  EXPECT_STREQ(aclGetRecentErrMsg(), "again");
  aclTwinSetErrorMessage(nullptr);
  EXPECT_STREQ(aclGetRecentErrMsg(), "");
}

TEST(ErrorMessage, CutsALongOne) {
  aclTwinSetErrorMessage(std::string(5000, 'x').c_str());
  EXPECT_EQ(std::string(aclGetRecentErrMsg()), std::string(2047, 'x'));
}

TEST(ErrorMessage, ReportGivesCodeAndText) {
  EXPECT_EQ(ReportError(100000, "size is %d: expected %d", 3, 4), 100000);
  EXPECT_STREQ(aclGetRecentErrMsg(), "size is 3: expected 4");
  EXPECT_EQ(Report(Error{}), 0);
  EXPECT_STREQ(aclGetRecentErrMsg(), "size is 3: expected 4");
}

}  // namespace
}  // namespace attnres::acl
