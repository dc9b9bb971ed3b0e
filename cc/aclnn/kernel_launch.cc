// The part of Executor that turns an operator, its tensors and attributes into a kernel
// task: tiling, kernel look-up, arguments. The operator table is cc/acl's.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "cc/aclnn/executor.h"
#include "cc/aclnn/host_isa.h"
#include "opdev/op_errno.h"

namespace attnres::aclnn {
namespace {

constexpr size_t kTilingAlignment = 64;
// The most that the public interface gives an operator for its tiling data.
constexpr uint64_t kTilingCapacity = 16 * 1024;

AclTwinTensorDesc Describe(const aclTensor* handle) {
  if (handle == nullptr) return {nullptr, nullptr, 0, ACL_DT_UNDEFINED, ACL_FORMAT_ND};
  const acl::Tensor& tensor = *acl::FromHandle(handle);
  return {nullptr, tensor.dims, tensor.rank, tensor.dtype, tensor.format};
}

std::vector<AclTwinTensorDesc> DescribeAll(const aclTensor* const* tensors, uint64_t count) {
  std::vector<AclTwinTensorDesc> descriptions;
  descriptions.reserve(count);
  for (uint64_t i = 0; i < count; ++i) descriptions.push_back(Describe(tensors[i]));
  return descriptions;
}

uint64_t TensorBytes(const aclTensor* handle) {
  if (handle == nullptr) return 0;
  const acl::Tensor& tensor = *acl::FromHandle(handle);
  return static_cast<uint64_t>(tensor.element_count() * tensor.element_bytes());
}

uint64_t TensorBytes(const aclTensor* const* tensors, uint64_t count) {
  uint64_t bytes = 0;
  for (uint64_t i = 0; i < count; ++i) bytes += TensorBytes(tensors[i]);
  return bytes;
}

// Names for findings; a tensor that has none gets "input 3".
std::vector<PlannedTensor> NameTensors(const AclTwinOperator& op, bool is_output,
                                       const aclTensor* const* tensors, uint64_t count) {
  std::vector<PlannedTensor> named;
  named.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    const char* name = op.tensor_name == nullptr ? nullptr : op.tensor_name(is_output ? 1 : 0, i);
    named.push_back(
        {name != nullptr ? name : (is_output ? "output " : "input ") + std::to_string(i),
         TensorBytes(tensors[i])});
  }
  return named;
}

// Everything that tiling and the choice of a kernel can see.
void AppendTensors(const aclTensor* const* tensors, uint64_t count, std::vector<uint64_t>* words) {
  words->push_back(count);
  for (uint64_t i = 0; i < count; ++i) {
    const AclTwinTensorDesc desc = Describe(tensors[i]);
    words->push_back(static_cast<uint64_t>(static_cast<uint32_t>(desc.dtype)) << 32 |
                     static_cast<uint32_t>(desc.format));
    words->push_back(tensors[i] == nullptr ? UINT64_MAX : desc.rank);
    for (uint64_t axis = 0; axis < desc.rank; ++axis) {
      words->push_back(static_cast<uint64_t>(desc.dims[axis]));
    }
  }
}

void AppendAttrs(const AclTwinAttr* attrs, uint64_t count, std::vector<uint64_t>* words) {
  words->push_back(count);
  for (uint64_t i = 0; i < count; ++i) {
    words->push_back(static_cast<uint64_t>(attrs[i].kind));
    uint64_t bits = 0;
    memcpy(&bits, &attrs[i].value, sizeof bits);
    words->push_back(bits);
  }
}

bool HasUsableIsa(const AclTwinOperator& op, const char* isa) {
  return IsaRank(isa) > 0 &&
         std::any_of(op.kernels, op.kernels + op.kernel_count,
                     [&](const AclTwinKernel& kernel) { return strcmp(kernel.isa, isa) == 0; });
}

// What ATTNRES_ISA may be: "x86-64-v3 or x86-64-v4".
std::string UsableIsas(const AclTwinOperator& op) {
  std::vector<std::string> names;
  for (uint64_t i = 0; i < op.kernel_count; ++i) {
    const std::string name = op.kernels[i].isa;
    if (IsaRank(name.c_str()) > 0 && std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : " or ") + name;
  return list.empty() ? "none" : list;
}

// Kernels address their tensors as contiguous ones.
acl::Error CheckArguments(const Executor::LaunchRequest& request) {
  const auto check = [&](const char* kind, const aclTensor* const* tensors, uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) {
      if (tensors[i] == nullptr || acl::FromHandle(tensors[i])->IsContiguous()) continue;
      return acl::MakeError(ACLNN_ERR_INNER, "%s %llu of %s is not contiguous", kind,
                            static_cast<unsigned long long>(i), request.op_name);
    }
    return acl::Error{};
  };
  acl::Error error = check("input", request.inputs, request.input_count);
  if (error.ok()) error = check("output", request.outputs, request.output_count);
  return error;
}

std::shared_ptr<unsigned char> CopyAligned(const unsigned char* data, uint64_t bytes) {
  const size_t rounded = (static_cast<size_t>(bytes) / kTilingAlignment + 1) * kTilingAlignment;
  auto* copy = static_cast<unsigned char*>(aligned_alloc(kTilingAlignment, rounded));
  if (copy == nullptr) return nullptr;
  memcpy(copy, data, bytes);
  memset(copy + bytes, 0, rounded - bytes);
  return {copy, free};
}

}  // namespace

