// Errors inside the runtime library: a code and one sentence, carried by value, and
// the step that makes an error the calling thread's recent one. The C interface
// returns codes only, so each of its functions ends in Report.
#ifndef CC_ACL_INTERNAL_ERROR_MESSAGE_H_
#define CC_ACL_INTERNAL_ERROR_MESSAGE_H_

#include <cstdint>
#include <exception>
#include <string>

namespace attnres::acl {

// Success is code 0 with no message.
struct Error {
  int32_t code = 0;
  std::string message;

  bool ok() const { return code == 0; }
};

// printf-style construction of an error.
Error MakeError(int32_t code, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Makes a failed `error` the thread's recent message and returns its code; does
// nothing for success.
int32_t Report(const Error& error);

// MakeError and Report in one, for the common case.
int32_t ReportError(int32_t code, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Reports the Error that `action()` returns. An exception, which only a lack of memory or
// threads can raise, becomes `code`: none may cross the C interface.
template <typename Action>
int32_t ReportGuarded(int32_t code, const Action& action) {
  try {
    return Report(action());
  } catch (const std::exception& exception) {
    return ReportError(code, "out of resources: %s", exception.what());
  }
}

}  // namespace attnres::acl

#endif  // CC_ACL_INTERNAL_ERROR_MESSAGE_H_
