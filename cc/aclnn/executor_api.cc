// The C interface of executors: aclnn/acl_meta.h for callers, executor_api.h for the
// opdev headers. Each function finds the executor behind a handle, calls it and turns
// errors and exceptions into codes.
#include "cc/aclnn/internal/executor_api.h"

#include <exception>
#include <memory>

#include "cc/acl/internal/handle_table.h"
#include "cc/aclnn/executor.h"
#include "opdev/op_errno.h"

namespace attnres::aclnn {
namespace {

acl::HandleTable<Executor>& Executors() {
  static auto* table = new acl::HandleTable<Executor>(acl::HandleKind::kExecutor);
  return *table;
}

acl::Error ExecutorGoneError() {
  return acl::MakeError(ACLNN_ERR_RUNTIME_ERROR,
                        "executor does not live: it was used before (it runs once unless "
                        "aclSetAclOpExecutorRepeatable), destroyed, or never created");
}

// Calls `action(executor, &error)` and returns its pointer; null with the error reported.
template <typename Action>
auto Build(aclOpExecutor* handle, const Action& action)
    -> decltype(action(std::declval<Executor&>(), nullptr)) {
  acl::Error error;
  try {
    const auto executor = Executors().Find(handle);
    if (executor == nullptr) {
      error = ExecutorGoneError();
    } else if (auto result = action(*executor, &error)) {
      return result;
    }
  } catch (const std::exception& exception) {  // no memory
    error = acl::MakeError(ACLNN_ERR_RUNTIME_ERROR, "phase 1 failed: %s", exception.what());
  }
  acl::Report(error);
  return nullptr;
}

acl::Error Run(void* workspace, uint64_t workspace_size, aclOpExecutor* handle,
               aclrtStream stream_handle) {
  if (handle == nullptr) return acl::MakeError(ACLNN_ERR_PARAM_NULLPTR, "executor is null");
  std::shared_ptr<Executor> executor = Executors().Find(handle);
  if (executor == nullptr) return ExecutorGoneError();
  const auto stream = acl::Stream::Find(stream_handle);
  if (stream == nullptr) return acl::StreamGoneError(ACLNN_ERR_RUNTIME_ERROR);
  AddressList addresses;
  acl::Error error = executor->PrepareRun(workspace, workspace_size, *stream, &addresses);
  if (!error.ok()) return error;
  // Removing decides which of two threads that use one executor at once is the first.
  if (!executor->repeatable() && Executors().Remove(handle) == nullptr) {
    return ExecutorGoneError();
  }
  if (!executor->Submit(addresses, workspace, stream.get())) {
    return acl::StreamGoneError(ACLNN_ERR_RUNTIME_ERROR);
  }
  return {};
}

acl::Error SetAddress(aclOpExecutor* handle, const aclTensor* tensor, void* address) {
  if (handle == nullptr || tensor == nullptr) {
    return acl::MakeError(ACLNN_ERR_PARAM_NULLPTR, "%s is null",
                          handle == nullptr ? "executor" : "tensor");
  }
  const auto executor = Executors().Find(handle);
  return executor == nullptr ? ExecutorGoneError() : executor->SetAddress(tensor, address);
}

}  // namespace
}  // namespace attnres::aclnn

using attnres::acl::Error;
using attnres::acl::FromHandle;
using attnres::acl::MakeError;
using attnres::acl::Report;
using attnres::acl::ReportGuarded;
using attnres::acl::Tensor;
using attnres::acl::ToHandle;
using attnres::aclnn::Build;
using attnres::aclnn::Executor;
using attnres::aclnn::ExecutorGoneError;
using attnres::aclnn::Executors;