acl::Error Executor::RunTiling(const acl::RegisteredOperator::Use& use,
                               const LaunchRequest& request, LaunchPlan* plan) const {
  const auto inputs = DescribeAll(request.inputs, request.input_count);
  const auto outputs = DescribeAll(request.outputs, request.output_count);
  AclTwinTilingRequest tiling{};
  tiling.soc = device_.profile->short_name;
  tiling.arch = device_.profile->npu_arch;
  tiling.aiv_core_num = device_.profile->aiv_core_num;
  tiling.ub_bytes = device_.profile->ub_bytes;
  tiling.inputs = inputs.data();
  tiling.input_count = inputs.size();
  tiling.outputs = outputs.data();
  tiling.output_count = outputs.size();
  tiling.attrs = request.attrs;
  tiling.attr_count = request.attr_count;

  alignas(kTilingAlignment) static thread_local unsigned char buffer[kTilingCapacity];
  AclTwinTilingResult result;
  result.tiling_key = 0;
  result.block_dim = 0;
  result.workspace_bytes = 0;
  result.tiling_data = buffer;
  result.tiling_data_capacity = sizeof buffer;
  result.tiling_data_size = 0;
  result.message[0] = '\0';
  const int32_t code = use.record()->tiling(&tiling, &result);
  if (code != 0) {
    // A SoC that the definition does not name is known by its own code.
    const bool no_kernel = code == ACLNN_ERR_INNER_FIND_KERNEL_ERROR;
    result.message[sizeof result.message - 1] = '\0';
    return acl::MakeError(no_kernel ? code : ACLNN_ERR_INNER_TILING_ERROR,
                          "tiling of %s for %s failed: %s", request.op_name, tiling.soc,
                          result.message);
  }
  if (result.block_dim == 0 || result.tiling_data_size > result.tiling_data_capacity) {
    return acl::MakeError(ACLNN_ERR_INNER_TILING_ERROR,
                          "tiling of %s gave %u blocks and %llu bytes of tiling data: expected at "
                          "least 1 block and at most %llu bytes",
                          request.op_name, result.block_dim,
                          static_cast<unsigned long long>(result.tiling_data_size),
                          static_cast<unsigned long long>(result.tiling_data_capacity));
  }
  plan->tiling_key = result.tiling_key;
  plan->block_dim = result.block_dim;
  plan->workspace_bytes = result.workspace_bytes;
  plan->tiling_data = CopyAligned(buffer, result.tiling_data_size);
  plan->tiling_bytes = result.tiling_data_size;
  if (plan->tiling_data == nullptr) {
    return acl::MakeError(ACLNN_ERR_RUNTIME_ERROR, "no memory for tiling data");
  }
  return {};
}

