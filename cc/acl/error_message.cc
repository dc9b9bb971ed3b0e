// The thread's recent error message behind aclGetRecentErrMsg. A plain buffer per
// thread: no destructor runs at thread exit, so late callers are safe.
#include "cc/acl/internal/error_message.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "acl/acl_rt.h"
#include "cc/acl/internal/twin_runtime.h"

namespace attnres::acl {
namespace {

constexpr size_t kMessageBytes = 2048;

thread_local char recent_message[kMessageBytes];

std::string Format(const char* format, va_list arguments) {
  char text[kMessageBytes];
  vsnprintf(text, sizeof text, format, arguments);
  return text;
}

}  // namespace

Error MakeError(int32_t code, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  Error error{code, Format(format, arguments)};
  va_end(arguments);
  return error;
}

int32_t Report(const Error& error) {
  if (!error.ok()) aclTwinSetErrorMessage(error.message.c_str());
  return error.code;
}

int32_t ReportError(int32_t code, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const Error error{code, Format(format, arguments)};
  va_end(arguments);
  return Report(error);
}

}  // namespace attnres::acl

extern "C" {

void aclTwinSetErrorMessage(const char* message) {
  using attnres::acl::recent_message;
  if (message == nullptr) message = "";
  const size_t length = strnlen(message, sizeof recent_message - 1);
  memmove(recent_message, message, length);  // the caller may pass the message itself
  recent_message[length] = '\0';
}

const char* aclGetRecentErrMsg(void) { return attnres::acl::recent_message; }

}  // extern "C"
