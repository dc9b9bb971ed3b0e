// A whole call of any two-phase aclnn interface, found by name in the runtime's operator
// table: tensors over NumPy memory, phase 1, workspace, phase 2, synchronisation.
#ifndef CC_BINDINGS_ACLNN_CALL_H_
#define CC_BINDINGS_ACLNN_CALL_H_

#include <pybind11/pybind11.h>

namespace attnres::bindings {

// Adds `call` to the module.
void BindAclnnCall(pybind11::module_& module);

}  // namespace attnres::bindings

#endif  // CC_BINDINGS_ACLNN_CALL_H_
