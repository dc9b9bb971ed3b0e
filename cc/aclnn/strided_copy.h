// Copies and fills between strided views: the contiguous copy of an input, the view copy
// of a result and the zero fill. Planning happens in phase 1, running on a stream.
#ifndef CC_ACLNN_STRIDED_COPY_H_
#define CC_ACLNN_STRIDED_COPY_H_

#include <cstdint>
#include <vector>

namespace attnres::aclnn {

// One loop of a copy, outermost first. Strides in bytes, any sign.
struct CopyLoop {
  int64_t count;
  int64_t from_stride;
  int64_t to_stride;
};

// The loops around runs of `run_bytes` bytes that are adjacent on both sides. Invariant:
// every count is at least 2, loops that could be one are one, and the innermost loop has
// the smallest stride to write through.
struct CopyPlan {
  int64_t run_bytes = 0;  // 0: nothing to copy
  int64_t element_bytes = 0;
  std::vector<CopyLoop> loops;
};

// For views of the same shape; strides in elements. A null `from_strides` plans a fill.
CopyPlan PlanCopy(uint64_t rank, const int64_t* dims, const int64_t* from_strides,
                  const int64_t* to_strides, int64_t element_bytes);

// Precondition: both views, from their first element on, are memory of the process.
void RunCopy(const CopyPlan& plan, const void* from, void* to);

// Writes zeros to the plan's target.
void RunZeroFill(const CopyPlan& plan, void* to);

}  // namespace attnres::aclnn

#endif  // CC_ACLNN_STRIDED_COPY_H_
