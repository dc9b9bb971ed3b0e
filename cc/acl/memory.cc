// Memory of the acl interface. "Device" and host blocks are both ordinary memory; live
// blocks are kept in a table, so that freeing anything else is an error, not a crash.
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_set>

#include "acl/acl_rt.h"
#include "cc/acl/internal/error_message.h"
#include "cc/acl/internal/stream.h"

namespace attnres::acl {
namespace {

// CANN aligns device blocks to 512 bytes.
constexpr size_t kAlignment = 512;
// From here on blocks begin on a huge page, which saves most of the page faults.
constexpr size_t kHugePageBytes = size_t{2} << 20;
constexpr size_t kHugeFrom = 4 * kHugePageBytes;

class BlockTable {
 public:
  Error Allocate(void** address, size_t size, const char* argument) {
    if (address == nullptr) return MakeError(ACL_ERROR_INVALID_PARAM, "%s is null", argument);
    if (size == 0) return MakeError(ACL_ERROR_INVALID_PARAM, "size is 0: expected 1 or more");
    const bool huge = size >= kHugeFrom;
    void* block = nullptr;
    if (size > SIZE_MAX / 2 ||
        posix_memalign(&block, huge ? kHugePageBytes : kAlignment, size) != 0) {
      return MakeError(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory for %zu bytes", size);
    }
    std::unique_ptr<void, void (*)(void*)> owned(block, free);
    if (huge) madvise(block, size, MADV_HUGEPAGE);  // a hint: failing costs speed only
    std::lock_guard<std::mutex> lock(mutex_);
    live_.insert(block);
    *address = owned.release();
    return {};
  }

  Error Free(void* address, const char* argument) {
    if (address == nullptr) return MakeError(ACL_ERROR_INVALID_PARAM, "%s is null", argument);
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (live_.erase(address) == 0) {
        return MakeError(ACL_ERROR_RT_MEMORY_FREE, "%s (%p) is not a live block of this interface",
                         argument, address);
      }
    }
    free(address);
    return {};
  }

 private:
  std::mutex mutex_;
  std::unordered_set<void*> live_;
};

BlockTable& DeviceBlocks() {
  static auto* table = new BlockTable;
  return *table;
}

BlockTable& HostBlocks() {
  static auto* table = new BlockTable;
  return *table;
}

Error CheckSet(const void* address, size_t capacity, size_t count) {
  if (address == nullptr && count > 0) return MakeError(ACL_ERROR_INVALID_PARAM, "devPtr is null");
  if (count > capacity) {
    return MakeError(ACL_ERROR_INVALID_PARAM, "count is %zu: expected at most maxCount (%zu)",
                     count, capacity);
  }
  return {};
}

Error CheckCopy(const void* to, size_t capacity, const void* from, size_t count, int kind) {
  if (count > 0 && (to == nullptr || from == nullptr)) {
    return MakeError(ACL_ERROR_INVALID_PARAM, "%s is null", to == nullptr ? "dst" : "src");
  }
  if (count > capacity) {
    return MakeError(ACL_ERROR_INVALID_PARAM, "count is %zu: expected at most destMax (%zu)", count,
                     capacity);
  }
  if (kind < ACL_MEMCPY_HOST_TO_HOST || kind > ACL_MEMCPY_DEFAULT) {
    return MakeError(ACL_ERROR_INVALID_PARAM, "kind is %d: expected 0 to %d", kind,
                     static_cast<int>(ACL_MEMCPY_DEFAULT));
  }
  return {};
}

// memmove: a copy may overlap itself without harm.
void Copy(void* to, const void* from, size_t count) {
  if (count > 0) memmove(to, from, count);
}

void Set(void* address, int32_t value, size_t count) {
  if (count > 0) memset(address, value, count);
}

template <typename Action>
class ActionTask : public StreamTask {
 public:
  explicit ActionTask(Action action) : action_(std::move(action)) {}
  Error Run(Stream&) override {
    action_();
    return {};
  }

 private:
  Action action_;
};

template <typename Action>
Error Enqueue(aclrtStream handle, Action action) {
  const auto stream = Stream::Find(handle);
  std::unique_ptr<StreamTask> task = std::make_unique<ActionTask<Action>>(std::move(action));
  if (stream == nullptr || !stream->Submit(task)) {
    return StreamGoneError(ACL_ERROR_RT_INVALID_HANDLE);
  }
  return {};
}

}  // namespace
}  // namespace attnres::acl

using attnres::acl::DeviceBlocks;
using attnres::acl::Error;
using attnres::acl::HostBlocks;
using attnres::acl::Report;
using attnres::acl::ReportGuarded;

extern "C" {

aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy) {
  return ReportGuarded(ACL_ERROR_BAD_ALLOC,
                       [&] { return DeviceBlocks().Allocate(devPtr, size, "devPtr"); });
}

aclError aclrtFree(void* devPtr) { return Report(DeviceBlocks().Free(devPtr, "devPtr")); }

aclError aclrtMallocHost(void** hostPtr, size_t size) {
  return ReportGuarded(ACL_ERROR_BAD_ALLOC,
                       [&] { return HostBlocks().Allocate(hostPtr, size, "hostPtr"); });
}

aclError aclrtFreeHost(void* hostPtr) { return Report(HostBlocks().Free(hostPtr, "hostPtr")); }

aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count) {
  const Error error = attnres::acl::CheckSet(devPtr, maxCount, count);
  if (error.ok()) attnres::acl::Set(devPtr, value, count);
  return Report(error);
}

aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count,
                          aclrtStream stream) {
  return ReportGuarded(ACL_ERROR_BAD_ALLOC, [&] {
    Error error = attnres::acl::CheckSet(devPtr, maxCount, count);
    if (!error.ok()) return error;
    return attnres::acl::Enqueue(stream, [=] { attnres::acl::Set(devPtr, value, count); });
  });
}

aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count,
                     aclrtMemcpyKind kind) {
  const Error error = attnres::acl::CheckCopy(dst, destMax, src, count, kind);
  if (error.ok()) attnres::acl::Copy(dst, src, count);
  return Report(error);
}

aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count,
                          aclrtMemcpyKind kind, aclrtStream stream) {
  return ReportGuarded(ACL_ERROR_BAD_ALLOC, [&] {
    Error error = attnres::acl::CheckCopy(dst, destMax, src, count, kind);
    if (!error.ok()) return error;
    return attnres::acl::Enqueue(stream, [=] { attnres::acl::Copy(dst, src, count); });
  });
}

}  // extern "C"
