// Waiting for a 32-bit word of this process to change, by the kernel's futex: no lock, and no
// system call for whoever changes a word that nobody waits for. Used by execution.cc and
// helper_pool.cc.
#ifndef CC_ASCENDC_LAUNCH_FUTEX_H_
#define CC_ASCENDC_LAUNCH_FUTEX_H_

#include <atomic>
#include <cstdint>

namespace attnres::launch {

// Returns when WakeWaiters was called for the word, at once if it no longer holds `seen`, and now
// and then for no reason: the caller looks again.
void AwaitChange(const std::atomic<uint32_t>& word, uint32_t seen);

// Wakes at most `count` waiters. Does not read the word, so its memory may be in use for something
// else by now.
void WakeWaiters(const std::atomic<uint32_t>& word, uint32_t count);

}  // namespace attnres::launch

#endif  // CC_ASCENDC_LAUNCH_FUTEX_H_
