// Building and checking executors. kernel_launch.cc has the part that asks the operator
// for its tiling and its kernel, executor_api.cc the C functions.
#include "cc/aclnn/executor.h"

#include <algorithm>

#include "opdev/op_errno.h"

namespace attnres::aclnn {
namespace {

// Every piece of the workspace begins at such an offset.
constexpr uint64_t kPieceAlignment = 512;

// "aclnnX" of "aclnnXGetWorkspaceSize".
std::string ApiName(const char* phase_one) {
  constexpr char kSuffix[] = "GetWorkspaceSize";
  std::string name = phase_one;
  const size_t suffix = name.rfind(kSuffix);
  return suffix == std::string::npos ? name : name.substr(0, suffix);
}

bool SameShape(const acl::Tensor& a, const acl::Tensor& b) {
  return a.rank == b.rank && std::equal(a.dims, a.dims + a.rank, b.dims);
}

int64_t StorageElements(const acl::Tensor& tensor) {
  int64_t count = 1;
  for (uint64_t i = 0; i < tensor.storage_rank; ++i) count *= tensor.storage_dims[i];
  return count;
}

acl::Error CheckInStorage(const acl::Tensor& tensor) {
  if (tensor.element_count() == 0) return {};
  const int64_t storage = StorageElements(tensor);
  int64_t first = 0;
  int64_t last = 0;
  tensor.ElementRange(&first, &last);
  if (first >= 0 && last < storage) return {};
  return acl::MakeError(
      ACLNN_ERR_PARAM_INVALID, "a view reaches element %lld of its storage: expected 0 to %lld",
      static_cast<long long>(first < 0 ? first : last), static_cast<long long>(storage - 1));
}

}  // namespace

Executor::Executor(const char* phase_one, const acl::Device& device)
    : api_(ApiName(phase_one)), device_(device), program_(std::make_shared<Program>()) {}

acl::Tensor* Executor::AllocTensor(const acl::TensorSpec& spec, acl::Error* error) {
  auto tensor = std::make_unique<acl::Tensor>();
  *error = acl::CheckedTensor(spec, tensor.get());
  if (!error->ok()) return nullptr;
  tensor->from_executor = true;
  tensors_.push_back(std::move(tensor));
  return tensors_.back().get();
}

acl::Tensor* Executor::CreateView(const acl::Tensor& tensor, const int64_t* dims, uint64_t rank,
                                  const int64_t* strides, int64_t offset, acl::Error* error) {
  const Place place = PlaceOf(tensor);
  acl::Tensor* view =
      AllocTensor({dims, rank, tensor.dtype, strides, tensor.offset + offset, tensor.format,
                   tensor.storage_dims, tensor.storage_rank, tensor.data},
                  error);
  if (view == nullptr) return nullptr;
  view->from_executor = place.base == Place::kWorkspace;
  view->placed = view->from_executor;
  view->workspace_offset = tensor.workspace_offset;
  return view;
}

const acl::Tensor* Executor::Contiguous(const acl::Tensor& tensor, acl::Error* error) {
  *error = CheckInStorage(tensor);
  if (!error->ok()) return nullptr;
  if (tensor.IsContiguous()) return &tensor;
  acl::Tensor* copy = AllocTensor(
      {tensor.dims, tensor.rank, tensor.dtype, nullptr, 0, tensor.format, nullptr, 0, nullptr},
      error);
  if (copy == nullptr || ViewCopy(tensor, *copy, error) == nullptr) return nullptr;
  return copy;
}

const acl::Tensor* Executor::ViewCopy(const acl::Tensor& from, const acl::Tensor& to,
                                      acl::Error* error) {
  if (!SameShape(from, to) || from.dtype != to.dtype) {
    *error = acl::MakeError(ACLNN_ERR_INNER,
                            "%s: a view copy needs one shape and dtype on both "
                            "sides",
                            api_.c_str());
    return nullptr;
  }
  *error = CheckInStorage(from);
  if (error->ok()) *error = CheckInStorage(to);
  if (!error->ok()) return nullptr;
  const int64_t element_bytes = from.element_bytes();
  if (element_bytes == 0) {
    *error = acl::MakeError(ACLNN_ERR_PARAM_INVALID, "elements of %s cannot be copied one by one",
                            aclTwinDataTypeName(from.dtype));
    return nullptr;
  }
  if (from.element_count() == 0) return &to;
  if (from.zeros && !from.placed) {
    program_->tasks.push_back(
        FillTask{PlanCopy(to.rank, to.dims, nullptr, to.strides, element_bytes), PlaceOf(to)});
    return &to;
  }
  const Place source = PlaceOf(from);
  program_->tasks.push_back(CopyTask{
      PlanCopy(to.rank, to.dims, from.strides, to.strides, element_bytes), source, PlaceOf(to)});
  return &to;
}

acl::Tensor* Executor::ZerosLike(const acl::Tensor& tensor, acl::Error* error) {
  acl::Tensor* zeros = AllocTensor(
      {tensor.dims, tensor.rank, tensor.dtype, nullptr, 0, tensor.format, nullptr, 0, nullptr},
      error);
  if (zeros != nullptr) zeros->zeros = true;
  return zeros;
}

Place Executor::AllocateWorkspace(uint64_t bytes) {
  const uint64_t begin =
      (workspace_bytes_ + kPieceAlignment - 1) / kPieceAlignment * kPieceAlignment;
  workspace_bytes_ = begin + bytes;
  return {Place::kWorkspace, static_cast<int64_t>(begin)};
}

Place Executor::PlaceOf(const acl::Tensor& tensor) {
  const int64_t element_bytes = tensor.element_bytes();
  const int64_t offset_bytes = tensor.offset * element_bytes;
  if (tensor.from_executor) {
    // This executor's own, from tensors_: const only on its way through operator sources.
    auto& own = const_cast<acl::Tensor&>(tensor);
    const int64_t bytes = tensor.element_count() * element_bytes;
    if (!own.placed) {
      const Place place = AllocateWorkspace(static_cast<uint64_t>(bytes));
      own.placed = true;
      own.workspace_offset = static_cast<uint64_t>(place.byte_offset);
      if (own.zeros && bytes > 0) {
        program_->tasks.push_back(
            FillTask{PlanCopy(own.rank, own.dims, nullptr, own.strides, element_bytes), place});
      }
    }
    return {Place::kWorkspace, static_cast<int64_t>(own.workspace_offset) + offset_bytes};
  }
  const auto known =
      std::find_if(caller_tensors_.begin(), caller_tensors_.end(),
                   [&](const CallerTensor& caller) { return caller.identity == &tensor; });
  const auto index = static_cast<int32_t>(known - caller_tensors_.begin());
  if (known == caller_tensors_.end()) {
    caller_tensors_.push_back({&tensor, tensor.data, tensor.element_count() > 0});
  }
  return {index, offset_bytes};
}

acl::Error Executor::PrepareRun(const void* workspace, uint64_t workspace_bytes,
                                const acl::Stream& stream, AddressList* addresses) const {
  if (stream.device().id != device_.id) {
    return acl::MakeError(
        ACLNN_ERR_RUNTIME_ERROR, "%s: stream is on device %d (%s), phase 1 was on device %d (%s)",
        api_.c_str(), stream.device().id, stream.device().name, device_.id, device_.name);
  }
  if (workspace_bytes_ > 0 && workspace == nullptr) {
    return acl::MakeError(ACLNN_ERR_RUNTIME_ERROR, "%s: workspace is null: expected %llu bytes",
                          api_.c_str(), static_cast<unsigned long long>(workspace_bytes_));
  }
  if (workspace_bytes < workspace_bytes_) {
    return acl::MakeError(ACLNN_ERR_RUNTIME_ERROR,
                          "%s: workspaceSize is %llu: expected at least %llu", api_.c_str(),
                          static_cast<unsigned long long>(workspace_bytes),
                          static_cast<unsigned long long>(workspace_bytes_));
  }
  std::lock_guard<std::mutex> lock(mutex_);
  for (const CallerTensor& caller : caller_tensors_) {
    if (caller.has_elements && caller.address == nullptr) {
      return acl::MakeError(ACLNN_ERR_RUNTIME_ERROR,
                            "%s: a tensor with elements has no address: expected tensorData or "
                            "aclSetTensorAddr",
                            api_.c_str());
    }
    addresses->Add(caller.address);
  }
  return {};
}

bool Executor::Submit(const AddressList& addresses, void* workspace, acl::Stream* stream) const {
  if (program_->tasks.empty()) return true;
  if (stream->blocking()) {
    ProgramTask task(program_, addresses, workspace);
    return stream->RunBlocking(task);
  }
  std::unique_ptr<acl::StreamTask> task =
      std::make_unique<ProgramTask>(program_, addresses, workspace);
  return stream->Submit(task);
}

acl::Error Executor::SetAddress(const aclTensor* tensor, void* address) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (SetKnownAddress(tensor, address)) return {};
  return acl::MakeError(ACLNN_ERR_PARAM_INVALID, "%s: tensor is none of those given to phase 1",
                        api_.c_str());
}

void Executor::SetAddresses(const aclTensor* const* tensors, void* const* addresses,
                            uint64_t count) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (uint64_t i = 0; i < count; ++i) SetKnownAddress(tensors[i], addresses[i]);
}

// Precondition: the lock is held. False when phase 1 was not given the tensor.
bool Executor::SetKnownAddress(const aclTensor* tensor, void* address) {
  for (CallerTensor& caller : caller_tensors_) {
    if (caller.identity != acl::FromHandle(tensor)) continue;
    caller.address = address;
    return true;
  }
  return false;
}

}  // namespace attnres::aclnn
