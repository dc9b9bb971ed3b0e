// LaunchPlan: everything about a kernel launch that follows from operator, device, shapes, dtypes
// and attributes: tiling and the kernel that fits. LaunchPlanCache keeps the plans of the last
// launches, so that equal ones ask no tiling function again. kernel_launch.cc makes plans.
#ifndef CC_ACLNN_LAUNCH_PLAN_H_
#define CC_ACLNN_LAUNCH_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cc/acl/internal/operator_table.h"

namespace attnres::aclnn {

struct ChosenKernel {
  AscendcTwinKernelEntry entry = nullptr;
  std::string isa;
};

// An argument of the kernel.
struct PlannedTensor {
  std::string name;
  uint64_t bytes = 0;
};

// Immutable once made: launches share it.
struct LaunchPlan {
  ChosenKernel kernel;
  ChosenKernel observed_kernel;  // no entry where the library has none
  std::vector<PlannedTensor> inputs;
  std::vector<PlannedTensor> outputs;
  uint64_t tiling_key = 0;
  uint32_t block_dim = 0;
  uint64_t workspace_bytes = 0;
  std::shared_ptr<unsigned char> tiling_data;  // 64-byte aligned
  uint64_t tiling_bytes = 0;
};

// What a plan follows from. The operator's registration is part of it, so that a library that is
// loaded again gets plans of its own.
struct LaunchPlanKey {
  std::shared_ptr<const acl::RegisteredOperator> op;
  std::vector<uint64_t> words;

  bool operator==(const LaunchPlanKey& other) const {
    return op == other.op && words == other.words;
  }
};

// Thread safe.
class LaunchPlanCache {
 public:
  static constexpr size_t kCapacity = 64;

  // The process's cache.
  static LaunchPlanCache& Instance();

  // Null when there is none.
  std::shared_ptr<const LaunchPlan> Find(const LaunchPlanKey& key);
  // Forgets the plan that was not asked for the longest, when there are too many.
  void Insert(const LaunchPlanKey& key, std::shared_ptr<const LaunchPlan> plan);
  size_t size() const;

 private:
  struct Entry {
    uint64_t hash;
    uint64_t last_use;
    LaunchPlanKey key;
    std::shared_ptr<const LaunchPlan> plan;
  };

  mutable std::mutex mutex_;
  std::vector<Entry> entries_;
  uint64_t uses_ = 0;
};

}  // namespace attnres::aclnn

#endif  // CC_ACLNN_LAUNCH_PLAN_H_
