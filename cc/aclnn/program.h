// What an executor runs: a list of tasks whose addresses are still relative, and the
// stream task that gives them real ones and runs them. executor.h builds programs.
#ifndef CC_ACLNN_PROGRAM_H_
#define CC_ACLNN_PROGRAM_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "cc/acl/internal/operator_table.h"
#include "cc/acl/internal/stream.h"
#include "cc/aclnn/address_list.h"
#include "cc/aclnn/launch_plan.h"
#include "cc/aclnn/strided_copy.h"

namespace attnres::aclnn {

// A place in a caller's tensor, or in the workspace, known when phase 2 runs.
struct Place {
  static constexpr int32_t kNowhere = -2;  // an absent tensor: the null address
  static constexpr int32_t kWorkspace = -1;

  int32_t base = kNowhere;  // kNowhere, kWorkspace, or the index of a caller's tensor
  int64_t byte_offset = 0;
};

struct CopyTask {
  CopyPlan plan;
  Place from;
  Place to;
};

struct FillTask {
  CopyPlan plan;
  Place to;
};

struct KernelTask {
  std::shared_ptr<const acl::RegisteredOperator> op;
  std::shared_ptr<const LaunchPlan> plan;
  uint32_t arch = 0;
  int32_t dtype = 0;  // of input 0
  uint64_t ub_bytes = 0;
  uint64_t tensor_bytes = 0;  // of inputs and outputs
  std::vector<Place> args;    // inputs, outputs, workspace; tiling follows
};

struct Program {
  std::vector<std::variant<CopyTask, FillTask, KernelTask>> tasks;
};

// Runs a program. Shares it: a repeatable executor submits it again and again.
class ProgramTask : public acl::StreamTask {
 public:
  // `addresses`: one per caller's tensor, of its storage.
  ProgramTask(std::shared_ptr<const Program> program, AddressList addresses, void* workspace)
      : program_(std::move(program)), addresses_(std::move(addresses)), workspace_(workspace) {}

  // Stops at the first task that fails.
  acl::Error Run(acl::Stream& stream) override;

 private:
  void* Resolve(const Place& place) const;
  acl::Error RunTask(acl::Stream& stream, const CopyTask& task) const;
  acl::Error RunTask(acl::Stream& stream, const FillTask& task) const;
  acl::Error RunTask(acl::Stream& stream, const KernelTask& task) const;

  std::shared_ptr<const Program> program_;
  AddressList addresses_;
  void* workspace_;
};

}  // namespace attnres::aclnn

#endif  // CC_ACLNN_PROGRAM_H_
