// Libraries and their kernels for Python; see libraries.h.
#include "cc/bindings/libraries.h"

#include <pybind11/stl.h>

#include <cstdint>
#include <string>

#include "cc/acl/internal/operator_registry.h"
#include "cc/bindings/runtime_library.h"

namespace attnres::bindings {
namespace {

namespace py = pybind11;

py::list Kernels(const std::string& operator_name) {
  py::list result;
  if (Runtime() == nullptr) return result;
  const AclTwinOperator* op = Runtime()->aclTwinFindOperator(operator_name.c_str());
  if (op == nullptr) return result;
  for (uint64_t index = 0; index < op->kernel_count; ++index) {
    const AclTwinKernel& kernel = op->kernels[index];
    py::dict entry;
    entry["arch"] = kernel.arch;
    entry["dtype"] = kernel.dtype;
    entry["tiling_key"] = kernel.tiling_key;
    entry["isa"] = kernel.isa;
    result.append(entry);
  }
  return result;
}

void SetLogLevel(int32_t level) {
  if (Runtime() != nullptr) Runtime()->aclTwinSetLogLevel(level);
}

}  // namespace

void BindLibraries(py::module_& module) {
  module.def("load_libraries", &LoadLibraries, py::arg("runtime_path"), py::arg("operator_paths"),
             "Loads the runtime library, then operator libraries, once in a process; returns \"\" "
             "or what went wrong.");
  module.def("kernels", &Kernels, py::arg("operator_name"),
             "The kernels of a registered operator: dictionaries with arch, dtype, tiling_key and "
             "isa. Empty when it is not registered.");
  module.def("set_log_level", &SetLogLevel, py::arg("level"),
             "0 debug to 3 error for the rest of the process; does nothing before the libraries "
             "are loaded.");
}

}  // namespace attnres::bindings
