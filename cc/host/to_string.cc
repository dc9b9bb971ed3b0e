// Text of data types, formats and shapes for messages; declared in op_common/log/log.h.
#include "op_common/log/log.h"

namespace Ops {
namespace Base {
namespace {

template <typename Enum>
struct Name {
  Enum value;
  const char* text;
};

constexpr Name<ge::DataType> kDataTypes[] = {
    {ge::DT_FLOAT, "DT_FLOAT"},
    {ge::DT_FLOAT16, "DT_FLOAT16"},
    {ge::DT_INT8, "DT_INT8"},
    {ge::DT_INT32, "DT_INT32"},
    {ge::DT_UINT8, "DT_UINT8"},
    {ge::DT_INT16, "DT_INT16"},
    {ge::DT_UINT16, "DT_UINT16"},
    {ge::DT_UINT32, "DT_UINT32"},
    {ge::DT_INT64, "DT_INT64"},
    {ge::DT_UINT64, "DT_UINT64"},
    {ge::DT_DOUBLE, "DT_DOUBLE"},
    {ge::DT_BOOL, "DT_BOOL"},
    {ge::DT_STRING, "DT_STRING"},
    {ge::DT_COMPLEX64, "DT_COMPLEX64"},
    {ge::DT_COMPLEX128, "DT_COMPLEX128"},
    {ge::DT_BF16, "DT_BF16"},
    {ge::DT_UNDEFINED, "DT_UNDEFINED"},
    {ge::DT_INT4, "DT_INT4"},
};

constexpr Name<ge::Format> kFormats[] = {
    {ge::FORMAT_NCHW, "NCHW"},
    {ge::FORMAT_NHWC, "NHWC"},
    {ge::FORMAT_ND, "ND"},
    {ge::FORMAT_NC1HWC0, "NC1HWC0"},
    {ge::FORMAT_FRACTAL_Z, "FRACTAL_Z"},
    {ge::FORMAT_HWCN, "HWCN"},
    {ge::FORMAT_NDHWC, "NDHWC"},
    {ge::FORMAT_FRACTAL_NZ, "FRACTAL_NZ"},
    {ge::FORMAT_NCDHW, "NCDHW"},
    {ge::FORMAT_NC, "NC"},
    {ge::FORMAT_NCL, "NCL"},
};

template <typename Enum, size_t kCount>
std::string Find(const Name<Enum> (&names)[kCount], Enum value) {
  for (const Name<Enum>& name : names) {
    if (name.value == value) return name.text;
  }
  return std::to_string(static_cast<int>(value));
}

}  // namespace

std::string ToString(ge::DataType type) { return Find(kDataTypes, type); }

std::string ToString(ge::Format format) { return Find(kFormats, format); }

std::string ToString(const gert::Shape& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.GetDimNum(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(shape.GetDim(i));
  }
  return text + "]";
}

}  // namespace Base
}  // namespace Ops
