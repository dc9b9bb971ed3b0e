// One stream for each (thread, SoC), made when first needed and kept until its thread
// ends, together with the workspace that calls on it share and the calls that can be
// repeated. A stream of its own lets every thread of a program compute at the same time.
// It is a blocking one: a Python call waits for its result anyway, so it runs on the
// thread that makes it.
#ifndef CC_BINDINGS_STREAM_CACHE_H_
#define CC_BINDINGS_STREAM_CACHE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "acl/acl.h"
#include "cc/bindings/prepared_call.h"

namespace attnres::bindings {

class CachedStream {
 public:
  CachedStream(int32_t device, aclrtStream handle) : device_(device), handle_(handle) {}
  CachedStream(const CachedStream&) = delete;
  CachedStream& operator=(const CachedStream&) = delete;
  // Runs what is queued, then frees stream and workspace.
  ~CachedStream();

  int32_t device() const { return device_; }
  aclrtStream handle() const { return handle_; }

  // What repeated_call.h has prepared on this stream.
  PreparedCalls* prepared() { return &prepared_; }

  // Host threads of kernels from now on, 0 for the default; false with the runtime's error message.
  bool SetThreads(uint32_t threads);

  // At least `bytes` bytes that stay until the next call of this function; null for 0
  // bytes, and null with the runtime's error message when there is no memory.
  // Precondition: nothing that uses an earlier result is still queued.
  void* Workspace(uint64_t bytes);

 private:
  int32_t device_;
  aclrtStream handle_;
  uint32_t threads_ = 0;
  PreparedCalls prepared_;
  void* workspace_ = nullptr;
  uint64_t workspace_bytes_ = 0;
};

// The calling thread's stream on the device of `soc`. Null with a sentence in
// `*error` if there is no such SoC, no stream can be made, or the process is a fork of
// one that had begun to use the runtime (whose threads a fork does not copy).
// Precondition: the libraries are loaded.
CachedStream* StreamFor(const std::string& soc, std::string* error);

// The calling thread's stream on the device of `soc` if StreamFor has made one, else null; null in
// a fork, too.
CachedStream* FindStream(std::string_view soc);

// Makes a stream's device the calling thread's, and the earlier one again at the end.
class ScopedDevice {
 public:
  explicit ScopedDevice(int32_t device);
  ScopedDevice(const ScopedDevice&) = delete;
  ScopedDevice& operator=(const ScopedDevice&) = delete;
  ~ScopedDevice();

  bool ok() const { return ok_; }

 private:
  int32_t previous_ = -1;
  bool ok_ = false;
};

}  // namespace attnres::bindings

#endif  // CC_BINDINGS_STREAM_CACHE_H_
