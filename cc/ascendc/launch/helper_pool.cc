// Helpers look for an offer for some tens of microseconds before they sleep, so that launches in
// quick succession find them awake and an idle process costs nothing.
#include "cc/ascendc/launch/helper_pool.h"

#include <pthread.h>

#include <system_error>

#include "cc/ascendc/launch/futex.h"
#include "cc/ascendc/launch/pause.h"

namespace attnres::launch {

namespace {

constexpr int kSpins = 1000;
constexpr size_t kMaxHelpers = 1024;

std::atomic<HelperPool*> process_pool{nullptr};

// In a forked child: the parent's pool is left behind, since its lock may be held for ever and its
// threads are not there.
void ForgetPool() { process_pool.store(nullptr); }

// Joins the helpers when the library is unloaded or the process exits.
struct PoolEnd {
  ~PoolEnd() { delete process_pool.exchange(nullptr); }
};

HelperPool* MakePool() {
  static std::mutex mutex;
  [[maybe_unused]] static const int registered = pthread_atfork(nullptr, nullptr, &ForgetPool);
  static PoolEnd end;
  const std::lock_guard<std::mutex> lock(mutex);
  HelperPool* pool = process_pool.load();
  if (pool == nullptr) {
    pool = new HelperPool;
    process_pool.store(pool);
  }
  return pool;
}

}  // namespace

HelperPool& HelperPool::Instance() {
  HelperPool* pool = process_pool.load(std::memory_order_acquire);
  return pool != nullptr ? *pool : *MakePool();
}

HelperPool::~HelperPool() {
  stopping_.store(true);
  generation_.fetch_add(1);
  WakeWaiters(generation_, UINT32_MAX);
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

Execution* HelperPool::Take() {
  if (Execution* spare = spare_.exchange(nullptr)) {
    return spare;
  }
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
  Execution* none = nullptr;
  if (spare_.compare_exchange_strong(none, execution)) {
    return;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  idle_.push_back(execution);
}

void HelperPool::Open(Execution* execution, uint32_t helpers) {
  {
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
  }
  generation_.fetch_add(1);
  if (sleepers_.load() > 0) {
    WakeWaiters(generation_, helpers);
  }
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

// Null when nobody wants help.
Execution* HelperPool::JoinOffer() {
  if (offered_.load() == 0) {
    return nullptr;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  if (offers_.empty()) {
    return nullptr;
  }
  Offer& offer = offers_.front();
  Execution* execution = offer.execution;
  execution->EnterHelper();
  if (--offer.places == 0) {
    offers_.erase(offers_.begin());
    offered_.store(static_cast<uint32_t>(offers_.size()));
  }
  return execution;
}

// Returns when there may be an offer that was not there at generation `seen`.
void HelperPool::AwaitOffers(uint32_t seen) {
  for (int i = 0; i < kSpins; ++i) {
    if (generation_.load(std::memory_order_relaxed) != seen) {
      return;
    }
    Pause();
  }
  sleepers_.fetch_add(1);
  AwaitChange(generation_, seen);
  sleepers_.fetch_sub(1);
}

void HelperPool::Help() {
  while (true) {
    const uint32_t seen = generation_.load();  // first: what is looked at below may change after it
    if (stopping_.load()) {
      return;
    }
    if (Execution* execution = JoinOffer()) {
      execution->Work();
      execution->LeaveHelper();
    } else {
      AwaitOffers(seen);
    }
  }
}

}  // namespace attnres::launch
