// NumPy arrays for results: small ones from NumPy's allocator, large ones over ResultMemory.
#ifndef CC_BINDINGS_RESULT_ARRAY_H_
#define CC_BINDINGS_RESULT_ARRAY_H_

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <vector>

namespace attnres::bindings {

// A new C-contiguous array of any content, as numpy.empty. Raises MemoryError as a C++ exception.
pybind11::array ResultArray(const pybind11::dtype& dtype,
                            const std::vector<pybind11::ssize_t>& shape);

void BindResultArray(pybind11::module_& module);

}  // namespace attnres::bindings

#endif  // CC_BINDINGS_RESULT_ARRAY_H_
