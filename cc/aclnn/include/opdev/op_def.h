// Core types of operators. The public header's dictionaries of operator types have no
// place here: operators are known by name (opdev/op_dfx.h).
#ifndef CC_ACLNN_INCLUDE_OPDEV_OP_DEF_H_
#define CC_ACLNN_INCLUDE_OPDEV_OP_DEF_H_

#include "aclnn/aclnn_base.h"

namespace op {

enum CoreType { AI_CORE = 0, AI_CPU, DVPP, NO_CALC };

}  // namespace op

#endif  // CC_ACLNN_INCLUDE_OPDEV_OP_DEF_H_
