// Contract under test: a line carries place, operator and text; errors are kept for the caller.
#include "cc/host/log.h"

#include <string>

#include "cc/host/testing/log_sink.h"
#include "gtest/gtest.h"
#include "op_common/log/log.h"

namespace attnres {
namespace host {
namespace {

TEST(LogTest, LineHasPlaceOperatorAndText) {
  TakeLogLines();
  OP_LOGI("MyOp", "path=%s H=%d", "FULL_H", 64);
  const auto lines = TakeLogLines();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].level, kLogInfo);
  EXPECT_NE(lines[0].text.find("[log_test.cc:"), std::string::npos) << lines[0].text;
  EXPECT_NE(lines[0].text.find("OpName:[MyOp] path=FULL_H H=64"), std::string::npos)
      << lines[0].text;
}

TEST(LogTest, KeepsErrorsUntilTheyAreTaken) {
  TakeError();
  OP_LOGI("MyOp", "no error");
  EXPECT_EQ(TakeError(), "");
  OP_LOGE("MyOp", "N is %d", 129);
  EXPECT_EQ(RecentErrorMessage(), "N is 129");
  OP_LOGE("MyOp", "second");
  EXPECT_EQ(TakeError(), "N is 129; second");
  EXPECT_EQ(TakeError(), "");
}

TEST(LogTest, LongTextIsNotCut) {
  TakeLogLines();
  OP_LOGW("MyOp", "%s", std::string(5000, 'x').c_str());
  EXPECT_GT(TakeLogLines()[0].text.size(), 5000u);
}

TEST(ToStringTest, NamesTypesFormatsAndShapes) {
  EXPECT_EQ(Ops::Base::ToString(ge::DT_BF16), "DT_BF16");
  EXPECT_EQ(Ops::Base::ToString(static_cast<ge::DataType>(99)), "99");
  EXPECT_EQ(Ops::Base::ToString(ge::FORMAT_ND), "ND");
  EXPECT_EQ(Ops::Base::ToString(gert::Shape{2, -1, 64}), "[2, -1, 64]");
  EXPECT_EQ(Ops::Base::ToString(gert::Shape{}), "[]");
}

}  // namespace
}  // namespace host
}  // namespace attnres
