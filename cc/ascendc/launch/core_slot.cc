// Memory of virtual cores. Both mappings are made once per slot; the UB only again for an SoC with
// a larger one.
#include "cc/ascendc/launch/core_slot.h"

#include <sys/mman.h>

#include <new>

namespace attnres::launch {

namespace {

// A device's scalar unit has 32 KiB of stack; host frames of unoptimised code and an observer's
// need more.
constexpr size_t kStackBytes = 1024 * 1024;

// For a whole register that is loaded where UB ends: it must not end the process.
constexpr size_t kBytesBehindUb = 4096;

}  // namespace

CoreSlot::~CoreSlot() {
  if (ub != nullptr) {
    munmap(ub, ub_capacity + kBytesBehindUb);
  }
}

bool CoreSlot::Reserve(uint64_t ub_bytes) {
  if (!has_stack) {
    has_stack = fiber.Allocate(kStackBytes);
  }
  if (has_stack && ub_capacity < ub_bytes) {
    const uint64_t mapped = ub_bytes + kBytesBehindUb;
    void* mapping =
        mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) {
      return false;
    }
    if (ub != nullptr) {
      munmap(ub, ub_capacity + kBytesBehindUb);
    }
    ub = static_cast<uint8_t*>(mapping);
    ub_capacity = ub_bytes;
  }
  return has_stack;
}

void CoreSlots::Begin(uint32_t count) {
  if (slots_.size() < count) {
    slots_.resize(count);
  }
  taken_.store(0, std::memory_order_relaxed);
}

CoreSlot* CoreSlots::TakeUnused(uint64_t ub_bytes) {
  std::unique_ptr<CoreSlot>& slot = slots_[taken_.fetch_add(1, std::memory_order_relaxed)];
  if (slot == nullptr) {
    slot.reset(new (std::nothrow) CoreSlot);
  }
  return slot != nullptr && slot->Reserve(ub_bytes) ? slot.get() : nullptr;
}

}  // namespace attnres::launch
