// Fiber: a stack of its own on which a function runs until it gives the thread back. The engine
// gives each virtual core one, so that a core that waits for others frees its thread. core_slot.h
// joins a fiber with the core's memory.
#ifndef CC_ASCENDC_LAUNCH_FIBER_H_
#define CC_ASCENDC_LAUNCH_FIBER_H_

#include <cstddef>

namespace attnres::launch {

// States: idle -> Start -> suspended -> Resume -> running -> Suspend -> suspended ... A fiber must
// be resumed by one thread only. Start may be called in any state but running: whatever was on the
// stack is dropped without destructors. The function must end by Suspend, never by returning.
class Fiber {
 public:
  using Function = void (*)(void* argument);

  Fiber() = default;
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Maps the stack with an inaccessible page below it. False if there is no memory.
  bool Allocate(size_t stack_bytes);

  void Start(Function function, void* argument);
  // Runs the fiber until it suspends.
  void Resume();
  // Called on the fiber: returns to the caller of Resume.
  void Suspend();

 private:
  void* mapping_ = nullptr;
  size_t mapping_bytes_ = 0;
  void* fiber_stack_ = nullptr;   // the fiber's stack pointer while it is suspended
  void* thread_stack_ = nullptr;  // the resuming thread's while the fiber runs
};

}  // namespace attnres::launch

#endif  // CC_ASCENDC_LAUNCH_FIBER_H_
