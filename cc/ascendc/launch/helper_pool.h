// HelperPool: host threads that help the threads that call Run. One pool per process; it grows to
// the most helpers that a launch has asked for and keeps them. A launch never waits for a helper:
// its caller alone can finish it.
#ifndef CC_ASCENDC_LAUNCH_HELPER_POOL_H_
#define CC_ASCENDC_LAUNCH_HELPER_POOL_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "cc/ascendc/launch/execution.h"

namespace attnres::launch {

class HelperPool {
 public:
  // The process's pool; a forked child gets a new one, since threads do not survive a fork.
  static HelperPool& Instance();

  ~HelperPool();

  // Executions for reuse: none is ever destroyed while the pool lives. Where one caller launches at
  // a time, neither takes a lock.
  Execution* Take();
  void Give(Execution* execution);

  // Lets up to `helpers` idle threads join `execution`, until Close.
  void Open(Execution* execution, uint32_t helpers);
  // After it no further thread joins.
  void Close(Execution* execution);

 private:
  struct Offer {
    Execution* execution;
    uint32_t places;
  };

  void Help();
  Execution* JoinOffer();
  void AwaitOffers(uint32_t seen);

  std::mutex mutex_;
  std::vector<Offer> offers_;
  std::atomic<uint32_t> offered_{0};     // offers_.size(), readable without the lock
  std::atomic<uint32_t> generation_{0};  // changes with each new offer, and at the end
  std::atomic<uint32_t> sleepers_{0};
  std::atomic<bool> stopping_{false};
  std::vector<std::thread> threads_;

  std::vector<std::unique_ptr<Execution>> executions_;
  std::vector<Execution*> idle_;
  std::atomic<Execution*> spare_{nullptr};  // an idle one that is not in idle_
};

}  // namespace attnres::launch

#endif  // CC_ASCENDC_LAUNCH_HELPER_POOL_H_
