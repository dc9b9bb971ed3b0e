// HelperPool: host threads that help the threads that call Run. One pool per process; it grows to
// the most helpers that a launch has asked for and keeps them. A launch never waits for a helper:
// its caller alone can finish it.
#ifndef CC_ASCENDC_LAUNCH_HELPER_POOL_H_
#define CC_ASCENDC_LAUNCH_HELPER_POOL_H_

#include <atomic>
#include <condition_variable>
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

  // Executions for reuse: none is ever destroyed while the pool lives.
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
  Execution* NextOffer();

  std::mutex mutex_;
  std::condition_variable condition_;
  std::vector<Offer> offers_;
  std::atomic<uint32_t> offered_{0};  // offers_.size(), readable without the lock
  std::vector<std::thread> threads_;
  bool stopping_ = false;
  std::vector<std::unique_ptr<Execution>> executions_;
  std::vector<Execution*> idle_;
};

}  // namespace attnres::launch

#endif  // CC_ASCENDC_LAUNCH_HELPER_POOL_H_
