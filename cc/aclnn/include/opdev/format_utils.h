// Names and conversions of formats.
#ifndef CC_ACLNN_INCLUDE_OPDEV_FORMAT_UTILS_H_
#define CC_ACLNN_INCLUDE_OPDEV_FORMAT_UTILS_H_

#include "cc/acl/internal/twin_runtime.h"
#include "opdev/common_types.h"

namespace op {

// "ND".
inline ge::AscendString ToString(Format format) {
  return ge::AscendString(aclTwinFormatName(static_cast<int32_t>(format)));
}

constexpr Format ToOpFormat(aclFormat format) {
  return format == ACL_FORMAT_UNDEFINED ? Format::FORMAT_MAX : static_cast<Format>(format);
}

// A format that only the device's cube units use; a caller's tensor has none of these here.
constexpr bool IsPrivateFormat(Format format) {
  return format == Format::FORMAT_NC1HWC0 || format == Format::FORMAT_FRACTAL_Z ||
         format == Format::FORMAT_FRACTAL_NZ || format == Format::FORMAT_NDC1HWC0 ||
         format == Format::FORMAT_FRACTAL_Z_3D;
}

}  // namespace op

#endif  // CC_ACLNN_INCLUDE_OPDEV_FORMAT_UTILS_H_
