#include "examples/aclnn_caller/result_check.h"

#include <cmath>
#include <cstddef>
#include <cstdio>

bool HasValues(const char* name, const DeviceTensor& result, const std::vector<double>& expected,
               Tolerance tolerance) {
  std::vector<float> actual;
  if (!result.Read(&actual)) return false;
  size_t right = 0;
  char first_wrong[96] = "";
  for (size_t i = 0; i < actual.size(); ++i) {
    const double limit = std::fabs(expected[i]) * tolerance.relative + tolerance.absolute;
    // Not so for a NaN.
    if (std::fabs(actual[i] - expected[i]) <= limit) {
      ++right;
    } else if (first_wrong[0] == '\0') {
      std::snprintf(first_wrong, sizeof(first_wrong), "; element %zu is %.9g, expected %.9g", i,
                    static_cast<double>(actual[i]), expected[i]);
    }
  }
  std::printf("%-18s %zu of %zu values are right%s\n", name, right, actual.size(), first_wrong);
  return right == actual.size();
}