acl::Error Executor::ChooseKernel(const acl::RegisteredOperator::Use& use, const KernelTask& task,
                                  LaunchPlan* plan) const {
  const AclTwinOperator& op = *use.record();
  const char* forced = ForcedIsa();
  if (forced != nullptr && !HasUsableIsa(op, forced)) {
    return acl::MakeError(ACLNN_ERR_RUNTIME_ERROR,
                          "ATTNRES_ISA is '%s': expected %s, for which %s has kernels "
                          "that this machine runs",
                          forced, UsableIsas(op).c_str(), task.op->library().c_str());
  }
  const AclTwinKernel* best = nullptr;
  bool compiled = false;
  for (uint64_t i = 0; i < op.kernel_count; ++i) {
    const AclTwinKernel& kernel = op.kernels[i];
    if (kernel.arch != task.arch || kernel.dtype != task.dtype ||
        kernel.tiling_key != plan->tiling_key) {
      continue;
    }
    compiled = true;
    const bool allowed = forced == nullptr || strcmp(forced, kernel.isa) == 0;
    const int rank = allowed ? IsaRank(kernel.isa) : 0;
    if (rank > 0 && (best == nullptr || rank > IsaRank(best->isa))) best = &kernel;
  }
  if (best == nullptr) {
    return acl::MakeError(
        ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
        "%s has no kernel of %s for SoC %s (arch %u), dtype %s, tiling key %llu%s",
        task.op->library().c_str(), task.op->name().c_str(), device_.profile->short_name, task.arch,
        aclTwinDataTypeName(task.dtype), static_cast<unsigned long long>(plan->tiling_key),
        compiled ? " that this machine's instruction set can run" : "");
  }
  plan->kernel = {best->entry, best->isa};
  for (uint64_t i = 0; i < op.observed_kernel_count; ++i) {
    const AclTwinKernel& kernel = op.observed_kernels[i];
    if (kernel.arch == task.arch && kernel.dtype == task.dtype &&
        kernel.tiling_key == plan->tiling_key && IsaRank(kernel.isa) > 0) {
      plan->observed_kernel = {kernel.entry, kernel.isa};
    }
  }
  return {};
}

// With logs on, every launch is planned anew: users look for the lines that tiling writes.
acl::Error Executor::PlanLaunch(const acl::RegisteredOperator::Use& use,
                                const LaunchRequest& request, KernelTask* task) const {
  static thread_local LaunchPlanKey key;
  key.op = task->op;
  key.words.clear();
  key.words.push_back(static_cast<uint64_t>(device_.id));
  AppendTensors(request.inputs, request.input_count, &key.words);
  AppendTensors(request.outputs, request.output_count, &key.words);
  AppendAttrs(request.attrs, request.attr_count, &key.words);
  const bool logs = aclTwinLogEnabled(ACL_INFO) != 0;
  if (!logs) task->plan = LaunchPlanCache::Instance().Find(key);
  if (task->plan != nullptr) return {};
  auto plan = std::make_shared<LaunchPlan>();
  acl::Error error = RunTiling(use, request, plan.get());
  if (error.ok()) error = ChooseKernel(use, *task, plan.get());
  if (!error.ok()) return error;
  plan->inputs = NameTensors(*use.record(), false, request.inputs, request.input_count);
  plan->outputs = NameTensors(*use.record(), true, request.outputs, request.output_count);
  task->plan = plan;
  LaunchPlanCache::Instance().Insert(key, std::move(plan));
  return {};
}

Place Executor::KernelArgument(const aclTensor* tensor) {
  return tensor == nullptr ? Place{} : PlaceOf(*acl::FromHandle(tensor));
}

acl::Error Executor::AddLaunch(const LaunchRequest& request) {
  if (device_.profile == nullptr) return acl::NoProfileError(device_);
  KernelTask task;
  task.op = acl::FindRegisteredOperator(request.op_name);
  if (task.op == nullptr) {
    return acl::MakeError(ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
                          "no loaded library has registered operator %s (SoC %s)", request.op_name,
                          device_.profile->short_name);
  }
  const acl::RegisteredOperator::Use use(*task.op);
  if (use.record() == nullptr) {
    return acl::MakeError(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s with operator %s was unloaded",
                          task.op->library().c_str(), request.op_name);
  }
  task.arch = device_.profile->npu_arch;
  task.ub_bytes = device_.profile->ub_bytes;
  task.dtype = request.input_count > 0 ? Describe(request.inputs[0]).dtype : ACL_DT_UNDEFINED;
  acl::Error error = CheckArguments(request);
  if (!error.ok()) return error;
  error = PlanLaunch(use, request, &task);
  if (!error.ok()) return error;

  task.tensor_bytes = TensorBytes(request.inputs, request.input_count) +
                      TensorBytes(request.outputs, request.output_count);
  task.args.reserve(request.input_count + request.output_count + 1);
  for (uint64_t i = 0; i < request.input_count; ++i) {
    task.args.push_back(KernelArgument(request.inputs[i]));
  }
  for (uint64_t i = 0; i < request.output_count; ++i) {
    task.args.push_back(KernelArgument(request.outputs[i]));
  }
  const uint64_t workspace_bytes = task.plan->workspace_bytes;
  task.args.push_back(workspace_bytes > 0 ? AllocateWorkspace(workspace_bytes) : Place{});
  program_->tasks.push_back(std::move(task));
  return {};
}

}  // namespace attnres::aclnn
