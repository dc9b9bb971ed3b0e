// Compares a result with what it must be.
#ifndef EXAMPLES_ACLNN_CALLER_RESULT_CHECK_H_
#define EXAMPLES_ACLNN_CALLER_RESULT_CHECK_H_

#include <vector>

#include "examples/aclnn_caller/device_tensor.h"

// How far a value may be from the expected one: |expected| * relative + absolute.
struct Tolerance {
  double relative;
  double absolute;
};

// Whether each element of `result` is the one of `expected`, which has as many. Prints one line
// with the name, how many are, and the first that is not.
bool HasValues(const char* name, const DeviceTensor& result, const std::vector<double>& expected,
               Tolerance tolerance);

#endif  // EXAMPLES_ACLNN_CALLER_RESULT_CHECK_H_
