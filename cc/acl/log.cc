// The one logging unit of both libraries: levels and destination as CANN users
// steer them (see aclTwinLogEnabled). A line is written with a single call, so
// lines of different threads do not mix.
#include <strings.h>
#include <unistd.h>

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "acl/acl_base.h"
#include "cc/acl/internal/twin_runtime.h"

namespace attnres::acl {
namespace {

constexpr int32_t kFollowEnvironment = -1;
constexpr int32_t kSilent = ACL_ERROR + 1;

std::atomic<int32_t> level_override{kFollowEnvironment};

struct LogSettings {
  int32_t threshold = kSilent;
  bool to_stdout = false;
};

LogSettings ReadEnvironment() {
  LogSettings settings;
  const char* print = getenv("ASCEND_SLOG_PRINT_TO_STDOUT");
  settings.to_stdout = print != nullptr && strcmp(print, "1") == 0;
  const char* level = getenv("ASCEND_GLOBAL_LOG_LEVEL");
  const bool level_is_set = level != nullptr && *level != '\0';
  if (!level_is_set && !settings.to_stdout) return settings;
  settings.threshold = ACL_ERROR;
  if (level_is_set) {
    char* end = nullptr;
    const long value = strtol(level, &end, 10);
    if (*end == '\0' && value >= ACL_DEBUG && value <= kSilent) {
      settings.threshold = static_cast<int32_t>(value);
    }
  }
  return settings;
}

const LogSettings& Settings() {
  static const LogSettings settings = ReadEnvironment();
  return settings;
}

const char* LevelName(int32_t level) {
  switch (level) {
    case ACL_DEBUG:
      return "DEBUG";
    case ACL_INFO:
      return "INFO";
    case ACL_WARNING:
      return "WARNING";
    default:
      return "ERROR";
  }
}

}  // namespace
}  // namespace attnres::acl

extern "C" {

int32_t aclTwinLogEnabled(int32_t level) {
  using attnres::acl::level_override;
  const int32_t forced = level_override.load(std::memory_order_relaxed);
  const int32_t threshold =
      forced != attnres::acl::kFollowEnvironment ? forced : attnres::acl::Settings().threshold;
  return level >= threshold ? 1 : 0;
}

void aclTwinLog(int32_t level, const char* module, const char* text) {
  if (aclTwinLogEnabled(level) == 0) return;
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  tm local;
  localtime_r(&now.tv_sec, &local);
  char head[128];
  snprintf(head, sizeof head, "[%s] ATTNRES(%ld):%04d-%02d-%02d-%02d:%02d:%02d.%03ld [%s] ",
           attnres::acl::LevelName(level), static_cast<long>(getpid()), local.tm_year + 1900,
           local.tm_mon + 1, local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec,
           now.tv_nsec / 1000000, module == nullptr ? "" : module);
  const std::string line = std::string(head) + (text == nullptr ? "" : text) + "\n";
  FILE* destination = attnres::acl::Settings().to_stdout ? stdout : stderr;
  fwrite(line.data(), 1, line.size(), destination);
  fflush(destination);
}

void aclTwinSetLogLevel(int32_t level) {
  const bool known = level >= ACL_DEBUG && level <= ACL_ERROR;
  attnres::acl::level_override.store(known ? level : attnres::acl::kFollowEnvironment,
                                     std::memory_order_relaxed);
}

void aclAppLog(aclLogLevel logLevel, const char* func, const char* file, uint32_t line,
               const char* fmt, ...) {
  if (aclTwinLogEnabled(logLevel) == 0 || fmt == nullptr) return;
  char message[2048];
  va_list arguments;
  va_start(arguments, fmt);
  vsnprintf(message, sizeof message, fmt, arguments);
  va_end(arguments);
  const char* name = file == nullptr ? "" : file;
  if (const char* slash = strrchr(name, '/')) name = slash + 1;
  char place[256];
  snprintf(place, sizeof place, "%s:%u %s", name, line, func == nullptr ? "" : func);
  aclTwinLog(logLevel, "app", (std::string(place) + ": " + message).c_str());
}

}  // extern "C"
