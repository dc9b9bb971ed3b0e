// Logging and checking macros of op_host sources. The first argument names the operator: a string,
// or a context. aclnn sources have their own (opdev/op_log.h).
#ifndef CC_HOST_INCLUDE_OP_COMMON_LOG_LOG_H_
#define CC_HOST_INCLUDE_OP_COMMON_LOG_LOG_H_

#include <cinttypes>
#include <string>
#include <type_traits>

#include "cc/host/log.h"
#include "exe_graph/runtime/shape.h"
#include "graph/types.h"

namespace Ops {
namespace Base {

inline std::string GetOpInfo(const std::string& name) { return name; }
inline std::string GetOpInfo(const char* name) { return name == nullptr ? "nil" : name; }
template <typename Context>
std::string GetOpInfo(Context* context) {
  if (context == nullptr) return "nil:nil";
  return std::string(context->GetNodeType()) + ":" + context->GetNodeName();
}

// "DT_FLOAT16", "ND", "[2, -1, 64]"; the number of an enumerator without a name.
std::string ToString(ge::DataType type);
std::string ToString(ge::Format format);
std::string ToString(const gert::Shape& shape);

}  // namespace Base
}  // namespace Ops

#define ATTNRES_HOST_LOG(level, op, ...)                                         \
  ::attnres::host::Log(::attnres::host::level, __FILE__, __LINE__, __FUNCTION__, \
                       ::Ops::Base::GetOpInfo(op), __VA_ARGS__)

#define OP_LOGD(op, ...) ATTNRES_HOST_LOG(kLogDebug, op, __VA_ARGS__)
#define OP_LOGI(op, ...) ATTNRES_HOST_LOG(kLogInfo, op, __VA_ARGS__)
#define OP_LOGW(op, ...) ATTNRES_HOST_LOG(kLogWarning, op, __VA_ARGS__)
#define OP_LOGE(op, ...) ATTNRES_HOST_LOG(kLogError, op, __VA_ARGS__)

#define OP_CHECK_IF(condition, log, return_expr) \
  do {                                           \
    if (condition) {                             \
      log;                                       \
      return_expr;                               \
    }                                            \
  } while (0)

#define OP_CHECK_NULL_WITH_CONTEXT(context, pointer) \
  do {                                               \
    if ((pointer) == nullptr) {                      \
      OP_LOGE(context, "%s is null", #pointer);      \
      return ge::GRAPH_FAILED;                       \
    }                                                \
  } while (0)

#endif  // CC_HOST_INCLUDE_OP_COMMON_LOG_LOG_H_
