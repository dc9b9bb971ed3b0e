// Binds `native_call`, the capsule with the function of native_call.h.
#ifndef CC_BINDINGS_NATIVE_CALL_BINDING_H_
#define CC_BINDINGS_NATIVE_CALL_BINDING_H_

#include <pybind11/pybind11.h>

namespace attnres::bindings {

void BindNativeCall(pybind11::module_& module);

}  // namespace attnres::bindings

#endif  // CC_BINDINGS_NATIVE_CALL_BINDING_H_
