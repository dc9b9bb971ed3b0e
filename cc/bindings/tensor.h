// A NumPy array as an aclTensor over the same memory. ArrayView is what is read from
// the array under the GIL; the tensor is made from it without.
#ifndef CC_BINDINGS_TENSOR_H_
#define CC_BINDINGS_TENSOR_H_

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

namespace attnres::bindings {

// Strides are in elements.
struct ArrayView {
  std::vector<int64_t> dims;
  std::vector<int64_t> strides;
  aclDataType dtype = ACL_DT_UNDEFINED;
  void* data = nullptr;
};

// Reads `array` into `*view`. Returns "" or one sentence, that calls the array `name`:
// its dtype has no aclDataType, or a stride is negative or no multiple of the element
// size.
std::string ViewArray(const pybind11::array& array, const std::string& name, ArrayView* view);

// A tensor over the view's memory; null with the runtime's error message on failure.
// The caller destroys it. Precondition: the libraries are loaded.
aclTensor* MakeTensor(const ArrayView& view);

}  // namespace attnres::bindings

#endif  // CC_BINDINGS_TENSOR_H_
