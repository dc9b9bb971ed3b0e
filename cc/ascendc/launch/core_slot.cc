// Memory of virtual cores. Both mappings are made once per slot; the UB only again for an SoC with
// a larger one.
#include "cc/ascendc/launch/core_slot.h"

#include <sys/mman.h>

namespace attnres::launch {

namespace {

// A device's scalar unit has 32 KiB of stack; host frames of unoptimised code are larger.
constexpr size_t kStackBytes = 256 * 1024;

}  // namespace

CoreSlot::~CoreSlot() {
  if (ub != nullptr) {
    munmap(ub, ub_capacity);
  }
}

CoreSlot* CoreSlots::Acquire(uint64_t ub_bytes) {
  if (idle_.empty()) {
    auto slot = std::make_unique<CoreSlot>();
    if (!slot->fiber.Allocate(kStackBytes)) {
      return nullptr;
    }
    all_.push_back(std::move(slot));
    idle_.reserve(all_.size());  // so that Release never allocates
    idle_.push_back(all_.back().get());
  }
  CoreSlot* slot = idle_.back();
  if (slot->ub_capacity < ub_bytes) {
    void* ub = mmap(nullptr, ub_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (ub == MAP_FAILED) {
      return nullptr;
    }
    if (slot->ub != nullptr) {
      munmap(slot->ub, slot->ub_capacity);
    }
    slot->ub = static_cast<uint8_t*>(ub);
    slot->ub_capacity = ub_bytes;
  }
  idle_.pop_back();
  return slot;
}

}  // namespace attnres::launch
