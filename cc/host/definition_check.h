// Holds one call against an operator's definition: SoC, number of tensors, data types and formats
// in one supported combination, attributes. Each function returns "" or one sentence.
// tiling_entry.cc asks before it lets the operator's tiling run.
#ifndef CC_HOST_DEFINITION_CHECK_H_
#define CC_HOST_DEFINITION_CHECK_H_

#include <cstdint>
#include <string>

#include "cc/acl/internal/operator_registry.h"
#include "exe_graph/runtime/compute_node_info.h"
#include "register/op_def.h"

namespace attnres {
namespace host {

// `soc` is a short name. The sentence lists the SoCs of the definition.
std::string CheckSoc(const ops::OpDef& definition, const std::string& soc);

// Every input and output of a call is given, as the twin has no optional ones.
std::string CheckTensors(const ops::OpDef& definition, const AclTwinTilingRequest& request);

// Adds the call's attributes to `attrs`, then the defaults of those that were left out at the end.
std::string AppendAttrs(const ops::OpDef& definition, const AclTwinTilingRequest& request,
                        gert::RuntimeAttrs* attrs);

}  // namespace host
}  // namespace attnres

#endif  // CC_HOST_DEFINITION_CHECK_H_
