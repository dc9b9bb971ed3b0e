// Streams: a queue of tasks and a thread that runs them in order.
//
// Model. Submit enqueues and returns. Tasks run one after another on the stream's own
// thread, or on one that waits for them in Synchronize and would have nothing else to do;
// different streams run at the same time. A blocking stream has no thread: Submit runs
// the task before it returns. A task that fails does not stop the next one; its error is
// kept until a synchronisation returns it, the first one wins. Shut down
// (aclrtDestroyStream, or the last reference) runs what is queued and ends the thread.
// Callers hold streams by handle; a handle whose stream was shut down is recognised
// (handle_table.h).
#ifndef CC_ACL_INTERNAL_STREAM_H_
#define CC_ACL_INTERNAL_STREAM_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl_base.h"
#include "cc/acl/internal/device.h"
#include "cc/acl/internal/error_message.h"
#include "cc/acl/internal/twin_runtime.h"

namespace attnres::aclnn {
class LaunchMode;  // cc/aclnn/launch_mode.h
}

namespace attnres::acl {

// What a mode says of a launch: JSON, and bytes that it describes.
struct LaunchReport {
  std::string text;
  std::vector<uint8_t> data;
};

// One piece of work of a stream. It is destroyed before a synchronisation that waits
// for it returns.
class StreamTask {
 public:
  virtual ~StreamTask() = default;
  virtual Error Run(Stream& stream) = 0;
};

class Stream {
 public:
  static constexpr int64_t kNoTimeout = -1;

  enum class Kind { kAsynchronous, kBlocking };

  // Makes a stream on `device` and returns its handle; null when no thread could be started.
  static void* Create(const Device& device, Kind kind);
  // Null when `handle` is not a live stream. Unlike Find, null is not the default stream.
  static std::shared_ptr<Stream> FindLive(const void* handle);
  // As FindLive, but null means the default stream of the calling thread's context.
  static std::shared_ptr<Stream> Find(const void* handle);
  // Ends the handle and shuts the stream down. Returns false when the handle did not live.
  static bool Destroy(const void* handle);
  static std::vector<std::shared_ptr<Stream>> All();

  Stream(const Device& device, Kind kind);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  const Device& device() const { return device_; }

  bool blocking() const { return kind_ == Kind::kBlocking; }

  // Returns false, without taking the task, when the stream was shut down.
  bool Submit(std::unique_ptr<StreamTask>& task);
  // Submit for a blocking stream, where the task may be the caller's.
  bool RunBlocking(StreamTask& task);

  // Waits for the tasks submitted before the call, at most `timeout_ms` milliseconds.
  // Returns the kept error, if any; ACL_ERROR_RT_STREAM_SYNC_TIMEOUT when time ran out.
  Error Synchronize(int64_t timeout_ms);

  bool Idle();

  // 0 leaves the number to the engine.
  uint32_t threads() const { return threads_.load(std::memory_order_relaxed); }
  void set_threads(uint32_t threads) { threads_.store(threads, std::memory_order_relaxed); }

  // How kernels run; null is run mode, which takes no lock.
  std::shared_ptr<const aclnn::LaunchMode> mode();
  // Forgets the report.
  void set_mode(std::shared_ptr<const aclnn::LaunchMode> mode);

  // Of the last launch in a mode; stays as long as there is no other.
  const LaunchReport& report();
  void set_report(LaunchReport report);

  AclTwinStats stats();
  // Calls `update(AclTwinStats&)` under the lock.
  template <typename Update>
  void UpdateStats(const Update& update) {
    std::lock_guard<std::mutex> lock(mutex_);
    update(stats_);
  }

 private:
  void Work();
  void Shutdown();
  void RunOldest(std::unique_lock<std::mutex>& lock);
  void Complete(Error error);
  void AwaitCompletion(std::unique_lock<std::mutex>& lock, uint64_t target);

  const Device& device_;
  const Kind kind_;
  std::mutex mutex_;
  std::condition_variable work_arrived_;    // for the stream's thread
  std::condition_variable task_completed_;  // for all others
  std::deque<std::unique_ptr<StreamTask>> queue_;
  bool running_ = false;  // a task taken from the queue
  // Written under the lock; threads that wait for a moment look at them without.
  std::atomic<uint64_t> submitted_{0};
  std::atomic<uint64_t> completed_{0};
  std::atomic<bool> stopping_{false};
  Error error_;
  AclTwinStats stats_{};
  std::shared_ptr<const aclnn::LaunchMode> mode_;
  std::atomic<bool> has_mode_{false};
  LaunchReport report_;
  std::atomic<uint32_t> threads_{0};
  std::once_flag joined_;
  std::thread thread_;  // last: it uses everything above
};

// The error for a handle that is not a live stream.
Error StreamGoneError(int32_t code);

}  // namespace attnres::acl

#endif  // CC_ACL_INTERNAL_STREAM_H_
