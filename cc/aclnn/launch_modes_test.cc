// A stream's mode: chosen by name, what it reports, and that run mode knows nothing of it.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "acl/acl_rt.h"
#include "cc/acl/internal/operator_registry.h"
#include "cc/acl/internal/twin_runtime.h"
#include "cc/aclnn/testing/scale_operator.h"
#include "opdev/op_errno.h"

namespace attnres::aclnn {
namespace {

std::string ReportText(aclrtStream stream) {
  AclTwinReport report;
  EXPECT_EQ(aclTwinGetStreamReport(stream, &report), 0);
  return std::string(report.text, report.text_bytes);
}

class LaunchModes : public ExecutorTest {
 protected:
  // 4 elements scaled; the synchronisation's code.
  int32_t Scale(int64_t factor, std::vector<float>* y) {
    std::vector<float> x = Count(4);
    const TensorPtr input = Tensor({4}, x.data());
    const TensorPtr output = Tensor({4}, y->data());
    EXPECT_EQ(Run(Prepare(input.get(), factor, output.get())), 0) << aclGetRecentErrMsg();
    return Synchronize();
  }

  std::string Refusal(const char* mode, const char* options) {
    EXPECT_EQ(aclTwinSetStreamMode(stream_, mode, options), ACL_ERROR_INVALID_PARAM);
    return aclGetRecentErrMsg();
  }
};

TEST_F(LaunchModes, CheckModeReportsAndComputes) {
  ASSERT_EQ(aclTwinSetStreamMode(stream_, "check", "auto_sync=false\norders=eager,late-out\n"), 0);
  EXPECT_EQ(ReportText(stream_), "");
  std::vector<float> y(4);
  ASSERT_EQ(Scale(3, &y), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(y, (std::vector<float>{3, 6, 9, 12}));
  EXPECT_EQ(ReportText(stream_),
            "{\"mode\":\"check\",\"arch\":2201,\"cores\":4,\"auto_sync\":false,"
            "\"orders\":[\"eager\",\"late-out\"],"
            "\"instructions\":{\"vector\":0,\"copy_in\":0,\"copy_out\":0,\"scalar\":8},"
            "\"findings\":[],\"dropped\":0,\"dumps\":[]}");
  AclTwinStats stats;
  ASSERT_EQ(aclTwinGetStreamStats(stream_, &stats), 0);
  EXPECT_EQ(stats.kernel_launches, 1u);
  EXPECT_STREQ(stats.isa, kIsa);
}

TEST_F(LaunchModes, TimeModeReportsAndComputes) {
  ASSERT_EQ(aclTwinSetStreamMode(stream_, "time", "trace_cores=2\ntrace_events=100\n"), 0);
  std::vector<float> y(4);
  ASSERT_EQ(Scale(3, &y), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(y, (std::vector<float>{3, 6, 9, 12}));
  const std::string text = ReportText(stream_);
  EXPECT_EQ(text.rfind("{\"mode\":\"time\",\"result\":{\"soc\":\"Ascend", 0), 0u) << text;
  EXPECT_NE(text.find("\"cores\":4,"), std::string::npos) << text;
  AclTwinReport report;
  ASSERT_EQ(aclTwinGetStreamReport(stream_, &report), 0);
  const std::string trace(static_cast<const char*>(report.data), report.data_bytes);
  EXPECT_EQ(trace.rfind("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", 0), 0u) << trace;
}

TEST_F(LaunchModes, RunModeReportsNothing) {
  std::vector<float> y(4);
  ASSERT_EQ(aclTwinSetStreamMode(stream_, "check", nullptr), 0);
  ASSERT_EQ(Scale(2, &y), 0);
  EXPECT_NE(ReportText(stream_), "");
  ASSERT_EQ(aclTwinSetStreamMode(stream_, "run", nullptr), 0);
  EXPECT_EQ(ReportText(stream_), "");
  ASSERT_EQ(Scale(3, &y), 0);
  EXPECT_EQ(ReportText(stream_), "");
}

TEST_F(LaunchModes, KernelThatFailsIsAFinding) {
  ASSERT_EQ(aclTwinSetStreamMode(stream_, "check", nullptr), 0);
  std::vector<float> y(4);
  EXPECT_EQ(Scale(kFailingFactor, &y), ACLNN_ERR_RUNTIME_ERROR);
  EXPECT_NE(ReportText(stream_).find("factor 99 is not for this kernel"), std::string::npos)
      << ReportText(stream_);
}

TEST_F(LaunchModes, FaultsSayWhatIsExpected) {
  EXPECT_EQ(Refusal("trace", nullptr).find("mode is 'trace': expected run or check"), 0u);
  EXPECT_EQ(Refusal(nullptr, nullptr), "mode is null");
  EXPECT_EQ(Refusal("check", "auto_sync=yes"), "auto_sync is 'yes': expected true or false");
  EXPECT_EQ(Refusal("check", "orders=eager,"),
            "orders is 'eager,': expected some of eager,late-in,late-out,late-vector,"
            "late-copies");
  for (const char* dump :
       {"dump=3", "dump=x@4", "dump=3@kernel.cpp", "dump=3@kernel.cpp:", "dump"}) {
    EXPECT_NE(Refusal("check", dump).find("expected BUFFER@LINE"), std::string::npos) << dump;
  }
  EXPECT_EQ(Refusal("check", "deep=1"),
            "mode check has no option 'deep': expected auto_sync, orders or dump");
  EXPECT_EQ(Refusal("time", "trace_cores=0"), "trace_cores is '0': expected a number from 1 on");
  EXPECT_EQ(Refusal("time", "orders=eager"),
            "mode time has no option 'orders': expected trace_cores, trace_events or past_l2");
  EXPECT_EQ(aclTwinSetStreamMode(stream_, "time", "past_l2=x,y"), 0);
  EXPECT_EQ(aclTwinSetStreamMode(stream_, "check", "dump=3@4\ndump=3@a/kernel.cpp:4"), 0);
  EXPECT_EQ(aclTwinGetStreamReport(stream_, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclTwinSetStreamMode(this, "run", nullptr), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(LaunchModes, OperatorWithoutObservedKernels) {
  ASSERT_EQ(aclTwinUnregisterOperator(&kScale), 0);
  AclTwinOperator plain = kScale;
  plain.observed_kernel_count = 0;
  ASSERT_EQ(aclTwinRegisterOperator(&plain), 0);
  ASSERT_EQ(aclTwinSetStreamMode(stream_, "check", nullptr), 0);
  std::vector<float> y(4);
  EXPECT_EQ(Scale(2, &y), ACLNN_ERR_RUNTIME_ERROR);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("has no kernel that can be observed"),
            std::string::npos)
      << aclGetRecentErrMsg();
  ASSERT_EQ(aclTwinUnregisterOperator(&plain), 0);
  ASSERT_EQ(aclTwinRegisterOperator(&kScale), 0);
}

}  // namespace
}  // namespace attnres::aclnn
