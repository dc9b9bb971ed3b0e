// aclTensor: creation with all its checks, and the getters of aclnn/acl_meta.h.
// meta_arrays.cc has the scalars, arrays and lists.
#include "cc/acl/internal/tensor.h"

#include <algorithm>
#include <memory>
#include <new>

#include "opdev/op_errno.h"

namespace attnres::acl {
namespace {

// Larger than any element, so that byte offsets of elements within this bound fit.
constexpr int64_t kMaxElementBytes = 16;
constexpr int64_t kMaxElements = INT64_MAX / kMaxElementBytes;

bool AnyZero(const int64_t* dims, uint64_t rank) {
  return std::any_of(dims, dims + rank, [](int64_t dim) { return dim == 0; });
}

// False when the product exceeds kMaxElements. Precondition: no dimension is negative.
bool CountElements(const int64_t* dims, uint64_t rank, int64_t* count) {
  *count = AnyZero(dims, rank) ? 0 : 1;
  for (uint64_t i = 0; i < rank && *count != 0; ++i) {
    if (__builtin_mul_overflow(*count, dims[i], count) || *count > kMaxElements) return false;
  }
  return true;
}

Error CheckDims(const char* what, const int64_t* dims, uint64_t rank) {
  if (rank > kMaxRank) {
    return MakeError(ACLNN_ERR_PARAM_INVALID, "%sNum is %llu: expected at most %llu", what,
                     static_cast<unsigned long long>(rank),
                     static_cast<unsigned long long>(kMaxRank));
  }
  if (rank > 0 && dims == nullptr) return MakeError(ACLNN_ERR_PARAM_NULLPTR, "%s is null", what);
  for (uint64_t i = 0; i < rank; ++i) {
    if (dims[i] < 0) {
      return MakeError(ACLNN_ERR_PARAM_INVALID, "%s[%llu] is %lld: expected 0 or more", what,
                       static_cast<unsigned long long>(i), static_cast<long long>(dims[i]));
    }
  }
  int64_t count = 0;
  if (!CountElements(dims, rank, &count)) {
    return MakeError(ACLNN_ERR_PARAM_INVALID, "%s has more than %lld elements", what,
                     static_cast<long long>(kMaxElements));
  }
  return {};
}

// The elements that the view reaches, as offsets; false when one does not fit.
bool ReachFits(const Tensor& tensor) {
  int64_t lowest = tensor.offset;
  int64_t highest = tensor.offset;
  for (uint64_t i = 0; i < tensor.rank; ++i) {
    int64_t reach = 0;
    if (__builtin_mul_overflow(tensor.strides[i], tensor.dims[i] - 1, &reach)) return false;
    int64_t* end = reach < 0 ? &lowest : &highest;
    if (__builtin_add_overflow(*end, reach, end)) return false;
  }
  return lowest >= -kMaxElements && highest <= kMaxElements;
}

}  // namespace

int64_t Tensor::element_count() const {
  int64_t count = 0;
  CountElements(dims, rank, &count);
  return count;
}

bool Tensor::IsContiguous() const {
  if (AnyZero(dims, rank)) return true;
  int64_t expected = 1;
  for (uint64_t i = rank; i-- > 0;) {
    if (dims[i] != 1 && strides[i] != expected) return false;
    expected *= dims[i];
  }
  return true;
}

void Tensor::ElementRange(int64_t* first, int64_t* last) const {
  *first = *last = offset;
  for (uint64_t i = 0; i < rank; ++i) {
    const int64_t reach = strides[i] * (dims[i] - 1);
    *(reach < 0 ? first : last) += reach;
  }
}

void ContiguousStrides(const int64_t* dims, uint64_t rank, int64_t* strides) {
  int64_t stride = 1;
  for (uint64_t i = rank; i-- > 0;) {
    strides[i] = stride;
    stride *= std::max<int64_t>(dims[i], 1);
  }
}

Error CheckedTensor(const TensorSpec& spec, Tensor* tensor) {
  Error error = CheckDims("viewDims", spec.dims, spec.rank);
  if (error.ok() && spec.storage_dims != nullptr) {
    error = CheckDims("storageDims", spec.storage_dims, spec.storage_rank);
  }
  if (!error.ok()) return error;
  if (spec.offset < 0 || spec.offset > kMaxElements) {
    return MakeError(ACLNN_ERR_PARAM_INVALID, "offset is %lld: expected 0 to %lld",
                     static_cast<long long>(spec.offset), static_cast<long long>(kMaxElements));
  }
  *tensor = Tensor{};
  tensor->dtype = spec.dtype;
  tensor->format = spec.format;
  tensor->rank = spec.rank;
  std::copy_n(spec.dims, spec.rank, tensor->dims);
  if (spec.strides != nullptr) {
    std::copy_n(spec.strides, spec.rank, tensor->strides);
  } else if (!AnyZero(spec.dims, spec.rank)) {
    ContiguousStrides(spec.dims, spec.rank, tensor->strides);
  }
  tensor->offset = spec.offset;
  tensor->data = spec.data;
  const bool empty = AnyZero(spec.dims, spec.rank);
  if (!empty && !ReachFits(*tensor)) {
    return MakeError(ACLNN_ERR_PARAM_INVALID,
                     "stride reaches elements more than %lld away from the storage's first",
                     static_cast<long long>(kMaxElements));
  }
  if (spec.storage_dims != nullptr) {
    tensor->storage_rank = spec.storage_rank;
    std::copy_n(spec.storage_dims, spec.storage_rank, tensor->storage_dims);
  } else {
    int64_t first = 0;
    int64_t last = -1;
    if (!empty) tensor->ElementRange(&first, &last);
    tensor->storage_rank = 1;
    tensor->storage_dims[0] = std::max<int64_t>(last + 1, 0);
  }
  return {};
}

namespace {

// Copies `values` into an array that the caller frees with delete[].
aclnnStatus GiveArray(const aclTensor* tensor, const int64_t* values, uint64_t count,
                      int64_t** array, uint64_t* array_count) {
  if (tensor == nullptr || array == nullptr || array_count == nullptr) {
    return ReportError(ACLNN_ERR_PARAM_NULLPTR, "%s is null",
                       tensor == nullptr ? "tensor" : "an output pointer");
  }
  auto* copy = new (std::nothrow) int64_t[std::max<uint64_t>(count, 1)];
  if (copy == nullptr) return ReportError(ACLNN_ERR_RUNTIME_ERROR, "no memory for dimensions");
  std::copy_n(values, count, copy);
  *array = copy;
  *array_count = count;
  return ACLNN_SUCCESS;
}

template <typename Value>
aclnnStatus GiveValue(const aclTensor* tensor, const Value Tensor::* field, Value* value) {
  if (tensor == nullptr || value == nullptr) {
    return ReportError(ACLNN_ERR_PARAM_NULLPTR, "%s is null",
                       tensor == nullptr ? "tensor" : "an output pointer");
  }
  *value = FromHandle(tensor)->*field;
  return ACLNN_SUCCESS;
}

}  // namespace
}  // namespace attnres::acl

