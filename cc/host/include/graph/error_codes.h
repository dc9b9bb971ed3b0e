// ge::graphStatus: what operator functions (tiling, shape and type inference) return.
#ifndef CC_HOST_INCLUDE_GRAPH_ERROR_CODES_H_
#define CC_HOST_INCLUDE_GRAPH_ERROR_CODES_H_

#include <cstdint>

namespace ge {

using graphStatus = uint32_t;

const graphStatus GRAPH_SUCCESS = 0;
const graphStatus GRAPH_FAILED = 0xFFFFFFFF;
const graphStatus GRAPH_PARAM_INVALID = 50331649;

}  // namespace ge

#endif  // CC_HOST_INCLUDE_GRAPH_ERROR_CODES_H_
