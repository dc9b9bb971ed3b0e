// The system calls of futex.h.
#include "cc/ascendc/launch/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>

namespace attnres::launch {

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t), "the kernel looks at the word");

void AwaitChange(const std::atomic<uint32_t>& word, uint32_t seen) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
}

void WakeWaiters(const std::atomic<uint32_t>& word, uint32_t count) {
  const uint32_t limited = std::min(count, static_cast<uint32_t>(INT_MAX));
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, limited, nullptr, nullptr, 0);
}

}  // namespace attnres::launch
