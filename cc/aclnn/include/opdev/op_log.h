// Logging and the check macros of aclnn sources. OP_LOGE also makes its text the
// thread's recent error message. Sources of op_host log through op_common/log/log.h.
#ifndef CC_ACLNN_INCLUDE_OPDEV_OP_LOG_H_
#define CC_ACLNN_INCLUDE_OPDEV_OP_LOG_H_

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "cc/acl/internal/twin_runtime.h"
#include "opdev/op_errno.h"

namespace op {
namespace internal {

constexpr size_t kLogBytes = 2048;

inline void WriteLog(int32_t level, const char* file, int line, const char* function,
                     const char* text) {
  const char* slash = std::strrchr(file, '/');
  char place_and_text[kLogBytes + 256];
  std::snprintf(place_and_text, sizeof place_and_text, "[%s:%d][%s] %s",
                slash == nullptr ? file : slash + 1, line, function, text);
  aclTwinLog(level, "aclnn", place_and_text);
}

// One line at `level`.
__attribute__((format(printf, 5, 6))) inline void Log(int32_t level, const char* file, int line,
                                                      const char* function, const char* format,
                                                      ...) {
  char text[kLogBytes];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  WriteLog(level, file, line, function, text);
}

// One line at ERROR, and the text as the recent error message.
__attribute__((format(printf, 5, 6))) inline void LogError(int32_t code, const char* file, int line,
                                                           const char* function, const char* format,
                                                           ...) {
  char text[kLogBytes];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  aclTwinSetErrorMessage(text);
  if (aclTwinLogEnabled(ACL_ERROR) == 0) return;
  char with_code[kLogBytes];
  std::snprintf(with_code, sizeof with_code, "errno[%d] %s", code, text);
  WriteLog(ACL_ERROR, file, line, function, with_code);
}

}  // namespace internal
}  // namespace op

#define OP_TWIN_LOG(level, ...)                                            \
  do {                                                                     \
    if (aclTwinLogEnabled(level) != 0) {                                   \
      op::internal::Log(level, __FILE__, __LINE__, __func__, __VA_ARGS__); \
    }                                                                      \
  } while (false)

#define OP_LOGD(...) OP_TWIN_LOG(ACL_DEBUG, __VA_ARGS__)
#define OP_LOGI(...) OP_TWIN_LOG(ACL_INFO, __VA_ARGS__)
#define OP_LOGW(...) OP_TWIN_LOG(ACL_WARNING, __VA_ARGS__)
#define OP_LOGE_WITHOUT_REPORT(errno, ...) OP_TWIN_LOG(ACL_ERROR, __VA_ARGS__)
#define OP_LOGE(errno, ...) op::internal::LogError(errno, __FILE__, __LINE__, __func__, __VA_ARGS__)

// Returns `ret_value` from the enclosing function unless `condition` holds. The recent
// error message stays what it is.
#define CHECK_RET(condition, ret_value)                                        \
  do {                                                                         \
    if (!(condition)) {                                                        \
      OP_LOGE_WITHOUT_REPORT(ACLNN_ERR_INNER, "check %s failed.", #condition); \
      return ret_value;                                                        \
    }                                                                          \
  } while (false)

#define CHECK_COND(cond, ret, ...) \
  do {                             \
    if (!(cond)) {                 \
      OP_LOGE(ret, __VA_ARGS__);   \
      return ret;                  \
    }                              \
  } while (false)

#define OP_CHECK(cond, log_func, return_expr) \
  do {                                        \
    if (!(cond)) {                            \
      log_func;                               \
      return_expr;                            \
    }                                         \
  } while (false)

#endif  // CC_ACLNN_INCLUDE_OPDEV_OP_LOG_H_
