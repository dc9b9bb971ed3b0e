// The public measurements that time mode is compared with, and the launches that repeat them.
// Sources: READMEs of the examples add_high_performance, data_copy and gelu_high_performance of
// asc-devkit (examples/01_simd_cpp_api/05_best_practices), whose kernels were written anew from the
// text.
#ifndef CC_ASCENDC_TIMELINE_VALIDATION_POINTS_H_
#define CC_ASCENDC_TIMELINE_VALIDATION_POINTS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace attnres::time_mode {

struct Point {
  std::string name;
  const char* soc;
  double measured_us;
  double measured_vector_us;  // the vector unit's; 0: not given
  // The figure of the profile that was set by this point; "" where none was.
  const char* calibrates;
};

struct Outcome {
  double microseconds = 0;
  double vector_us = 0;
  double copy_in_us = 0;
  std::string error;
};

// All of them, in the order in which docs/time_mode.md lists them.
std::vector<Point> Points();

// Runs the kernel of a point in time mode. 400 MB of memory for most.
Outcome RunPoint(const Point& point);

}  // namespace attnres::time_mode

#endif  // CC_ASCENDC_TIMELINE_VALIDATION_POINTS_H_
