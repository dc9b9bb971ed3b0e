// gert::StorageShape: the shape that the caller gave (origin) and the one in memory (storage),
// which differ only for private formats.
#ifndef CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_STORAGE_SHAPE_H_
#define CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_STORAGE_SHAPE_H_

#include <initializer_list>

#include "exe_graph/runtime/shape.h"

namespace gert {

struct StorageShape {
 public:
  StorageShape() = default;
  StorageShape(std::initializer_list<int64_t> origin_shape,
               std::initializer_list<int64_t> storage_shape)
      : origin_shape_(origin_shape), storage_shape_(storage_shape) {}

  const Shape& GetOriginShape() const { return origin_shape_; }
  const Shape& GetShape() const { return origin_shape_; }
  const Shape& GetStorageShape() const { return storage_shape_; }
  Shape& MutableShape() { return origin_shape_; }
  Shape& MutableOriginShape() { return origin_shape_; }
  Shape& MutableStorageShape() { return storage_shape_; }

  bool operator==(const StorageShape& other) const {
    return origin_shape_ == other.origin_shape_ && storage_shape_ == other.storage_shape_;
  }
  bool operator!=(const StorageShape& other) const { return !(*this == other); }

 private:
  Shape origin_shape_;
  Shape storage_shape_;
};

}  // namespace gert

#endif  // CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_STORAGE_SHAPE_H_
