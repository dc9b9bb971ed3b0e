// Names, sizes and conversions of element types.
#ifndef CC_ACLNN_INCLUDE_OPDEV_DATA_TYPE_UTILS_H_
#define CC_ACLNN_INCLUDE_OPDEV_DATA_TYPE_UTILS_H_

#include <cstddef>

#include "cc/acl/internal/twin_runtime.h"
#include "opdev/common_types.h"

namespace op {

// "DT_FLOAT16".
inline ge::AscendString ToString(DataType data_type) {
  return ge::AscendString(aclTwinDataTypeName(static_cast<int32_t>(data_type)));
}

// Bytes of one element; 0 where there is no whole number of them.
inline size_t TypeSize(DataType data_type) {
  return aclDataTypeSize(static_cast<aclDataType>(data_type));
}

constexpr DataType ToOpDataType(aclDataType data_type) {
  return data_type == ACL_DT_UNDEFINED ? DataType::DT_UNDEFINED : static_cast<DataType>(data_type);
}

constexpr aclDataType ToAclDataType(DataType data_type) {
  return data_type == DataType::DT_UNDEFINED ? ACL_DT_UNDEFINED
                                             : static_cast<aclDataType>(data_type);
}

}  // namespace op

#endif  // CC_ACLNN_INCLUDE_OPDEV_DATA_TYPE_UTILS_H_