extern "C" {

void aclTwinGetTensorInfo(const aclTensor* tensor, AclTwinTensorInfo* info) {
  const Tensor& view = *FromHandle(tensor);
  info->dims = view.dims;
  info->strides = view.strides;
  info->rank = view.rank;
  info->offset = view.offset;
  info->dtype = view.dtype;
  info->format = view.format;
  info->storage_dims = view.storage_dims;
  info->storage_rank = view.storage_rank;
  info->data = view.data;
  info->from_executor = view.from_executor ? 1 : 0;
}

int32_t aclTwinTensorIsContiguous(const aclTensor* tensor) {
  return FromHandle(tensor)->IsContiguous() ? 1 : 0;
}

aclOpExecutor* aclTwinExecutorCreate(const char* phase_one) {
  try {
    const auto context = attnres::acl::CurrentContext();
    return static_cast<aclOpExecutor*>(Executors().Insert(
        std::make_shared<Executor>(phase_one == nullptr ? "" : phase_one, context->device())));
  } catch (const std::exception&) {
    Report(MakeError(ACLNN_ERR_RUNTIME_ERROR, "no memory for an executor"));
    return nullptr;
  }
}

void aclTwinExecutorDiscard(aclOpExecutor* executor) { Executors().Remove(executor); }

aclTensor* aclTwinExecutorAllocTensor(aclOpExecutor* executor, const int64_t* dims, uint64_t rank,
                                      int32_t dtype, int32_t format) {
  return ToHandle(Build(executor, [&](Executor& live, Error* error) {
    return live.AllocTensor({dims, rank, static_cast<aclDataType>(dtype), nullptr, 0,
                             static_cast<aclFormat>(format), nullptr, 0, nullptr},
                            error);
  }));
}

aclTensor* aclTwinExecutorCreateView(aclOpExecutor* executor, const aclTensor* tensor,
                                     const int64_t* dims, uint64_t rank, const int64_t* strides,
                                     int64_t offset) {
  return ToHandle(Build(executor, [&](Executor& live, Error* error) {
    return live.CreateView(*FromHandle(tensor), dims, rank, strides, offset, error);
  }));
}

const aclTensor* aclTwinExecutorContiguous(aclOpExecutor* executor, const aclTensor* tensor) {
  return reinterpret_cast<const aclTensor*>(Build(executor, [&](Executor& live, Error* error) {
    return live.Contiguous(*FromHandle(tensor), error);
  }));
}

const aclTensor* aclTwinExecutorViewCopy(aclOpExecutor* executor, const aclTensor* from,
                                         const aclTensor* to) {
  return reinterpret_cast<const aclTensor*>(Build(executor, [&](Executor& live, Error* error) {
    return live.ViewCopy(*FromHandle(from), *FromHandle(to), error);
  }));
}

aclTensor* aclTwinExecutorZerosLike(aclOpExecutor* executor, const aclTensor* tensor) {
  return ToHandle(Build(executor, [&](Executor& live, Error* error) {
    return live.ZerosLike(*FromHandle(tensor), error);
  }));
}

int32_t aclTwinExecutorLaunch(aclOpExecutor* executor, const char* op_name,
                              const aclTensor* const* inputs, uint64_t input_count,
                              const aclTensor* const* outputs, uint64_t output_count,
                              const AclTwinAttr* attrs, uint64_t attr_count) {
  return ReportGuarded(ACLNN_ERR_RUNTIME_ERROR, [&] {
    const auto live = Executors().Find(executor);
    return live == nullptr ? ExecutorGoneError()
                           : live->AddLaunch({op_name, inputs, input_count, outputs, output_count,
                                              attrs, attr_count});
  });
}

uint64_t aclTwinExecutorWorkspaceSize(aclOpExecutor* executor) {
  const auto live = Executors().Find(executor);
  return live == nullptr ? 0 : live->workspace_bytes();
}

int32_t aclTwinExecutorRun(void* workspace, uint64_t workspace_size, aclOpExecutor* executor,
                           aclrtStream stream) {
  return ReportGuarded(ACLNN_ERR_RUNTIME_ERROR, [&] {
    return attnres::aclnn::Run(workspace, workspace_size, executor, stream);
  });
}

int32_t aclTwinExecutorSetAddresses(aclOpExecutor* executor, const aclTensor* const* tensors,
                                    void* const* addresses, uint64_t count) {
  const auto live = Executors().Find(executor);
  if (live == nullptr) return Report(ExecutorGoneError());
  live->SetAddresses(tensors, addresses, count);
  return ACLNN_SUCCESS;
}

uint64_t aclTwinLiveExecutorCount(void) { return Executors().All().size(); }

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor) {
  if (executor == nullptr) {
    return Report(MakeError(ACLNN_ERR_PARAM_NULLPTR, "executor is null"));
  }
  const auto live = Executors().Find(executor);
  if (live == nullptr) return Report(ExecutorGoneError());
  live->set_repeatable();
  return ACLNN_SUCCESS;
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor) {
  if (executor == nullptr) {
    return Report(MakeError(ACLNN_ERR_PARAM_NULLPTR, "executor is null"));
  }
  if (Executors().Remove(executor) == nullptr) return Report(ExecutorGoneError());
  return ACLNN_SUCCESS;
}

aclnnStatus aclSetInputTensorAddr(aclOpExecutor* executor, const size_t, aclTensor* tensor,
                                  void* addr) {
  return Report(attnres::aclnn::SetAddress(executor, tensor, addr));
}

aclnnStatus aclSetOutputTensorAddr(aclOpExecutor* executor, const size_t, aclTensor* tensor,
                                   void* addr) {
  return Report(attnres::aclnn::SetAddress(executor, tensor, addr));
}

aclnnStatus aclSetTensorAddr(aclOpExecutor* executor, const size_t, aclTensor* tensor, void* addr) {
  return Report(attnres::aclnn::SetAddress(executor, tensor, addr));
}

}  // extern "C"
