// QueueRules: the buffers of a core's queues, how far each is on its way Alloc, EnQue, DeQue, Free,
// and the flags that a device's queues use for it.
#ifndef CC_ASCENDC_CHECKS_QUEUE_RULES_H_
#define CC_ASCENDC_CHECKS_QUEUE_RULES_H_

#include <cstdint>
#include <deque>

#include "cc/ascendc/checks/flag.h"
#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::checks {

struct QueueBuffer {
  const void* queue = nullptr;
  uint32_t ub_offset = 0;
  uint32_t bytes = 0;
  Flag filled;  // EnQue sets it, DeQue awaits it
  Flag freed;   // FreeTensor sets it, AllocTensor awaits it
  int last_kind = kAscendcTwinQueueFree;
  AscendcTwinPlace last_place = {nullptr, 0, 0};
  bool is_gone = false;       // the pipe was reset
  bool is_unordered = false;  // a mutation took the order of the current EnQue and DeQue away
};

class QueueRules {
 public:
  // Event ids of one pair of pipes.
  static constexpr uint32_t kEventIds = 8;

  // The buffer of a step; made on its first one. It stays where it is.
  QueueBuffer* Find(const AscendcTwinQueueStep& step) {
    for (QueueBuffer& buffer : buffers_) {
      if (buffer.queue == step.queue && buffer.ub_offset == step.ub_offset && !buffer.is_gone) {
        return &buffer;
      }
    }
    buffers_.emplace_back();
    QueueBuffer& buffer = buffers_.back();
    buffer.queue = step.queue;
    buffer.ub_offset = step.ub_offset;
    buffer.bytes = step.bytes;
    buffer.filled.source = step.producer;
    buffer.filled.target = step.consumer;
    buffer.freed.source = step.consumer;
    buffer.freed.target = step.producer;
    return &buffer;
  }

  // How many event ids of the pair the queues hold: flags set and not awaited yet.
  uint32_t Held(uint8_t source, uint8_t target) const {
    uint32_t held = 0;
    for (const QueueBuffer& buffer : buffers_) {
      for (const Flag* flag : {&buffer.filled, &buffer.freed}) {
        const bool is_held = !buffer.is_gone && flag->ahead > 0;
        held += is_held && flag->source == source && flag->target == target ? 1 : 0;
      }
    }
    return held;
  }

  // Calls visit(buffer) for those that are not free again.
  template <typename Visit>
  void VisitUnfinished(Visit visit) const {
    for (const QueueBuffer& buffer : buffers_) {
      if (!buffer.is_gone && buffer.last_kind != kAscendcTwinQueueFree) {
        visit(buffer);
      }
    }
  }

  // Buffers and events are given back.
  void Reset() {
    for (QueueBuffer& buffer : buffers_) {
      buffer.is_gone = true;
    }
  }

 private:
  std::deque<QueueBuffer> buffers_;  // pipes hold pointers to the flags
};

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_QUEUE_RULES_H_
