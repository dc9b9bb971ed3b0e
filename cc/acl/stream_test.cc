// Streams and events: order, asynchrony, errors at the synchronisation, and every use of a
// handle that does not live.
#include "cc/acl/internal/stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl_rt.h"
#include "cc/acl/internal/error_message.h"
#include "cc/acl/internal/twin_runtime.h"

namespace attnres::acl {
namespace {

template <typename Action>
class LambdaTask : public StreamTask {
 public:
  explicit LambdaTask(Action action) : action_(std::move(action)) {}
  Error Run(Stream&) override { return action_(); }

 private:
  Action action_;
};

template <typename Action>
void Enqueue(aclrtStream handle, Action action) {
  std::unique_ptr<StreamTask> task = std::make_unique<LambdaTask<Action>>(std::move(action));
  ASSERT_TRUE(Stream::Find(handle)->Submit(task));
}

class StreamTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS); }
  void TearDown() override {
    if (stream_ != nullptr) aclrtDestroyStream(stream_);
  }

  aclrtStream stream_ = nullptr;
};

TEST_F(StreamTest, RunsTasksInOrderAndLater) {
  std::promise<void> gate;
  std::shared_future<void> opened = gate.get_future().share();
  std::vector<int> order;
  Enqueue(stream_, [opened] {
    opened.wait();
    return Error{};
  });
  for (int i = 0; i < 100; ++i) {
    Enqueue(stream_, [&order, i] {
      order.push_back(i);
      return Error{};
    });
  }
  aclrtStreamStatus status;
  ASSERT_EQ(aclrtStreamQuery(stream_, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY) << "submitting waited";
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, 1), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_STREQ(aclGetRecentErrMsg(), "stream is not finished after 1 ms: 101 tasks left");
  gate.set_value();
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
  aclrtStreamQuery(stream_, &status);
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
}

TEST_F(StreamTest, FirstErrorSurfacesAtSynchroniseOnce) {
  bool ran_after = false;
  Enqueue(stream_, [] { return MakeError(361001, "first"); });
  Enqueue(stream_, [] { return MakeError(361001, "second"); });
  Enqueue(stream_, [&] {
    ran_after = true;
    return Error{};
  });
  aclTwinSetErrorMessage("");
  EXPECT_EQ(aclrtSynchronizeStream(stream_), 361001);
  EXPECT_STREQ(aclGetRecentErrMsg(), "first");
  EXPECT_TRUE(ran_after);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
}

TEST_F(StreamTest, StreamsRunAtTheSameTime) {
  aclrtStream other = nullptr;
  ASSERT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
  std::promise<void> here;
  std::promise<void> there;
  // Each waits for the other: on one thread this would hang.
  Enqueue(stream_, [&] {
    here.set_value();
    there.get_future().wait();
    return Error{};
  });
  Enqueue(other, [&] {
    there.set_value();
    here.get_future().wait();
    return Error{};
  });
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(other), ACL_SUCCESS);
}

