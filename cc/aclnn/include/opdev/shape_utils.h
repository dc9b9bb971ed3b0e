// Text and conversions of shapes.
#ifndef CC_ACLNN_INCLUDE_OPDEV_SHAPE_UTILS_H_
#define CC_ACLNN_INCLUDE_OPDEV_SHAPE_UTILS_H_

#include <string>

#include "opdev/common_types.h"

namespace op {

// "[2,4,64]".
inline ge::AscendString ToString(const Shape& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.GetDimNum(); ++i) {
    text += (i == 0 ? "" : ",") + std::to_string(shape.GetDim(i));
  }
  return ge::AscendString((text + "]").c_str());
}

inline void ToShape(const int64_t* dims, uint64_t dim_num, Shape& shape) {
  shape = internal::MakeShape(dims, dim_num);
}

inline ShapeVector ToShapeVector(const Shape& shape) {
  ShapeVector dims;
  for (size_t i = 0; i < shape.GetDimNum(); ++i) dims.push_back(shape.GetDim(i));
  return dims;
}

}  // namespace op

#endif  // CC_ACLNN_INCLUDE_OPDEV_SHAPE_UTILS_H_
