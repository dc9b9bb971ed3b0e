// Where the logging macros of operator sources (op_common/log/log.h) end: lines go to the runtime
// library through aclTwinLog, errors also become the thread's recent error message.
#ifndef CC_HOST_LOG_H_
#define CC_HOST_LOG_H_

#include <string>

namespace attnres {
namespace host {

// The values are those of aclLogLevel.
enum LogLevel { kLogDebug = 0, kLogInfo = 1, kLogWarning = 2, kLogError = 3 };

// Formats as printf does and logs "[file:line][function] OpName:[op] text". At kLogError the text
// alone also becomes the recent error message and what TakeError() returns.
void Log(LogLevel level, const char* file, int line, const char* function, const std::string& op,
         const char* format, ...) __attribute__((format(printf, 6, 7)));

// The texts that this thread logged at kLogError since the last call, joined with "; ".
std::string TakeError();

}  // namespace host
}  // namespace attnres

#endif  // CC_HOST_LOG_H_
