// SoC profiles as Python dictionaries; see soc_profiles.h.
#include "cc/bindings/soc_profiles.h"

#include <cstddef>

#include "cc/host/platform/soc_profiles.h"

namespace attnres::bindings {
namespace {

namespace py = pybind11;

py::list SocProfileDicts() {
  size_t count = 0;
  const host::SocProfile* profiles = host::SocProfiles(&count);
  py::list result;
  for (size_t index = 0; index < count; ++index) {
    const host::SocProfile& profile = profiles[index];
    py::dict entry;
    entry["name"] = profile.name;
    entry["short_name"] = profile.short_name;
    entry["npu_arch"] = profile.npu_arch;
    entry["aiv_cores"] = profile.aiv_core_num;
    entry["ub_bytes"] = profile.ub_bytes;
    entry["l2_bytes"] = profile.l2_bytes;
    entry["clock_mhz"] = profile.clock_mhz;
    result.append(entry);
  }
  return result;
}

}  // namespace

void BindSocProfiles(py::module_& module) {
  module.def("soc_profiles", &SocProfileDicts,
             "One dictionary per SoC, in the order of the runtime's devices.");
}

}  // namespace attnres::bindings
