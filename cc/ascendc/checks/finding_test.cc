// Findings as text and JSON, and that a list keeps each once.
#include "cc/ascendc/checks/finding.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace attnres::checks {
namespace {

Finding Sample() {
  Finding finding;
  finding.category = "race";
  finding.rule = "ub-race";
  finding.sentence = "a \"sentence\"\n";
  finding.instruction = "Add";
  finding.operand = "src";
  finding.core = 3;
  finding.pipe = "vector";
  finding.buffer = "UB buffer 1, made at k.h:5";
  finding.begin = 32;
  finding.end = 64;
  finding.place = {"k.h", 12, 4};
  finding.other_place = {"k.h", 10, 1};
  finding.other_pipe = "copy-in";
  return finding;
}

TEST(Finding, Text) {
  Finding finding = Sample();
  finding.sentence = "a sentence";
  finding.count = 7;
  EXPECT_EQ(ToText(finding),
            "k.h:12: race [ub-race]: a sentence\n"
            "  core 3, vector pipe, Add src, UB buffer 1, made at k.h:5, bytes 32 to 63\n"
            "  other: k.h:10, copy-in pipe\n"
            "  seen 7 times");
  Finding bare;
  bare.category = "memory";
  bare.rule = "too-many-blocks";
  bare.sentence = "too many";
  EXPECT_EQ(ToText(bare), "an unknown place: memory [too-many-blocks]: too many\n  core 0");
}

TEST(Finding, Json) {
  EXPECT_EQ(ToJson(std::vector<Finding>{}), "[]");
  EXPECT_EQ(ToJson(std::vector<Finding>{Sample()}),
            "[{\"category\":\"race\",\"rule\":\"ub-race\","
            "\"sentence\":\"a \\\"sentence\\\"\\u000a\",\"instruction\":\"Add\","
            "\"operand\":\"src\",\"core\":3,\"pipe\":\"vector\","
            "\"buffer\":\"UB buffer 1, made at k.h:5\",\"begin\":32,\"end\":64,"
            "\"place\":{\"file\":\"k.h\",\"line\":12,\"column\":4},"
            "\"other_place\":{\"file\":\"k.h\",\"line\":10,\"column\":1},"
            "\"other_pipe\":\"copy-in\",\"count\":1}]");
  EXPECT_NE(ToJson(Finding()).find("\"place\":null"), std::string::npos);
}

TEST(FindingList, KeepsEachOnceAndTheLowestCore) {
  FindingList list(10);
  list.Add(Sample());
  EXPECT_TRUE(list.Repeated("ub-race", {"k.h", 12, 4}, {"k.h", 10, 1}));
  EXPECT_FALSE(list.Repeated("ub-race", {"k.h", 12, 4}, {"k.h", 11, 1}));
  EXPECT_FALSE(list.Repeated("gm-race", {"k.h", 12, 4}, {"k.h", 10, 1}));
  Finding lower = Sample();
  lower.core = 1;
  list.Add(lower);
  const std::vector<Finding> findings = list.Take();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].count, 3u);
  EXPECT_EQ(findings[0].core, 1u);
}

TEST(FindingList, IsSortedByCategoryAndPlaceAndHoldsTheMostItMay) {
  FindingList list(2);
  list.Add(Sample());
  Finding memory = Sample();
  memory.category = "memory";
  memory.place.line = 99;
  list.Add(memory);
  memory.place.line = 98;
  list.Add(memory);
  EXPECT_TRUE(list.Repeated("ub-race", {"k.h", 1, 1}, {"k.h", 1, 1}));
  EXPECT_EQ(list.dropped(), 2u);
  const std::vector<Finding> findings = list.Take();
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].category, "memory");
  EXPECT_EQ(findings[1].category, "race");
}

TEST(Sort, RacesOfWhichBothPlacesAreKnownComeFirst) {
  Finding later = Sample();
  later.place.line = 99;
  Finding half_known = Sample();
  half_known.other_place = {};
  Finding unknown = Sample();
  unknown.place = {};
  std::vector<Finding> findings = {unknown, half_known, later, Sample()};
  Sort(&findings);
  EXPECT_EQ(findings[0].place.line, 12u);
  EXPECT_EQ(findings[1].place.line, 99u);
  EXPECT_EQ(findings[2].other_place.file, "");
  EXPECT_EQ(findings[3].place.file, "");
}

}  // namespace
}  // namespace attnres::checks
