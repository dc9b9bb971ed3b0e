// The Python extension _twin: the CPU twin's runtime for Python. It knows no operator; each
// concept is bound in a file of its own.
#include <pybind11/pybind11.h>

#include "cc/bindings/aclnn_call.h"
#include "cc/bindings/libraries.h"
#include "cc/bindings/native_call_binding.h"
#include "cc/bindings/repeated_call.h"
#include "cc/bindings/result_array.h"
#include "cc/bindings/soc_profiles.h"

PYBIND11_MODULE(_twin, module) {
  module.doc() =
      "The runtime of the CPU twin: libraries, SoC profiles, aclnn calls on NumPy memory.";
  attnres::bindings::BindAclnnCall(module);
  attnres::bindings::BindLibraries(module);
  attnres::bindings::BindNativeCall(module);
  attnres::bindings::BindRepeatedCall(module);
  attnres::bindings::BindResultArray(module);
  attnres::bindings::BindSocProfiles(module);
}
