// Stands in for the runtime library in unit tests of cc/host and op_host: collects what the logging
// macros send. Link it instead of libascendcl, never with it.
#ifndef CC_HOST_TESTING_LOG_SINK_H_
#define CC_HOST_TESTING_LOG_SINK_H_

#include <cstdint>
#include <string>
#include <vector>

namespace attnres {
namespace host {

struct LogLine {
  int32_t level;
  std::string text;
};

// All lines since the last call.
std::vector<LogLine> TakeLogLines();

// The last error message that was set, empty at first.
std::string RecentErrorMessage();

}  // namespace host
}  // namespace attnres

#endif  // CC_HOST_TESTING_LOG_SINK_H_
