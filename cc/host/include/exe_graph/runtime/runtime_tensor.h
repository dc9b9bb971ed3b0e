// gert::Tensor as operator functions see it: shape, format, data type and, where an input's values
// matter to them, its address.
#ifndef CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_RUNTIME_TENSOR_H_
#define CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_RUNTIME_TENSOR_H_

#include <cstdint>

#include "exe_graph/runtime/storage_format.h"
#include "exe_graph/runtime/storage_shape.h"
#include "graph/types.h"

namespace gert {

class Tensor {
 public:
  Tensor() = default;
  Tensor(const StorageShape& shape, const StorageFormat& format, ge::DataType data_type)
      : shape_(shape), format_(format), data_type_(data_type) {}

  int64_t GetShapeSize() const { return shape_.GetStorageShape().GetShapeSize(); }
  const StorageShape& GetShape() const { return shape_; }
  StorageShape& GetShape() { return shape_; }
  const Shape& GetOriginShape() const { return shape_.GetOriginShape(); }
  Shape& MutableOriginShape() { return shape_.MutableOriginShape(); }
  const Shape& GetStorageShape() const { return shape_.GetStorageShape(); }
  Shape& MutableStorageShape() { return shape_.MutableStorageShape(); }

  const StorageFormat& GetFormat() const { return format_; }
  ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }
  ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }

  ge::DataType GetDataType() const { return data_type_; }
  void SetDataType(ge::DataType data_type) { data_type_ = data_type; }

  // Null unless the operator declared that it needs the values of this input.
  const void* GetAddr() const { return address_; }
  template <typename T>
  const T* GetData() const {
    return static_cast<const T*>(address_);
  }

 private:
  StorageShape shape_;
  StorageFormat format_;
  ge::DataType data_type_ = ge::DT_UNDEFINED;
  const void* address_ = nullptr;
};

}  // namespace gert

#endif  // CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_RUNTIME_TENSOR_H_
