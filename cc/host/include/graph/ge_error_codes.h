// The other name of graph/error_codes.h.
#ifndef CC_HOST_INCLUDE_GRAPH_GE_ERROR_CODES_H_
#define CC_HOST_INCLUDE_GRAPH_GE_ERROR_CODES_H_

#include "graph/error_codes.h"  // IWYU pragma: export

#endif  // CC_HOST_INCLUDE_GRAPH_GE_ERROR_CODES_H_
