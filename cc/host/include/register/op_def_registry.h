// OP_ADD(Type): registers the operator whose definition is the class Type, derived from ops::OpDef.
#ifndef CC_HOST_INCLUDE_REGISTER_OP_DEF_REGISTRY_H_
#define CC_HOST_INCLUDE_REGISTER_OP_DEF_REGISTRY_H_

#include "register/op_def.h"  // IWYU pragma: export

namespace ops {

// Keeps the definition, and the functions it names, under its type. Returns 0.
int RegisterOpDef(const OpDef& definition);

}  // namespace ops

#define OP_ADD(op_type, ...) \
  [[maybe_unused]] static const int g_##op_type##_added = ops::RegisterOpDef(op_type(#op_type))

#endif  // CC_HOST_INCLUDE_REGISTER_OP_DEF_REGISTRY_H_
