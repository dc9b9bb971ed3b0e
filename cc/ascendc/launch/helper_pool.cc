// Helpers look for an offer for some tens of microseconds before they sleep, so that launches in
// quick succession find them awake.
#include "cc/ascendc/launch/helper_pool.h"

#include <unistd.h>

#include <system_error>

namespace attnres::launch {

namespace {

constexpr int kSpins = 1000;
constexpr size_t kMaxHelpers = 1024;

struct Holder {
  std::mutex mutex;
  HelperPool* pool = nullptr;
  pid_t process = 0;

  // Joins the helpers when the library is unloaded or the process exits, but not in a forked child,
  // which has none.
  ~Holder() {
    if (process == getpid()) {
      delete pool;
    }
  }
};

Holder holder;

}  // namespace

HelperPool& HelperPool::Instance() {
  const std::lock_guard<std::mutex> lock(holder.mutex);
  const pid_t process = getpid();
  if (holder.pool == nullptr || holder.process != process) {
    holder.pool =
        new HelperPool;  // the parent's pool is left behind: its lock may be held for ever
    holder.process = process;
  }
  return *holder.pool;
}

HelperPool::~HelperPool() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
    offered_.fetch_add(1);
  }
  condition_.notify_all();
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

Execution* HelperPool::Take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (idle_.empty()) {
    executions_.push_back(std::make_unique<Execution>());
    return executions_.back().get();
  }
  Execution* execution = idle_.back();
  idle_.pop_back();
  return execution;
}

void HelperPool::Give(Execution* execution) {
  const std::lock_guard<std::mutex> lock(mutex_);
  idle_.push_back(execution);
}

void HelperPool::Open(Execution* execution, uint32_t helpers) {
  const std::lock_guard<std::mutex> lock(mutex_);
  while (threads_.size() < helpers && threads_.size() < kMaxHelpers) {
    try {
      threads_.emplace_back(&HelperPool::Help, this);
    } catch (const std::system_error&) {
      break;  // fewer helpers: slower, not wrong
    }
  }
  offers_.push_back({execution, helpers});
  offered_.store(static_cast<uint32_t>(offers_.size()));
  condition_.notify_all();
}

void HelperPool::Close(Execution* execution) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (size_t i = 0; i < offers_.size(); ++i) {
    if (offers_[i].execution == execution) {
      offers_.erase(offers_.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
  }
  offered_.store(static_cast<uint32_t>(offers_.size()));
}

// Precondition: the lock is held and there is an offer.
Execution* HelperPool::NextOffer() {
  Offer& offer = offers_.front();
  Execution* execution = offer.execution;
  execution->EnterHelper();
  if (--offer.places == 0) {
    offers_.erase(offers_.begin());
    offered_.store(static_cast<uint32_t>(offers_.size()));
  }
  return execution;
}

void HelperPool::Help() {
  while (true) {
    for (int i = 0; i < kSpins && offered_.load(std::memory_order_relaxed) == 0; ++i) {
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    Execution* execution = nullptr;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      condition_.wait(lock, [&] { return stopping_ || !offers_.empty(); });
      if (stopping_) {
        return;
      }
      execution = NextOffer();
    }
    execution->Work();
    execution->LeaveHelper();
  }
}

}  // namespace attnres::launch
