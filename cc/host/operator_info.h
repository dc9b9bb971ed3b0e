// What a definition says of an operator on one SoC, in the format in which CANN's operator packages
// keep it: a section of aic-<soc>-ops-info.ini. tools/package makes the .json of a package from it.
#ifndef CC_HOST_OPERATOR_INFO_H_
#define CC_HOST_OPERATOR_INFO_H_

#include <string>

#include "register/op_def.h"

namespace attnres {
namespace host {

// One line per property, `input0.dtype=float16,bfloat16`, below the line `[OpType]`. "" when the
// definition has no configuration for `soc`, a short name such as ascend910b.
std::string OperatorInfo(const ops::OpDef& definition, const std::string& soc);

}  // namespace host
}  // namespace attnres

#endif  // CC_HOST_OPERATOR_INFO_H_
