// Binds `prepare` and `repeat`: an aclnn call like an earlier one, without its phase 1 and with
// results made here. aclnn_call.h is the whole call, on the caller's own arrays.
#ifndef CC_BINDINGS_REPEATED_CALL_H_
#define CC_BINDINGS_REPEATED_CALL_H_

#include <pybind11/pybind11.h>

namespace attnres::bindings {

void BindRepeatedCall(pybind11::module_& module);

}  // namespace attnres::bindings

#endif  // CC_BINDINGS_REPEATED_CALL_H_
