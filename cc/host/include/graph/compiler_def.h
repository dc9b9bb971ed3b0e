// Attributes that registration macros put on their static objects.
#ifndef CC_HOST_INCLUDE_GRAPH_COMPILER_DEF_H_
#define CC_HOST_INCLUDE_GRAPH_COMPILER_DEF_H_

#define VAR_UNUSED __attribute__((unused))

#endif  // CC_HOST_INCLUDE_GRAPH_COMPILER_DEF_H_
