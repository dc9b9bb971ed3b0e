// Loading of the twin's libraries, and what is registered in them, for Python.
#ifndef CC_BINDINGS_LIBRARIES_H_
#define CC_BINDINGS_LIBRARIES_H_

#include <pybind11/pybind11.h>

namespace attnres::bindings {

// Adds `load_libraries`, `set_log_level` and `kernels` to the module.
void BindLibraries(pybind11::module_& module);

}  // namespace attnres::bindings

#endif  // CC_BINDINGS_LIBRARIES_H_