TEST_F(StreamTest, DestroyRunsWhatIsQueued) {
  std::atomic<int> ran{0};
  for (int i = 0; i < 10; ++i) {
    Enqueue(stream_, [&] {
      ++ran;
      return Error{};
    });
  }
  ASSERT_EQ(aclrtDestroyStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(ran, 10);
  stream_ = nullptr;
}

TEST_F(StreamTest, DestroyedStreamIsAnErrorEverywhere) {
  aclrtStream gone = stream_;
  stream_ = nullptr;
  ASSERT_EQ(aclrtDestroyStream(gone), ACL_SUCCESS);
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  char bytes[8] = {};
  aclrtStreamStatus status;
  AclTwinStats stats;
  // A new stream must not be taken for the old one.
  aclrtStream successor = nullptr;
  ASSERT_EQ(aclrtCreateStream(&successor), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(gone), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtSynchronizeStream(gone), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_STREQ(aclGetRecentErrMsg(), "stream does not live: it was destroyed or never created");
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(gone, 5), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtStreamQuery(gone, &status), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtRecordEvent(event, gone), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtStreamWaitEvent(gone, event), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtMemsetAsync(bytes, 8, 1, 8, gone), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtMemcpyAsync(bytes, 8, bytes, 8, ACL_MEMCPY_DEFAULT, gone),
            ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclTwinSetStreamThreads(gone, 1), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclTwinGetStreamStats(gone, &stats), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS) << "the failed record must not hold it";
  EXPECT_EQ(aclrtDestroyStream(successor), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  // Handles of another kind, and addresses.
  EXPECT_EQ(aclrtSynchronizeStream(event), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtSynchronizeStream(bytes), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(StreamTest, BadArguments) {
  EXPECT_EQ(aclrtCreateStream(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtStreamQuery(stream_, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, -2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclTwinGetStreamStats(stream_, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDestroyStream(nullptr), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(StreamTest, NullIsTheDefaultStream) {
  char bytes[4] = {};
  ASSERT_EQ(aclrtMemsetAsync(bytes, 4, 7, 4, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(bytes[3], 7);
}

TEST_F(StreamTest, ManyThreadsShareAStream) {
  std::atomic<int> ran{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 200; ++j) {
        Enqueue(stream_, [&] {
          ++ran;
          return Error{};
        });
      }
      EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ran, 1600);
}

// The stream's own thread is held; only the waiting thread can run the rest.
TEST_F(StreamTest, WhoeverWaitsRunsWhatNobodyHasBegun) {
  std::thread::id first;
  std::thread::id second;
  Enqueue(stream_, [&] {
    first = std::this_thread::get_id();
    return Error{};
  });
  for (int i = 0; i < 1000; ++i) {
    Enqueue(stream_, [&] {
      if (std::this_thread::get_id() != first) second = std::this_thread::get_id();
      return Error{};
    });
  }
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  const std::thread::id self = std::this_thread::get_id();
  EXPECT_TRUE(first == self || second == self || second == std::thread::id())
      << "a third thread ran a task";
}

TEST_F(StreamTest, TasksOfOneStreamNeverRunAtTheSameTime) {
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 100; ++j) {
        Enqueue(stream_, [&] {
          most = std::max(most.load(), ++inside);
          std::this_thread::yield();
          --inside;
          return Error{};
        });
        if (j % 3 == 0) EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(most, 1);
}

// Longer than any thread spins.
TEST_F(StreamTest, RunsTasksAfterAPauseAndWithoutASynchronisation) {
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::promise<void> ran;
    Enqueue(stream_, [&] {
      ran.set_value();
      return Error{};
    });
    ASSERT_EQ(ran.get_future().wait_for(std::chrono::seconds(20)), std::future_status::ready);
  }
}

TEST_F(StreamTest, ThrowingTaskIsAnError) {
  Enqueue(stream_, []() -> Error { throw std::bad_alloc(); });
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_BAD_ALLOC);
}

class BlockingStreamTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(aclTwinCreateBlockingStream(&stream_), ACL_SUCCESS); }
  void TearDown() override {
    if (stream_ != nullptr) aclrtDestroyStream(stream_);
  }

  aclrtStream stream_ = nullptr;
};

TEST_F(BlockingStreamTest, SubmittingRunsTheTaskOnTheCaller) {
  std::thread::id ran;
  Enqueue(stream_, [&] {
    ran = std::this_thread::get_id();
    return MakeError(361001, "kept");
  });
  EXPECT_EQ(ran, std::this_thread::get_id());
  aclrtStreamStatus status;
  ASSERT_EQ(aclrtStreamQuery(stream_, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), 361001);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, 1), ACL_SUCCESS);
  EXPECT_EQ(aclTwinCreateBlockingStream(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(BlockingStreamTest, ThreadsThatShareItTakeTurns) {
  int ran = 0;  // unguarded: the turns guard it
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 200; ++j) {
        Enqueue(stream_, [&] {
          ++ran;
          return Error{};
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ran, 1600);
}

TEST_F(BlockingStreamTest, WaitsForAnotherStreamsEvent) {
  aclrtStream other = nullptr;
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  std::atomic<bool> done{false};
  Enqueue(other, [&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    done = true;
    return Error{};
  });
  ASSERT_EQ(aclrtRecordEvent(event, other), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(stream_, event), ACL_SUCCESS);
  EXPECT_TRUE(done);
  aclrtDestroyEvent(event);
  aclrtDestroyStream(other);
}

TEST_F(BlockingStreamTest, DestroyedIsGone) {
  aclrtStream gone = stream_;
  stream_ = nullptr;
  ASSERT_EQ(aclrtDestroyStream(gone), ACL_SUCCESS);
  char bytes[4] = {};
  EXPECT_EQ(aclrtMemsetAsync(bytes, 4, 1, 4, gone), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(StreamTest, EventOrdersTwoStreams) {
  aclrtStream other = nullptr;
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
  std::promise<void> gate;
  std::atomic<int> value{0};
  Enqueue(stream_, [&] {
    gate.get_future().wait();
    value = 1;
    return Error{};
  });
  ASSERT_EQ(aclrtRecordEvent(event, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(other, event), ACL_SUCCESS);
  int seen = -1;
  Enqueue(other, [&] {
    seen = value;
    return Error{};
  });
  aclrtEventRecordedStatus status;
  ASSERT_EQ(aclrtQueryEventStatus(event, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 1), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  gate.set_value();
  ASSERT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS);
  aclrtQueryEventStatus(event, &status);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
  ASSERT_EQ(aclrtSynchronizeStream(other), ACL_SUCCESS);
  EXPECT_EQ(seen, 1);
  aclrtDestroyEvent(event);
  aclrtDestroyStream(other);
}

TEST_F(StreamTest, ElapsedTime) {
  aclrtEvent start = nullptr;
  aclrtEvent end = nullptr;
  aclrtCreateEvent(&start);
  aclrtCreateEvent(&end);
  float ms = -1;
  EXPECT_EQ(aclrtEventElapsedTime(&ms, start, end), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
  EXPECT_STREQ(aclGetRecentErrMsg(),
               "startEvent has no completed record: record it and synchronise first");
  aclrtRecordEvent(start, stream_);
  Enqueue(stream_, [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return Error{};
  });
  aclrtRecordEvent(end, stream_);
  aclrtSynchronizeStream(stream_);
  ASSERT_EQ(aclrtEventElapsedTime(&ms, start, end), ACL_SUCCESS);
  EXPECT_GE(ms, 20.0f);
  EXPECT_LT(ms, 20000.0f);
  EXPECT_EQ(aclrtEventElapsedTime(nullptr, start, end), ACL_ERROR_INVALID_PARAM);
  aclrtDestroyEvent(end);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, start, end), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtDestroyEvent(end), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtRecordEvent(end, stream_), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtStreamWaitEvent(stream_, end), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtSynchronizeEvent(end), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtCreateEvent(nullptr), ACL_ERROR_INVALID_PARAM);
  aclrtDestroyEvent(start);
}

TEST_F(StreamTest, WaitingForAnUnrecordedEventHoldsNothingBack) {
  aclrtEvent event = nullptr;
  aclrtCreateEvent(&event);
  ASSERT_EQ(aclrtStreamWaitEvent(stream_, event), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS);
  aclrtDestroyEvent(event);
}

}  // namespace
}  // namespace attnres::acl