using attnres::acl::FromHandle;
using attnres::acl::Tensor;

extern "C" {

aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType,
                           const int64_t* stride, int64_t offset, aclFormat format,
                           const int64_t* storageDims, uint64_t storageDimsNum, void* tensorData) {
  auto tensor = std::unique_ptr<Tensor>(new (std::nothrow) Tensor);
  if (tensor == nullptr) {
    attnres::acl::ReportError(ACLNN_ERR_RUNTIME_ERROR, "no memory for a tensor");
    return nullptr;
  }
  const attnres::acl::Error error =
      attnres::acl::CheckedTensor({viewDims, viewDimsNum, dataType, stride, offset, format,
                                   storageDims, storageDimsNum, tensorData},
                                  tensor.get());
  if (!error.ok()) {
    attnres::acl::Report(error);
    return nullptr;
  }
  return attnres::acl::ToHandle(tensor.release());
}

aclnnStatus aclDestroyTensor(const aclTensor* tensor) {
  if (tensor == nullptr) {
    return attnres::acl::ReportError(ACLNN_ERR_PARAM_NULLPTR, "tensor is null");
  }
  delete FromHandle(tensor);
  return ACLNN_SUCCESS;
}

aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** viewDims, uint64_t* viewDimsNum) {
  const Tensor* view = FromHandle(tensor);
  return attnres::acl::GiveArray(tensor, view == nullptr ? nullptr : view->dims,
                                 view == nullptr ? 0 : view->rank, viewDims, viewDimsNum);
}

aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** storageDims,
                               uint64_t* storageDimsNum) {
  const Tensor* view = FromHandle(tensor);
  return attnres::acl::GiveArray(tensor, view == nullptr ? nullptr : view->storage_dims,
                                 view == nullptr ? 0 : view->storage_rank, storageDims,
                                 storageDimsNum);
}

aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** stridesValue,
                              uint64_t* stridesNum) {
  const Tensor* view = FromHandle(tensor);
  return attnres::acl::GiveArray(tensor, view == nullptr ? nullptr : view->strides,
                                 view == nullptr ? 0 : view->rank, stridesValue, stridesNum);
}

aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset) {
  return attnres::acl::GiveValue(tensor, &Tensor::offset, offset);
}

aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format) {
  return attnres::acl::GiveValue(tensor, &Tensor::format, format);
}

aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dataType) {
  return attnres::acl::GiveValue(tensor, &Tensor::dtype, dataType);
}

aclnnStatus aclSetRawTensorAddr(aclTensor* tensor, void* addr) {
  if (tensor == nullptr) {
    return attnres::acl::ReportError(ACLNN_ERR_PARAM_NULLPTR, "tensor is null");
  }
  FromHandle(tensor)->data = addr;
  return ACLNN_SUCCESS;
}

aclnnStatus aclGetRawTensorAddr(const aclTensor* tensor, void** addr) {
  return attnres::acl::GiveValue(tensor, &Tensor::data, addr);
}

aclnnStatus aclnnInit(const char*) { return ACLNN_SUCCESS; }

aclnnStatus aclnnFinalize(void) { return ACLNN_SUCCESS; }

}  // extern "C"
