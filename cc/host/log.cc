// Formats log lines and hands them to the runtime library; see log.h.
#include "cc/host/log.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "cc/acl/internal/twin_runtime.h"

namespace attnres {
namespace host {
namespace {

thread_local std::string thread_error;

std::string Format(const char* format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  if (length < 0) return format;
  std::vector<char> text(static_cast<size_t>(length) + 1);
  std::vsnprintf(text.data(), text.size(), format, arguments);
  return text.data();
}

const char* BaseName(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

}  // namespace

void Log(LogLevel level, const char* file, int line, const char* function, const std::string& op,
         const char* format, ...) {
  if (level < kLogError && aclTwinLogEnabled(level) == 0) return;
  va_list arguments;
  va_start(arguments, format);
  const std::string text = Format(format, arguments);
  va_end(arguments);
  const std::string place =
      std::string("[") + BaseName(file) + ":" + std::to_string(line) + "][" + function + "] ";
  aclTwinLog(level, "op_host", (place + "OpName:[" + op + "] " + text).c_str());
  if (level < kLogError) return;
  aclTwinSetErrorMessage(text.c_str());
  thread_error += (thread_error.empty() ? "" : "; ") + text;
}

std::string TakeError() { return std::exchange(thread_error, std::string()); }

}  // namespace host
}  // namespace attnres
