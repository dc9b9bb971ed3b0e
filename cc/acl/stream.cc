// Streams and their C interface. event.cc has the events, cc/aclnn the tasks that
// executors submit.
#include "cc/acl/internal/stream.h"

#include <chrono>
#include <cstring>
#include <system_error>
#include <utility>

#include "acl/acl_rt.h"
#include "cc/acl/internal/handle_table.h"
#include "cc/ascendc/launch/pause.h"

namespace attnres::acl {
namespace {

// Looks before a thread sleeps, some tens of microseconds: a caller that synchronises after each
// task finds the stream's thread awake, and an idle process costs nothing.
constexpr int kSpins = 1000;

// Kept for the life of the process: a stream's thread may outlive static objects.
HandleTable<Stream>& Streams() {
  static auto* table = new HandleTable<Stream>(HandleKind::kStream);
  return *table;
}

// A task throws for lack of memory alone.
Error RunTask(StreamTask& task, Stream& stream) {
  try {
    return task.Run(stream);
  } catch (const std::exception& exception) {
    return MakeError(ACL_ERROR_BAD_ALLOC, "out of resources: %s", exception.what());
  }
}

}  // namespace

void* Stream::Create(const Device& device, Kind kind) {
  try {
    return Streams().Insert(std::make_shared<Stream>(device, kind));
  } catch (const std::exception&) {  // no memory or no thread: the caller reports it
    return nullptr;
  }
}

std::shared_ptr<Stream> Stream::FindLive(const void* handle) { return Streams().Find(handle); }

std::shared_ptr<Stream> Stream::Find(const void* handle) {
  return handle == nullptr ? CurrentContext()->DefaultStream() : FindLive(handle);
}

bool Stream::Destroy(const void* handle) {
  const std::shared_ptr<Stream> stream = Streams().Remove(handle);
  if (stream == nullptr) return false;
  stream->Shutdown();
  return true;
}

std::vector<std::shared_ptr<Stream>> Stream::All() { return Streams().All(); }

Stream::Stream(const Device& device, Kind kind) : device_(device), kind_(kind) {
  if (kind == Kind::kAsynchronous) thread_ = std::thread([this] { Work(); });
}

Stream::~Stream() { Shutdown(); }

void Stream::Shutdown() {
  {
    std::unique_lock<std::mutex> lock(mutex_);
    stopping_ = true;
    if (blocking()) AwaitCompletion(lock, submitted_);
  }
  work_arrived_.notify_one();
  std::call_once(joined_, [this] {
    if (thread_.joinable()) thread_.join();
  });
}

bool Stream::Submit(std::unique_ptr<StreamTask>& task) {
  if (blocking()) {
    if (!RunBlocking(*task)) return false;
    task.reset();
    return true;
  }
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (stopping_) return false;
    queue_.push_back(std::move(task));
    ++submitted_;
  }
  work_arrived_.notify_one();
  return true;
}

// The tickets that `submitted_` gives order the threads that share a blocking stream.
bool Stream::RunBlocking(StreamTask& task) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (stopping_) return false;
  const uint64_t ticket = submitted_++;
  AwaitCompletion(lock, ticket);
  lock.unlock();
  Error error = RunTask(task, *this);
  lock.lock();
  Complete(std::move(error));
  return true;
}

// Precondition: the lock is held; it is left while the task runs. The queue is not empty, and no
// task of it runs.
void Stream::RunOldest(std::unique_lock<std::mutex>& lock) {
  std::unique_ptr<StreamTask> task = std::move(queue_.front());
  queue_.pop_front();
  running_ = true;
  lock.unlock();
  Error error = RunTask(*task, *this);
  task.reset();
  lock.lock();
  running_ = false;
  Complete(std::move(error));
  if (stopping_ || !queue_.empty()) work_arrived_.notify_one();
}

// Precondition: the lock is held.
void Stream::Complete(Error error) {
  if (!error.ok()) {
    aclTwinLog(ACL_ERROR, "stream", error.message.c_str());
    if (error_.ok()) error_ = std::move(error);
  }
  ++completed_;
  task_completed_.notify_all();
}

void Stream::Work() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    if (queue_.empty() && !stopping_) {
      const uint64_t seen = submitted_;
      lock.unlock();
      for (int i = 0; i < kSpins && submitted_ == seen && !stopping_; ++i) launch::Pause();
      lock.lock();
    }
    work_arrived_.wait(lock, [this] { return !running_ && (stopping_ || !queue_.empty()); });
    if (queue_.empty()) return;
    RunOldest(lock);
  }
}

// Waits for the first `target` tasks, and runs those that nobody has begun. Precondition: the lock
// is held; it is left meanwhile.
void Stream::AwaitCompletion(std::unique_lock<std::mutex>& lock, uint64_t target) {
  while (completed_ < target) {
    if (!running_ && !queue_.empty()) {
      RunOldest(lock);
      continue;
    }
    const uint64_t seen = completed_;
    lock.unlock();
    for (int i = 0; i < kSpins && completed_ == seen; ++i) launch::Pause();
    lock.lock();
    if (completed_ == seen) {
      task_completed_.wait(lock, [&] { return completed_ != seen; });
    }
  }
}

