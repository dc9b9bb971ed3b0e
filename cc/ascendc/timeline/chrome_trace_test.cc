#include "cc/ascendc/timeline/chrome_trace.h"

#include <gtest/gtest.h>

#include <string>

#include "cc/ascendc/timeline/testing/fake_core.h"
#include "cc/ascendc/timeline/timeline.h"

namespace attnres::timeline {
namespace {

size_t Count(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

class ChromeTraceTest : public testing::Test {
 protected:
  // Each core: copy, 5 additions, copy.
  std::string Trace(uint32_t cores, const TraceOptions& options) {
    Timeline timeline(profile_);
    for (uint32_t block = 0; block < cores; ++block) {
      FakeCore core(timeline, block);
      core.CopyIn(1, 1000);
      core.Set(2, FakeCore::kIn, FakeCore::kV);
      core.Wait(3, FakeCore::kIn, FakeCore::kV);
      for (int i = 0; i < 5; ++i) core.Vector(4, 10, 1024 * i, 8192);
      core.End();
    }
    EXPECT_EQ(timeline.Finish().error, "");
    return timeline.TraceText(options);
  }

  CostProfile profile_ = PlainProfile();
};

TEST_F(ChromeTraceTest, HasEveryInstructionAndOneArrow) {
  const std::string trace = Trace(1, {});
  EXPECT_EQ(Count(trace, "\"cat\":\"copy\""), 1u);
  EXPECT_EQ(Count(trace, "\"cat\":\"vector\""), 5u);
  EXPECT_EQ(Count(trace, "\"ph\":\"s\""), 1u);
  EXPECT_EQ(Count(trace, "\"ph\":\"f\""), 1u);
  // The third addition: after the copy's 100 ns and two more additions.
  EXPECT_NE(trace.find("\"ts\":0.1200,\"dur\":0.0100,\"args\":{\"line\":\"kernel.cpp:4\"}"),
            std::string::npos)
      << trace;
}

// The second run's instruction waits for a result of the first before the scalar unit has issued
// it.
TEST_F(ChromeTraceTest, ARunThatIsLateForItsFirstResultEndsWhereThePipeDoes) {
  profile_.vector_drain_cycles = 16;
  profile_.scalar_ub_cycles = 12;
  Timeline timeline(profile_);
  FakeCore core(timeline, 0);
  core.Vector(1, 10, 0, 8192);
  core.Set(2, FakeCore::kV, FakeCore::kOut);
  core.ReadScalar(3, 16384);
  core.Vector(4, 10, 1024, 0);
  core.End();
  EXPECT_EQ(timeline.Finish().cycles, 10 + 16 + 10 + 16);
  EXPECT_NE(timeline.TraceText({}).find("\"ts\":0.0260,\"dur\":0.0100"), std::string::npos);
}

TEST_F(ChromeTraceTest, WritesAFewCoresSpreadOverAll) {
  const std::string trace = Trace(8, {2, 1000});
  EXPECT_EQ(Count(trace, "\"name\":\"core 0\""), 1u);
  EXPECT_EQ(Count(trace, "\"name\":\"core 7\""), 1u);
  EXPECT_EQ(Count(trace, "\"process_name\""), 2u);
}

TEST_F(ChromeTraceTest, ManyInstructionsBecomeOneEvent) {
  const std::string trace = Trace(1, {1, 8});
  EXPECT_EQ(Count(trace, "\"name\":\"5 instructions\""), 1u);
  EXPECT_EQ(Count(trace, "\"name\":\"Add\""), 0u);
}

}  // namespace
}  // namespace attnres::timeline
