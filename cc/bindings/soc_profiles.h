// The table of SoC profiles (cc/host/platform) for Python.
#ifndef CC_BINDINGS_SOC_PROFILES_H_
#define CC_BINDINGS_SOC_PROFILES_H_

#include <pybind11/pybind11.h>

namespace attnres::bindings {

// Adds `soc_profiles` to the module.
void BindSocProfiles(pybind11::module_& module);

}  // namespace attnres::bindings

#endif  // CC_BINDINGS_SOC_PROFILES_H_
