// Names of element types and formats for messages, as the public enumerations spell them.
#include <cstdio>

#include "acl/acl_base.h"
#include "cc/acl/internal/twin_runtime.h"

namespace {

struct Name {
  int32_t value;
  const char* text;
};

constexpr Name kDataTypes[] = {
    {ACL_DT_UNDEFINED, "DT_UNDEFINED"},
    {ACL_FLOAT, "DT_FLOAT"},
    {ACL_FLOAT16, "DT_FLOAT16"},
    {ACL_INT8, "DT_INT8"},
    {ACL_INT32, "DT_INT32"},
    {ACL_UINT8, "DT_UINT8"},
    {ACL_INT16, "DT_INT16"},
    {ACL_UINT16, "DT_UINT16"},
    {ACL_UINT32, "DT_UINT32"},
    {ACL_INT64, "DT_INT64"},
    {ACL_UINT64, "DT_UINT64"},
    {ACL_DOUBLE, "DT_DOUBLE"},
    {ACL_BOOL, "DT_BOOL"},
    {ACL_STRING, "DT_STRING"},
    {ACL_COMPLEX64, "DT_COMPLEX64"},
    {ACL_COMPLEX128, "DT_COMPLEX128"},
    {ACL_BF16, "DT_BF16"},
    {28, "DT_UNDEFINED"},  // as ge::DataType counts
    {ACL_INT4, "DT_INT4"},
    {ACL_UINT1, "DT_UINT1"},
    {ACL_COMPLEX32, "DT_COMPLEX32"},
    {ACL_HIFLOAT8, "DT_HIFLOAT8"},
    {ACL_FLOAT8_E5M2, "DT_FLOAT8_E5M2"},
    {ACL_FLOAT8_E4M3FN, "DT_FLOAT8_E4M3FN"},
    {ACL_FLOAT8_E8M0, "DT_FLOAT8_E8M0"},
    {ACL_FLOAT6_E3M2, "DT_FLOAT6_E3M2"},
    {ACL_FLOAT6_E2M3, "DT_FLOAT6_E2M3"},
    {ACL_FLOAT4_E2M1, "DT_FLOAT4_E2M1"},
    {ACL_FLOAT4_E1M2, "DT_FLOAT4_E1M2"},
};

constexpr Name kFormats[] = {
    {ACL_FORMAT_UNDEFINED, "UNDEFINED"},
    {ACL_FORMAT_NCHW, "NCHW"},
    {ACL_FORMAT_NHWC, "NHWC"},
    {ACL_FORMAT_ND, "ND"},
    {ACL_FORMAT_NC1HWC0, "NC1HWC0"},
    {ACL_FORMAT_FRACTAL_Z, "FRACTAL_Z"},
    {ACL_FORMAT_NC1HWC0_C04, "NC1HWC0_C04"},
    {ACL_FORMAT_HWCN, "HWCN"},
    {ACL_FORMAT_NDHWC, "NDHWC"},
    {ACL_FORMAT_FRACTAL_NZ, "FRACTAL_NZ"},
    {ACL_FORMAT_NCDHW, "NCDHW"},
    {ACL_FORMAT_NDC1HWC0, "NDC1HWC0"},
    {ACL_FRACTAL_Z_3D, "FRACTAL_Z_3D"},
    {ACL_FORMAT_NC, "NC"},
    {ACL_FORMAT_NCL, "NCL"},
    {255, "UNDEFINED"},  // ge::FORMAT_MAX
};

template <size_t kCount>
const char* Find(const Name (&names)[kCount], int32_t value) {
  for (const Name& name : names) {
    if (name.value == value) return name.text;
  }
  static thread_local char digits[16];
  snprintf(digits, sizeof digits, "%d", value);
  return digits;
}

}  // namespace

extern "C" {

const char* aclTwinDataTypeName(int32_t dtype) { return Find(kDataTypes, dtype); }

const char* aclTwinFormatName(int32_t format) { return Find(kFormats, format); }

}  // extern "C"
