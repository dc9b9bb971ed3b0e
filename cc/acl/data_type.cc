// Element sizes and the float16 conversions of the acl interface.
#include <cstring>

#include "acl/acl_base.h"

namespace {

uint32_t BitsOf(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

float FloatOf(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace

extern "C" {

size_t aclDataTypeSize(aclDataType dataType) {
  switch (dataType) {
    case ACL_INT8:
    case ACL_UINT8:
    case ACL_BOOL:
    case ACL_HIFLOAT8:
    case ACL_FLOAT8_E5M2:
    case ACL_FLOAT8_E4M3FN:
    case ACL_FLOAT8_E8M0:
      return 1;
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_INT16:
    case ACL_UINT16:
      return 2;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
    case ACL_COMPLEX32:
      return 4;
    case ACL_INT64:
    case ACL_UINT64:
    case ACL_DOUBLE:
    case ACL_COMPLEX64:
      return 8;
    case ACL_COMPLEX128:
      return 16;
    default:
      return 0;
  }
}

float aclFloat16ToFloat(aclFloat16 value) {
  const uint32_t sign = static_cast<uint32_t>(value & 0x8000u) << 16;
  const uint32_t exponent = (value >> 10) & 0x1fu;
  const uint32_t fraction = value & 0x3ffu;
  if (exponent == 0x1fu) return FloatOf(sign | 0x7f800000u | (fraction << 13));
  if (exponent != 0) return FloatOf(sign | ((exponent + 112) << 23) | (fraction << 13));
  // Subnormal: fraction * 2^-24, exact in float32.
  const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
  return FloatOf(sign | BitsOf(magnitude));
}

aclFloat16 aclFloatToFloat16(float value) {
  const uint32_t bits = BitsOf(value);
  const uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) {  // NaN: keep the top of its payload and make it quiet
    return static_cast<aclFloat16>(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
  }
  if (magnitude >= 0x477ff000u) return static_cast<aclFloat16>(sign | 0x7c00u);  // rounds to 2^16
  if (magnitude < 0x38800000u) {
    // Below 2^-14: adding 0.5 puts the subnormal's last bit at float32's, so that the addition
    // itself rounds to nearest even.
    const uint32_t rounded = BitsOf(FloatOf(magnitude) + 0.5f) - 0x3f000000u;
    return static_cast<aclFloat16>(sign | rounded);
  }
  const uint32_t odd = (magnitude >> 13) & 1u;
  return static_cast<aclFloat16>(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13));
}

}  // extern "C"
