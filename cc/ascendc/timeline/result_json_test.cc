// What a result's JSON derives from it.
#include "cc/ascendc/timeline/result_json.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "cc/ascendc/timeline/cost_profile.h"
#include "cc/ascendc/timeline/result.h"

namespace attnres::timeline {
namespace {

double Value(const std::string& json, const std::string& key) {
  const std::string name = "\"" + key + "\":";
  const size_t at = json.find(name);
  EXPECT_NE(at, std::string::npos) << key << " in " << json;
  return at == std::string::npos ? 0 : std::atof(json.c_str() + at + name.size());
}

TEST(ResultJson, TheRooflinesPeakIsThatOfTheElements) {
  TimelineResult result;
  result.profile = FindCostProfile("ascend910b");
  result.cores = 2;
  result.core_cycles = {100, 100};
  result.cycles = 100;
  double peaks[2];
  for (const int bytes : {2, 4}) {
    result.vector_elements = 1000;
    result.vector_bytes = 1000.0 * bytes;
    const std::string json = ResultJson(result);
    EXPECT_EQ(Value(json, "element_bytes"), bytes);
    peaks[bytes / 4] = Value(json, "peak_elements_per_second");
  }
  EXPECT_GT(peaks[1], 0);
  EXPECT_EQ(peaks[0], 2 * peaks[1]);
}

}  // namespace
}  // namespace attnres::timeline
