// Prints what time mode says of each public measurement, as the table of docs/time_mode.md:
//   ./bazelw run //cc/ascendc/timeline/validation:validation [-- SOC]
#include <cstdio>
#include <cstring>

#include "cc/ascendc/timeline/validation/points.h"

int main(int argc, char** argv) {
  std::printf(
      "| SoC | point | measured us | model us | error | vector, measured | vector | sets |\n");
  std::printf("|---|---|---:|---:|---:|---:|---:|---|\n");
  for (const attnres::time_mode::Point& point : attnres::time_mode::Points()) {
    if (argc > 1 && std::strcmp(argv[1], point.soc) != 0) continue;
    const attnres::time_mode::Outcome outcome = attnres::time_mode::RunPoint(point);
    if (!outcome.error.empty()) {
      std::fprintf(stderr, "%s: %s\n", point.name.c_str(), outcome.error.c_str());
      return 1;
    }
    std::printf("| %s | %s | %.1f | %.1f | %+.1f %% | ", point.soc, point.name.c_str(),
                point.measured_us, outcome.microseconds,
                100 * (outcome.microseconds / point.measured_us - 1));
    if (point.measured_vector_us > 0) {
      std::printf("%.2f | %.2f", point.measured_vector_us, outcome.vector_us);
    } else {
      std::printf("|");
    }
    std::printf(" | %s |\n", point.calibrates);
    std::fflush(stdout);
  }
  return 0;
}
