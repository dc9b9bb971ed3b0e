// Scalars, arrays and tensor lists of aclnn/acl_meta.h: plain copies of what the caller
// gives, read back by operator sources.
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "aclnn/acl_meta.h"
#include "cc/acl/internal/error_message.h"
#include "opdev/op_errno.h"

namespace attnres::acl {
namespace {

struct Scalar {
  aclDataType dtype;
  unsigned char bytes[16];
};

template <typename Value>
using Array = std::vector<Value>;

template <typename Handle, typename Stored, typename Given>
Handle* CreateArray(const Given* value, uint64_t size) {
  if (value == nullptr && size > 0) {
    ReportError(ACLNN_ERR_PARAM_NULLPTR, "value is null with size %llu",
                static_cast<unsigned long long>(size));
    return nullptr;
  }
  try {
    return reinterpret_cast<Handle*>(new Array<Stored>(value, value + size));
  } catch (const std::exception&) {
    ReportError(ACLNN_ERR_RUNTIME_ERROR, "no memory for %llu values",
                static_cast<unsigned long long>(size));
    return nullptr;
  }
}

template <typename Stored, typename Handle>
aclnnStatus DestroyArray(const Handle* array) {
  if (array == nullptr) return ReportError(ACLNN_ERR_PARAM_NULLPTR, "array is null");
  delete reinterpret_cast<const Array<Stored>*>(array);
  return ACLNN_SUCCESS;
}

template <typename Stored, typename Handle>
aclnnStatus ArraySize(const Handle* array, uint64_t* size) {
  if (array == nullptr || size == nullptr) {
    return ReportError(ACLNN_ERR_PARAM_NULLPTR, "%s is null", array == nullptr ? "array" : "size");
  }
  *size = reinterpret_cast<const Array<Stored>*>(array)->size();
  return ACLNN_SUCCESS;
}

}  // namespace
}  // namespace attnres::acl

using attnres::acl::ArraySize;
using attnres::acl::CreateArray;
using attnres::acl::DestroyArray;
using attnres::acl::ReportError;
using attnres::acl::Scalar;

extern "C" {

aclScalar* aclCreateScalar(void* value, aclDataType dataType) {
  const size_t bytes = aclDataTypeSize(dataType);
  if (value == nullptr || bytes == 0) {
    ReportError(value == nullptr ? ACLNN_ERR_PARAM_NULLPTR : ACLNN_ERR_PARAM_INVALID, "%s",
                value == nullptr ? "value is null" : "dataType has no scalar form");
    return nullptr;
  }
  auto* scalar = new (std::nothrow) Scalar{dataType, {}};
  if (scalar == nullptr) {
    ReportError(ACLNN_ERR_RUNTIME_ERROR, "no memory for a scalar");
    return nullptr;
  }
  memcpy(scalar->bytes, value, bytes);
  return reinterpret_cast<aclScalar*>(scalar);
}

aclnnStatus aclDestroyScalar(const aclScalar* scalar) {
  if (scalar == nullptr) return ReportError(ACLNN_ERR_PARAM_NULLPTR, "scalar is null");
  delete reinterpret_cast<const Scalar*>(scalar);
  return ACLNN_SUCCESS;
}

aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size) {
  return CreateArray<aclIntArray, int64_t>(value, size);
}

aclnnStatus aclDestroyIntArray(const aclIntArray* array) { return DestroyArray<int64_t>(array); }

aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size) {
  return ArraySize<int64_t>(array, size);
}

aclFloatArray* aclCreateFloatArray(const float* value, uint64_t size) {
  return CreateArray<aclFloatArray, float>(value, size);
}

aclnnStatus aclDestroyFloatArray(const aclFloatArray* array) { return DestroyArray<float>(array); }

aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size) {
  return ArraySize<float>(array, size);
}

aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size) {
  return CreateArray<aclBoolArray, unsigned char>(value, size);
}

aclnnStatus aclDestroyBoolArray(const aclBoolArray* array) {
  return DestroyArray<unsigned char>(array);
}

aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size) {
  return ArraySize<unsigned char>(array, size);
}

aclTensorList* aclCreateTensorList(const aclTensor* const* value, uint64_t size) {
  return CreateArray<aclTensorList, const aclTensor*>(value, size);
}

aclnnStatus aclDestroyTensorList(const aclTensorList* array) {
  if (array == nullptr) return ReportError(ACLNN_ERR_PARAM_NULLPTR, "array is null");
  using List = std::vector<const aclTensor*>;
  for (const aclTensor* tensor : *reinterpret_cast<const List*>(array)) {
    if (tensor != nullptr) aclDestroyTensor(tensor);
  }
  return DestroyArray<const aclTensor*>(array);
}

aclnnStatus aclGetTensorListSize(const aclTensorList* tensorList, uint64_t* size) {
  return ArraySize<const aclTensor*>(tensorList, size);
}

}  // extern "C"