Error Stream::Synchronize(int64_t timeout_ms) {
  std::unique_lock<std::mutex> lock(mutex_);
  const uint64_t target = submitted_;
  if (timeout_ms == kNoTimeout) {
    AwaitCompletion(lock, target);
  } else if (!task_completed_.wait_for(lock, std::chrono::milliseconds(timeout_ms),
                                       [&] { return completed_ >= target; })) {
    return MakeError(
        ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "stream is not finished after %lld ms: %llu tasks left",
        static_cast<long long>(timeout_ms), static_cast<unsigned long long>(target - completed_));
  }
  return std::exchange(error_, Error{});
}

bool Stream::Idle() {
  std::lock_guard<std::mutex> lock(mutex_);
  return completed_ == submitted_;
}

std::shared_ptr<const aclnn::LaunchMode> Stream::mode() {
  if (!has_mode_.load(std::memory_order_acquire)) return nullptr;
  std::lock_guard<std::mutex> lock(mutex_);
  return mode_;
}

void Stream::set_mode(std::shared_ptr<const aclnn::LaunchMode> mode) {
  std::lock_guard<std::mutex> lock(mutex_);
  mode_ = std::move(mode);
  has_mode_.store(mode_ != nullptr, std::memory_order_release);
  report_ = {};
}

const LaunchReport& Stream::report() {
  std::lock_guard<std::mutex> lock(mutex_);
  return report_;
}

void Stream::set_report(LaunchReport report) {
  std::lock_guard<std::mutex> lock(mutex_);
  report_ = std::move(report);
}

AclTwinStats Stream::stats() {
  std::lock_guard<std::mutex> lock(mutex_);
  return stats_;
}

Error StreamGoneError(int32_t code) {
  return MakeError(code, "stream does not live: it was destroyed or never created");
}

namespace {

aclError CreateStream(aclrtStream* stream, Stream::Kind kind) {
  if (stream == nullptr) return ReportError(ACL_ERROR_INVALID_PARAM, "stream is null");
  const auto context = CurrentContext();
  const Device& device = context->device();
  if (device.profile == nullptr) return Report(NoProfileError(device));
  void* handle = Stream::Create(device, kind);
  if (handle == nullptr) {
    return ReportError(ACL_ERROR_BAD_ALLOC, "no thread or memory left for another stream");
  }
  *stream = handle;
  return ACL_SUCCESS;
}

aclError SynchronizeStream(aclrtStream handle, int64_t timeout_ms) {
  const auto stream = Stream::Find(handle);
  if (stream == nullptr) return Report(StreamGoneError(ACL_ERROR_RT_INVALID_HANDLE));
  return Report(stream->Synchronize(timeout_ms));
}

}  // namespace
}  // namespace attnres::acl

using attnres::acl::Report;
using attnres::acl::ReportError;
using attnres::acl::Stream;
using attnres::acl::StreamGoneError;

extern "C" {

aclError aclrtCreateStream(aclrtStream* stream) {
  return attnres::acl::CreateStream(stream, Stream::Kind::kAsynchronous);
}

aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t, uint32_t) {
  return attnres::acl::CreateStream(stream, Stream::Kind::kAsynchronous);
}

int32_t aclTwinCreateBlockingStream(aclrtStream* stream) {
  return attnres::acl::CreateStream(stream, Stream::Kind::kBlocking);
}

aclError aclrtDestroyStream(aclrtStream stream) {
  if (!Stream::Destroy(stream)) return Report(StreamGoneError(ACL_ERROR_RT_INVALID_HANDLE));
  return ACL_SUCCESS;
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
  return attnres::acl::SynchronizeStream(stream, Stream::kNoTimeout);
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
  if (timeout < -1) {
    return ReportError(ACL_ERROR_INVALID_PARAM, "timeout is %d: expected -1 or more", timeout);
  }
  return attnres::acl::SynchronizeStream(stream, timeout);
}

aclError aclrtStreamQuery(aclrtStream handle, aclrtStreamStatus* status) {
  if (status == nullptr) return ReportError(ACL_ERROR_INVALID_PARAM, "status is null");
  const auto stream = Stream::Find(handle);
  if (stream == nullptr) return Report(StreamGoneError(ACL_ERROR_RT_INVALID_HANDLE));
  *status = stream->Idle() ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
  return ACL_SUCCESS;
}

int32_t aclTwinSetStreamThreads(aclrtStream handle, uint32_t threads) {
  const auto stream = Stream::Find(handle);
  if (stream == nullptr) return Report(StreamGoneError(ACL_ERROR_RT_INVALID_HANDLE));
  stream->set_threads(threads);
  return ACL_SUCCESS;
}

int32_t aclTwinGetStreamStats(aclrtStream handle, AclTwinStats* stats) {
  if (stats == nullptr) return ReportError(ACL_ERROR_INVALID_PARAM, "stats is null");
  const auto stream = Stream::Find(handle);
  if (stream == nullptr) return Report(StreamGoneError(ACL_ERROR_RT_INVALID_HANDLE));
  *stats = stream->stats();
  return ACL_SUCCESS;
}

int32_t aclTwinGetStreamReport(aclrtStream handle, AclTwinReport* report) {
  if (report == nullptr) return ReportError(ACL_ERROR_INVALID_PARAM, "report is null");
  const auto stream = Stream::Find(handle);
  if (stream == nullptr) return Report(StreamGoneError(ACL_ERROR_RT_INVALID_HANDLE));
  const attnres::acl::LaunchReport& kept = stream->report();
  *report = {kept.text.c_str(), kept.text.size(), kept.data.data(), kept.data.size()};
  return ACL_SUCCESS;
}

}  // extern "C"
