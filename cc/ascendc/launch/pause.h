// Pause: for loops that wait for another thread for a moment before they sleep (futex.h).
#ifndef CC_ASCENDC_LAUNCH_PAUSE_H_
#define CC_ASCENDC_LAUNCH_PAUSE_H_

namespace attnres::launch {

// Tells the processor that this is a loop that waits; some tens of nanoseconds.
inline void Pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace attnres::launch

#endif  // CC_ASCENDC_LAUNCH_PAUSE_H_
