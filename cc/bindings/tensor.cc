// NumPy arrays as aclTensors; see tensor.h.
#include "cc/bindings/tensor.h"

#include "cc/bindings/runtime_library.h"

namespace attnres::bindings {
namespace {

struct DtypeName {
  const char* name;
  aclDataType dtype;
};

// bfloat16 is the dtype that ml_dtypes adds to NumPy, so types are known by name.
constexpr DtypeName kDtypes[] = {
    {"float32", ACL_FLOAT},  {"float16", ACL_FLOAT16}, {"bfloat16", ACL_BF16},
    {"float64", ACL_DOUBLE}, {"int8", ACL_INT8},       {"int16", ACL_INT16},
    {"int32", ACL_INT32},    {"int64", ACL_INT64},     {"uint8", ACL_UINT8},
    {"uint16", ACL_UINT16},  {"uint32", ACL_UINT32},   {"uint64", ACL_UINT64},
    {"bool", ACL_BOOL},
};

aclDataType FindDtype(const std::string& name) {
  for (const DtypeName& row : kDtypes) {
    if (name == row.name) return row.dtype;
  }
  return ACL_DT_UNDEFINED;
}

}  // namespace

std::string ViewArray(const pybind11::array& array, const std::string& name, ArrayView* view) {
  const pybind11::dtype dtype = array.dtype();
  const std::string dtype_name = pybind11::str(dtype.attr("name"));
  view->dtype = FindDtype(dtype_name);
  if (view->dtype == ACL_DT_UNDEFINED || !dtype.attr("isnative").cast<bool>()) {
    return name + " has dtype " + std::string(pybind11::str(dtype)) +
           "; expected one that aclDataType has, in the machine's byte order";
  }
  const int64_t element_bytes = array.itemsize();
  for (pybind11::ssize_t axis = 0; axis < array.ndim(); ++axis) {
    const int64_t stride_bytes = array.strides(axis);
    if (stride_bytes < 0 || stride_bytes % element_bytes != 0) {
      return name + " has a stride of " + std::to_string(stride_bytes) +
             " bytes; expected a multiple of " + std::to_string(element_bytes) + ", not negative";
    }
    view->dims.push_back(array.shape(axis));
    view->strides.push_back(stride_bytes / element_bytes);
  }
  // The C interface takes the address of inputs, too, without const.
  view->data = const_cast<void*>(array.data());
  return "";
}

aclTensor* MakeTensor(const ArrayView& view) {
  // The storage is as long as the view reaches: NumPy does not say what lies around it.
  int64_t storage_elements = 1;
  for (size_t axis = 0; axis < view.dims.size(); ++axis) {
    if (view.dims[axis] == 0) {
      storage_elements = 0;
      break;
    }
    storage_elements += (view.dims[axis] - 1) * view.strides[axis];
  }
  return Runtime()->aclCreateTensor(view.dims.data(), view.dims.size(), view.dtype,
                                    view.strides.data(), /*offset=*/0, ACL_FORMAT_ND,
                                    &storage_elements, 1, view.data);
}

}  // namespace attnres::bindings
