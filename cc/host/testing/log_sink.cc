// The sink's C functions and what they keep; see log_sink.h.
#include "cc/host/testing/log_sink.h"

#include <mutex>
#include <utility>

#include "cc/acl/internal/twin_runtime.h"

namespace attnres {
namespace host {
namespace {

struct Sink {
  std::mutex mutex;
  std::vector<LogLine> lines;
  std::string error;
};

Sink& GetSink() {
  static auto* const sink = new Sink();
  return *sink;
}

}  // namespace

std::vector<LogLine> TakeLogLines() {
  Sink& sink = GetSink();
  const std::lock_guard<std::mutex> lock(sink.mutex);
  return std::exchange(sink.lines, {});
}

std::string RecentErrorMessage() {
  Sink& sink = GetSink();
  const std::lock_guard<std::mutex> lock(sink.mutex);
  return sink.error;
}

}  // namespace host
}  // namespace attnres

extern "C" {

int32_t aclTwinLogEnabled(int32_t /*level*/) { return 1; }

void aclTwinLog(int32_t level, const char* /*module*/, const char* text) {
  attnres::host::Sink& sink = attnres::host::GetSink();
  const std::lock_guard<std::mutex> lock(sink.mutex);
  sink.lines.push_back({level, text});
}

void aclTwinSetErrorMessage(const char* message) {
  attnres::host::Sink& sink = attnres::host::GetSink();
  const std::lock_guard<std::mutex> lock(sink.mutex);
  sink.error = message;
}

}  // extern "C"
