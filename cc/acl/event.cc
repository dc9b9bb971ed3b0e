// Events: points in a stream that others wait for and that carry a time.
//
// Model. Each aclrtRecordEvent is one more record of the event; it completes when its
// stream gets to it. Waiting means waiting for the records made before the call, so a
// wait never hangs on a record that is still to be made.
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

#include "acl/acl_rt.h"
#include "cc/acl/internal/error_message.h"
#include "cc/acl/internal/handle_table.h"
#include "cc/acl/internal/stream.h"

namespace attnres::acl {
namespace {

using Clock = std::chrono::steady_clock;

class Event {
 public:
  // Returns the number of the new record.
  uint64_t AddRecord() {
    std::lock_guard<std::mutex> lock(mutex_);
    return ++recorded_;
  }

  uint64_t recorded() {
    std::lock_guard<std::mutex> lock(mutex_);
    return recorded_;
  }

  void Complete(uint64_t record) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (record > completed_) completed_ = record;
      time_ = Clock::now();
    }
    changed_.notify_all();
  }

  void Wait(uint64_t record) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return completed_ >= record; });
  }

  bool WaitFor(uint64_t record, int64_t timeout_ms) {
    std::unique_lock<std::mutex> lock(mutex_);
    return changed_.wait_for(lock, std::chrono::milliseconds(timeout_ms),
                             [&] { return completed_ >= record; });
  }

  // True, and the time of the latest completed record, when all records have completed
  // and there is at least one.
  bool CompletionTime(Clock::time_point* time) {
    std::lock_guard<std::mutex> lock(mutex_);
    *time = time_;
    return recorded_ > 0 && completed_ == recorded_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t recorded_ = 0;
  uint64_t completed_ = 0;
  Clock::time_point time_{};
};

HandleTable<Event>& Events() {
  static auto* table = new HandleTable<Event>(HandleKind::kEvent);
  return *table;
}

class RecordTask : public StreamTask {
 public:
  // Makes the record that Run completes.
  explicit RecordTask(std::shared_ptr<Event> event)
      : event_(std::move(event)), record_(event_->AddRecord()) {}
  uint64_t record() const { return record_; }
  Error Run(Stream&) override {
    event_->Complete(record_);
    return {};
  }

 private:
  std::shared_ptr<Event> event_;
  uint64_t record_;
};

class WaitTask : public StreamTask {
 public:
  WaitTask(std::shared_ptr<Event> event, uint64_t record)
      : event_(std::move(event)), record_(record) {}
  Error Run(Stream&) override {
    event_->Wait(record_);
    return {};
  }

 private:
  std::shared_ptr<Event> event_;
  uint64_t record_;
};

Error EventGoneError() {
  return MakeError(ACL_ERROR_RT_INVALID_HANDLE,
                   "event does not live: it was destroyed or never created");
}

Error SubmitTo(const std::shared_ptr<Stream>& stream, std::unique_ptr<StreamTask> task) {
  if (stream == nullptr || !stream->Submit(task)) {
    return StreamGoneError(ACL_ERROR_RT_INVALID_HANDLE);
  }
  return {};
}

aclError CreateEvent(aclrtEvent* event) {
  if (event == nullptr) return ReportError(ACL_ERROR_INVALID_PARAM, "event is null");
  return ReportGuarded(ACL_ERROR_BAD_ALLOC, [&] {
    *event = Events().Insert(std::make_shared<Event>());
    return Error{};
  });
}

Error Record(aclrtEvent handle, aclrtStream stream_handle) {
  const auto event = Events().Find(handle);
  if (event == nullptr) return EventGoneError();
  const auto stream = Stream::Find(stream_handle);
  if (stream == nullptr) return StreamGoneError(ACL_ERROR_RT_INVALID_HANDLE);
  auto task = std::make_unique<RecordTask>(event);
  const uint64_t record = task->record();
  Error error = SubmitTo(stream, std::move(task));
  if (!error.ok()) event->Complete(record);  // nobody else will: waiters must not hang
  return error;
}

Error WaitFor(aclrtEvent handle, aclrtStream stream) {
  const auto event = Events().Find(handle);
  if (event == nullptr) return EventGoneError();
  return SubmitTo(Stream::Find(stream), std::make_unique<WaitTask>(event, event->recorded()));
}

aclError SynchronizeEvent(aclrtEvent handle, int64_t timeout_ms) {
  const auto event = Events().Find(handle);
  if (event == nullptr) return Report(EventGoneError());
  const uint64_t record = event->recorded();
  if (timeout_ms < 0) {
    event->Wait(record);
  } else if (!event->WaitFor(record, timeout_ms)) {
    return ReportError(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, "event is not completed after %lld ms",
                       static_cast<long long>(timeout_ms));
  }
  return ACL_SUCCESS;
}

}  // namespace
}  // namespace attnres::acl

using attnres::acl::EventGoneError;
using attnres::acl::Events;
using attnres::acl::Report;
using attnres::acl::ReportError;
using attnres::acl::ReportGuarded;
using attnres::acl::Stream;

extern "C" {

aclError aclrtCreateEvent(aclrtEvent* event) { return attnres::acl::CreateEvent(event); }

aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t) {
  return attnres::acl::CreateEvent(event);
}

aclError aclrtDestroyEvent(aclrtEvent event) {
  if (Events().Remove(event) == nullptr) return Report(EventGoneError());
  return ACL_SUCCESS;
}

aclError aclrtRecordEvent(aclrtEvent handle, aclrtStream stream_handle) {
  return ReportGuarded(ACL_ERROR_BAD_ALLOC,
                       [&] { return attnres::acl::Record(handle, stream_handle); });
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent handle) {
  return ReportGuarded(ACL_ERROR_BAD_ALLOC, [&] { return attnres::acl::WaitFor(handle, stream); });
}

aclError aclrtQueryEventStatus(aclrtEvent handle, aclrtEventRecordedStatus* status) {
  if (status == nullptr) return ReportError(ACL_ERROR_INVALID_PARAM, "status is null");
  const auto event = Events().Find(handle);
  if (event == nullptr) return Report(EventGoneError());
  attnres::acl::Clock::time_point time;
  *status = event->CompletionTime(&time) ? ACL_EVENT_RECORDED_STATUS_COMPLETE
                                         : ACL_EVENT_RECORDED_STATUS_NOT_READY;
  return ACL_SUCCESS;
}

aclError aclrtSynchronizeEvent(aclrtEvent event) {
  return attnres::acl::SynchronizeEvent(event, Stream::kNoTimeout);
}

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout) {
  if (timeout < -1) {
    return ReportError(ACL_ERROR_INVALID_PARAM, "timeout is %d: expected -1 or more", timeout);
  }
  return attnres::acl::SynchronizeEvent(event, timeout);
}

aclError aclrtEventElapsedTime(float* ms, aclrtEvent startEvent, aclrtEvent endEvent) {
  if (ms == nullptr) return ReportError(ACL_ERROR_INVALID_PARAM, "ms is null");
  const auto start = Events().Find(startEvent);
  const auto end = Events().Find(endEvent);
  if (start == nullptr || end == nullptr) return Report(EventGoneError());
  attnres::acl::Clock::time_point start_time;
  attnres::acl::Clock::time_point end_time;
  if (!start->CompletionTime(&start_time) || !end->CompletionTime(&end_time)) {
    return ReportError(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
                       "%s has no completed record: record it and synchronise first",
                       start->CompletionTime(&start_time) ? "endEvent" : "startEvent");
  }
  *ms = std::chrono::duration<float, std::milli>(end_time - start_time).count();
  return ACL_SUCCESS;
}

}  // extern "C"
