// Executors: phase 1 adds tasks, phase 2 submits them.
//
// States. Building (phase 1 adds tasks on one thread); handed out (any thread may run it);
// ended (run once while not repeatable, destroyed, or discarded). Handles live in a table
// (handle_table.h), so one that has ended is recognised and never dereferenced. A running
// program keeps all it needs alive by itself: an executor may end while its tasks still
// run, and a caller's aclTensor may be destroyed after phase 1.
#ifndef CC_ACLNN_EXECUTOR_H_
#define CC_ACLNN_EXECUTOR_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cc/acl/internal/device.h"
#include "cc/acl/internal/operator_registry.h"
#include "cc/acl/internal/tensor.h"
#include "cc/aclnn/program.h"

namespace attnres::aclnn {

class Executor {
 public:
  // `phase_one` is the name of the function that makes the executor.
  Executor(const char* phase_one, const acl::Device& device);

  // Phase 1; executor_api.h says what each does. A null result comes with `*error`.
  acl::Tensor* AllocTensor(const acl::TensorSpec& spec, acl::Error* error);
  acl::Tensor* CreateView(const acl::Tensor& tensor, const int64_t* dims, uint64_t rank,
                          const int64_t* strides, int64_t offset, acl::Error* error);
  const acl::Tensor* Contiguous(const acl::Tensor& tensor, acl::Error* error);
  const acl::Tensor* ViewCopy(const acl::Tensor& from, const acl::Tensor& to, acl::Error* error);
  acl::Tensor* ZerosLike(const acl::Tensor& tensor, acl::Error* error);

  struct LaunchRequest {
    const char* op_name;
    const aclTensor* const* inputs;
    uint64_t input_count;
    const aclTensor* const* outputs;
    uint64_t output_count;
    const AclTwinAttr* attrs;
    uint64_t attr_count;
  };
  acl::Error AddLaunch(const LaunchRequest& request);

  uint64_t workspace_bytes() const { return workspace_bytes_; }

  // Phase 2. Everything that may fail before a task is enqueued; gives the tensors' addresses.
  acl::Error PrepareRun(const void* workspace, uint64_t workspace_bytes, const acl::Stream& stream,
                        AddressList* addresses) const;
  // Enqueues the tasks. False when the stream was shut down.
  bool Submit(const AddressList& addresses, void* workspace, acl::Stream* stream) const;

  void set_repeatable() { repeatable_ = true; }
  bool repeatable() const { return repeatable_; }
  // 161002 when `tensor` is none of those given in phase 1.
  acl::Error SetAddress(const aclTensor* tensor, void* address);
  // For all that were given in phase 1 and that a task uses; others are skipped.
  void SetAddresses(const aclTensor* const* tensors, void* const* addresses, uint64_t count);

 private:
  // A caller's tensor: its identity (not dereferenced after phase 1) and its storage.
  struct CallerTensor {
    const acl::Tensor* identity;
    void* address;
    bool has_elements;
  };

  // Where the tensor's first element stands; sets a place aside for an executor tensor, and
  // writes the zeros of one that is all zero.
  Place PlaceOf(const acl::Tensor& tensor);
  Place AllocateWorkspace(uint64_t bytes);
  Place KernelArgument(const aclTensor* tensor);
  acl::Error PlanLaunch(const acl::RegisteredOperator::Use& use, const LaunchRequest& request,
                        KernelTask* task) const;
  acl::Error RunTiling(const acl::RegisteredOperator::Use& use, const LaunchRequest& request,
                       LaunchPlan* plan) const;
  acl::Error ChooseKernel(const acl::RegisteredOperator::Use& use, const KernelTask& task,
                          LaunchPlan* plan) const;

  const std::string api_;
  const acl::Device& device_;
  std::vector<std::unique_ptr<acl::Tensor>> tensors_;
  std::shared_ptr<Program> program_;
  uint64_t workspace_bytes_ = 0;
  std::atomic<bool> repeatable_{false};

  bool SetKnownAddress(const aclTensor* tensor, void* address);

  mutable std::mutex mutex_;  // of caller_tensors_ once the executor is handed out
  std::vector<CallerTensor> caller_tensors_;
};

}  // namespace attnres::aclnn

#endif  // CC_ACLNN_EXECUTOR_H_
