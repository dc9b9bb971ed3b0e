// Streams per thread and SoC; see stream_cache.h.
#include "cc/bindings/stream_cache.h"

#include <pthread.h>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "cc/bindings/runtime_library.h"

namespace attnres::bindings {
namespace {

using StreamMap = std::map<std::string, std::unique_ptr<CachedStream>, std::less<>>;

std::atomic<bool> in_use{
    false};  // a stream was made in this process, or in one that it is a fork of
std::atomic<bool> forked{false};  // after that

// Called in the child.
void NoteFork() { forked.store(in_use.load()); }

StreamMap& ThreadStreams() {
  thread_local StreamMap streams;
  return streams;
}

std::string RecentError(const RuntimeFunctions& runtime) {
  const char* message = runtime.aclGetRecentErrMsg();
  return message == nullptr ? "" : message;
}

}  // namespace

CachedStream::~CachedStream() {
  // The threads of the runtime do not live in a fork; waiting for them would never end.
  if (forked.load()) {
    prepared_.Abandon();
    return;
  }
  const RuntimeFunctions* runtime = Runtime();
  runtime->aclrtDestroyStream(handle_);
  if (workspace_ != nullptr) runtime->aclrtFree(workspace_);
}

bool CachedStream::SetThreads(uint32_t threads) {
  if (threads == threads_) return true;
  if (Runtime()->aclTwinSetStreamThreads(handle_, threads) != ACL_SUCCESS) return false;
  threads_ = threads;
  return true;
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
  if (forked.load()) {
    *error =
        "this process was forked from one that uses the runtime, whose threads a fork does not "
        "have; start processes with the spawn method";
    return nullptr;
  }
  if (CachedStream* stream = FindStream(soc)) return stream;

  const RuntimeFunctions* runtime = Runtime();
  const int32_t device = runtime->aclTwinFindDevice(soc.c_str());
  if (device < 0) {
    *error = "the runtime has no device of SoC " + soc;
    return nullptr;
  }
  const ScopedDevice current(device);
  aclrtStream handle = nullptr;
  if (!current.ok() || runtime->aclTwinCreateBlockingStream(&handle) != ACL_SUCCESS) {
    *error = "no stream on SoC " + soc + ": " + RecentError(*runtime);
    return nullptr;
  }
  if (!in_use.exchange(true)) pthread_atfork(nullptr, nullptr, &NoteFork);
  auto stream = std::make_unique<CachedStream>(device, handle);
  return ThreadStreams().emplace(soc, std::move(stream)).first->second.get();
}

CachedStream* FindStream(std::string_view soc) {
  if (forked.load()) return nullptr;
  StreamMap& streams = ThreadStreams();
  const auto found = streams.find(soc);
  return found == streams.end() ? nullptr : found->second.get();
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
