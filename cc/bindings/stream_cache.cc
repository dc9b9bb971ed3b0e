// Streams per thread and SoC; see stream_cache.h.
#include "cc/bindings/stream_cache.h"

#include <unistd.h>

#include <atomic>
#include <map>
#include <memory>

#include "cc/bindings/runtime_library.h"

namespace attnres::bindings {
namespace {

using StreamMap = std::map<std::string, std::unique_ptr<CachedStream>>;

// The process that first made a stream; 0 before.
std::atomic<pid_t> owner{0};

StreamMap& ThreadStreams() {
  thread_local StreamMap streams;
  return streams;
}

bool IsForeignFork() {
  const pid_t self = getpid();
  pid_t expected = 0;
  return !owner.compare_exchange_strong(expected, self) && expected != self;
}

std::string RecentError(const RuntimeFunctions& runtime) {
  const char* message = runtime.aclGetRecentErrMsg();
  return message == nullptr ? "" : message;
}

}  // namespace

CachedStream::~CachedStream() {
  // The threads of the runtime do not live in a fork; waiting for them would never end.
  if (getpid() != owner.load()) return;
  const RuntimeFunctions* runtime = Runtime();
  runtime->aclrtDestroyStream(handle_);
  if (workspace_ != nullptr) runtime->aclrtFree(workspace_);
}

void* CachedStream::Workspace(uint64_t bytes) {
  if (bytes == 0) return nullptr;
  if (bytes <= workspace_bytes_) return workspace_;
  const RuntimeFunctions* runtime = Runtime();
  if (workspace_ != nullptr) runtime->aclrtFree(workspace_);
  workspace_ = nullptr;
  workspace_bytes_ = 0;
  if (runtime->aclrtMalloc(&workspace_, bytes, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) {
    workspace_ = nullptr;
    return nullptr;
  }
  workspace_bytes_ = bytes;
  return workspace_;
}

CachedStream* StreamFor(const std::string& soc, std::string* error) {
  if (IsForeignFork()) {
    *error =
        "this process was forked from one that uses the runtime, whose threads a fork does not "
        "have; start processes with the spawn method";
    return nullptr;
  }
  StreamMap& streams = ThreadStreams();
  const auto found = streams.find(soc);
  if (found != streams.end()) return found->second.get();

  const RuntimeFunctions* runtime = Runtime();
  const int32_t device = runtime->aclTwinFindDevice(soc.c_str());
  if (device < 0) {
    *error = "the runtime has no device of SoC " + soc;
    return nullptr;
  }
  const ScopedDevice current(device);
  aclrtStream handle = nullptr;
  if (!current.ok() || runtime->aclrtCreateStream(&handle) != ACL_SUCCESS) {
    *error = "no stream on SoC " + soc + ": " + RecentError(*runtime);
    return nullptr;
  }
  return streams.emplace(soc, std::make_unique<CachedStream>(device, handle)).first->second.get();
}

ScopedDevice::ScopedDevice(int32_t device) {
  const RuntimeFunctions* runtime = Runtime();
  if (runtime->aclrtGetDevice(&previous_) != ACL_SUCCESS) previous_ = -1;
  ok_ = runtime->aclrtSetDevice(device) == ACL_SUCCESS;
}

ScopedDevice::~ScopedDevice() {
  if (previous_ >= 0) Runtime()->aclrtSetDevice(previous_);
}

}  // namespace attnres::bindings
