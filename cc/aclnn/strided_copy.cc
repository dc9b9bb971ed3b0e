// Strided copies: the loop nest is reduced to its fewest loops once, then walked with
// memcpy for runs and with typed loads and stores for single elements.
#include "cc/aclnn/strided_copy.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace attnres::aclnn {
namespace {

// Makes one loop of `outer` and `inner` where walking both is walking one.
bool Merge(const CopyLoop& outer, CopyLoop* inner) {
  if (outer.from_stride != inner->from_stride * inner->count ||
      outer.to_stride != inner->to_stride * inner->count) {
    return false;
  }
  inner->count *= outer.count;
  return true;
}

template <typename Element>
void CopyElements(const CopyLoop& loop, const char* from, char* to) {
  for (int64_t i = 0; i < loop.count; ++i) {
    // memcpy of a constant size is one load and one store, at any alignment.
    memcpy(to + i * loop.to_stride, from + i * loop.from_stride, sizeof(Element));
  }
}

void CopyInnermost(const CopyLoop& loop, int64_t run_bytes, const char* from, char* to) {
  switch (run_bytes) {
    case 1:
      return CopyElements<uint8_t>(loop, from, to);
    case 2:
      return CopyElements<uint16_t>(loop, from, to);
    case 4:
      return CopyElements<uint32_t>(loop, from, to);
    case 8:
      return CopyElements<uint64_t>(loop, from, to);
    default:
      for (int64_t i = 0; i < loop.count; ++i) {
        memcpy(to + i * loop.to_stride, from + i * loop.from_stride,
               static_cast<size_t>(run_bytes));
      }
  }
}

void CopyLoops(const CopyPlan& plan, size_t depth, const char* from, char* to) {
  if (depth == plan.loops.size()) {
    memcpy(to, from, static_cast<size_t>(plan.run_bytes));
    return;
  }
  const CopyLoop& loop = plan.loops[depth];
  if (depth + 1 == plan.loops.size()) return CopyInnermost(loop, plan.run_bytes, from, to);
  for (int64_t i = 0; i < loop.count; ++i) {
    CopyLoops(plan, depth + 1, from + i * loop.from_stride, to + i * loop.to_stride);
  }
}

void FillLoops(const CopyPlan& plan, size_t depth, char* to) {
  if (depth == plan.loops.size()) {
    memset(to, 0, static_cast<size_t>(plan.run_bytes));
    return;
  }
  const CopyLoop& loop = plan.loops[depth];
  for (int64_t i = 0; i < loop.count; ++i) FillLoops(plan, depth + 1, to + i * loop.to_stride);
}

}  // namespace

CopyPlan PlanCopy(uint64_t rank, const int64_t* dims, const int64_t* from_strides,
                  const int64_t* to_strides, int64_t element_bytes) {
  CopyPlan plan;
  plan.element_bytes = element_bytes;
  if (std::any_of(dims, dims + rank, [](int64_t dim) { return dim == 0; })) return plan;
  plan.run_bytes = element_bytes;
  std::vector<CopyLoop>& loops = plan.loops;
  for (uint64_t i = 0; i < rank; ++i) {
    if (dims[i] == 1) continue;
    const int64_t to_stride = to_strides[i] * element_bytes;
    loops.push_back({dims[i], from_strides == nullptr ? to_stride : from_strides[i] * element_bytes,
                     to_stride});
  }
  // Writing in the order of addresses is what memory likes best. Where no element is written
  // twice, order does not change the result.
  std::stable_sort(loops.begin(), loops.end(), [](const CopyLoop& a, const CopyLoop& b) {
    return std::abs(a.to_stride) > std::abs(b.to_stride);
  });
  for (size_t i = loops.size(); i-- > 1;) {
    if (Merge(loops[i - 1], &loops[i])) loops.erase(loops.begin() + static_cast<int64_t>(i) - 1);
  }
  if (!loops.empty() && loops.back().from_stride == element_bytes &&
      loops.back().to_stride == element_bytes) {
    plan.run_bytes *= loops.back().count;
    loops.pop_back();
  }
  return plan;
}

void RunCopy(const CopyPlan& plan, const void* from, void* to) {
  if (plan.run_bytes == 0) return;
  CopyLoops(plan, 0, static_cast<const char*>(from), static_cast<char*>(to));
}

void RunZeroFill(const CopyPlan& plan, void* to) {
  if (plan.run_bytes == 0) return;
  FillLoops(plan, 0, static_cast<char*>(to));
}

}  // namespace attnres::aclnn
