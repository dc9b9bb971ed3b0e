// The types of the opdev interface: op::Shape, op::DataType, op::Format, op::Strides, and
// aclTensor as operator sources read it. Methods are inline over the runtime library's C
// functions. Unlike the public class, getters of shapes return by value: the two
// libraries share no C++ layout.
#ifndef CC_ACLNN_INCLUDE_OPDEV_COMMON_TYPES_H_
#define CC_ACLNN_INCLUDE_OPDEV_COMMON_TYPES_H_

#include <cstdint>

#include "acl/acl_base.h"
#include "aclnn/acl_meta.h"
#include "cc/aclnn/internal/executor_api.h"
#include "exe_graph/runtime/shape.h"
#include "graph/ascend_string.h"
#include "graph/types.h"
#include "opdev/fast_vector.h"

namespace op {

constexpr uint64_t MAX_DIM_NUM = 25;

using Strides = FVector<int64_t, MAX_DIM_NUM>;
using ShapeVector = FVector<int64_t, MAX_DIM_NUM>;
using Shape = gert::Shape;
using Format = ge::Format;
using DataType = ge::DataType;

namespace internal {

inline Shape MakeShape(const int64_t* dims, uint64_t rank) {
  Shape shape;
  for (uint64_t i = 0; i < rank; ++i) shape.AppendDim(dims[i]);
  return shape;
}

inline AclTwinTensorInfo TensorInfo(const aclTensor* tensor) {
  AclTwinTensorInfo info;
  aclTwinGetTensorInfo(tensor, &info);
  return info;
}

}  // namespace internal
}  // namespace op

// A view of a storage. Never made or destroyed here: aclCreateTensor and executors do.
struct aclTensor {
 public:
  aclTensor() = delete;
  aclTensor(const aclTensor&) = delete;
  aclTensor& operator=(const aclTensor&) = delete;

  op::Shape GetViewShape() const {
    const AclTwinTensorInfo info = op::internal::TensorInfo(this);
    return op::internal::MakeShape(info.dims, info.rank);
  }
  op::Shape GetOriginalShape() const { return GetViewShape(); }
  // As far as the view reaches when the creator gave no storage shape.
  op::Shape GetStorageShape() const {
    const AclTwinTensorInfo info = op::internal::TensorInfo(this);
    return op::internal::MakeShape(info.storage_dims, info.storage_rank);
  }
  // In elements.
  op::Strides GetViewStrides() const {
    const AclTwinTensorInfo info = op::internal::TensorInfo(this);
    return op::Strides(info.strides, info.strides + info.rank);
  }
  // In elements, from the storage's first.
  int64_t GetViewOffset() const { return op::internal::TensorInfo(this).offset; }

  op::DataType GetDataType() const {
    const int32_t dtype = op::internal::TensorInfo(this).dtype;
    return dtype == ACL_DT_UNDEFINED ? op::DataType::DT_UNDEFINED
                                     : static_cast<op::DataType>(dtype);
  }
  op::Format GetStorageFormat() const {
    const int32_t format = op::internal::TensorInfo(this).format;
    return format == ACL_FORMAT_UNDEFINED ? op::Format::FORMAT_MAX
                                          : static_cast<op::Format>(format);
  }
  op::Format GetOriginalFormat() const { return GetStorageFormat(); }
  op::Format GetViewFormat() const { return GetStorageFormat(); }

  // Of the storage, without the offset; null for a tensor that an executor made.
  void* GetStorageAddr() const { return op::internal::TensorInfo(this).data; }
  // Of the view's first element.
  void* GetData() const {
    const AclTwinTensorInfo info = op::internal::TensorInfo(this);
    if (info.data == nullptr) return nullptr;
    return static_cast<char*>(info.data) + info.offset * static_cast<int64_t>(aclDataTypeSize(
                                                             static_cast<aclDataType>(info.dtype)));
  }
  bool IsFromWorkspace() const { return op::internal::TensorInfo(this).from_executor != 0; }

  // The number of elements of the view.
  int64_t Numel() const {
    const AclTwinTensorInfo info = op::internal::TensorInfo(this);
    int64_t count = 1;
    for (uint64_t i = 0; i < info.rank; ++i) {
      if (info.dims[i] == 0) return 0;
      // May wrap only before a later dimension of 0 is met.
      count =
          static_cast<int64_t>(static_cast<uint64_t>(count) * static_cast<uint64_t>(info.dims[i]));
    }
    return count;
  }
  int64_t Size() const { return Numel(); }
  bool IsEmpty() const { return Numel() == 0; }
};

#endif  // CC_ACLNN_INCLUDE_OPDEV_COMMON_TYPES_H_
