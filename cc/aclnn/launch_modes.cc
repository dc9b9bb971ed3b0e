// The table of modes, and the C function that chooses one for a stream. A new mode is one line
// here.
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "acl/acl_base.h"
#include "cc/acl/internal/stream.h"
#include "cc/acl/internal/twin_runtime.h"
#include "cc/aclnn/check_mode.h"
#include "cc/aclnn/launch_mode.h"
#include "cc/aclnn/time_mode.h"

namespace attnres::aclnn {
namespace {

struct NamedMode {
  const char* name;
  MakeLaunchMode make;
};

constexpr char kRunMode[] = "run";
constexpr NamedMode kModes[] = {
    {"check", &MakeCheckMode},
    {"time", &MakeTimeMode},
};

std::string ModeNames() {
  std::string names = kRunMode;
  for (const NamedMode& mode : kModes) names += std::string(" or ") + mode.name;
  return names;
}

std::vector<ModeOption> ReadOptions(std::string_view lines) {
  std::vector<ModeOption> options;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(line.size() == lines.size() ? line.size() : line.size() + 1);
    if (line.empty()) continue;
    const std::string_view name = line.substr(0, line.find('='));
    const std::string_view value =
        name.size() == line.size() ? std::string_view() : line.substr(name.size() + 1);
    options.push_back({std::string(name), std::string(value)});
  }
  return options;
}

acl::Error SetMode(acl::Stream* stream, const char* name, const char* options) {
  if (name == nullptr) return acl::MakeError(ACL_ERROR_INVALID_PARAM, "mode is null");
  if (strcmp(name, kRunMode) == 0) {
    stream->set_mode(nullptr);
    return {};
  }
  for (const NamedMode& mode : kModes) {
    if (strcmp(name, mode.name) != 0) continue;
    acl::Error error;
    auto made = mode.make(ReadOptions(options == nullptr ? "" : options), &error);
    if (made != nullptr) stream->set_mode(std::move(made));
    return error;
  }
  return acl::MakeError(ACL_ERROR_INVALID_PARAM, "mode is '%s': expected %s", name,
                        ModeNames().c_str());
}

}  // namespace
}  // namespace attnres::aclnn

extern "C" int32_t aclTwinSetStreamMode(aclrtStream handle, const char* mode, const char* options) {
  return attnres::acl::ReportGuarded(ACL_ERROR_BAD_ALLOC, [&] {
    const auto stream = attnres::acl::Stream::Find(handle);
    return stream == nullptr ? attnres::acl::StreamGoneError(ACL_ERROR_RT_INVALID_HANDLE)
                             : attnres::aclnn::SetMode(stream.get(), mode, options);
  });
}
