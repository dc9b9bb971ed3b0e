// Handles that survive their object: a table gives each object a number that looks
// like a pointer, is never used again and is never dereferenced. A stale or foreign
// handle is therefore recognised, whatever the allocator did meanwhile. Streams,
// events, contexts and executors are kept so.
#ifndef CC_ACL_INTERNAL_HANDLE_TABLE_H_
#define CC_ACL_INTERNAL_HANDLE_TABLE_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace attnres::acl {

// Tags the handles of a table, so that a handle of one kind is not taken for another.
enum class HandleKind : uint64_t { kContext = 1, kStream = 2, kEvent = 3, kExecutor = 4 };

// Thread safe. An object that Find returned lives as long as the shared pointer, also
// when the handle is removed meanwhile.
template <typename T>
class HandleTable {
 public:
  explicit HandleTable(HandleKind kind) : kind_(kind) {}

  void* Insert(std::shared_ptr<T> object) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (free_.empty()) {
      slots_.emplace_back();
      free_.push_back(slots_.size() - 1);
    }
    const uint64_t index = free_.back();
    free_.pop_back();
    slots_[index].object = std::move(object);
    return Encode(index, slots_[index].generation);
  }

  // Null when the handle does not live.
  std::shared_ptr<T> Find(const void* handle) const {
    std::lock_guard<std::mutex> lock(mutex_);
    const uint64_t index = Decode(handle);
    return index == kNone ? nullptr : slots_[index].object;
  }

  // Ends the handle and returns its object; null when the handle did not live.
  std::shared_ptr<T> Remove(const void* handle) {
    std::lock_guard<std::mutex> lock(mutex_);
    const uint64_t index = Decode(handle);
    if (index == kNone) return nullptr;
    ++slots_[index].generation;
    free_.push_back(index);
    return std::move(slots_[index].object);
  }

  std::vector<std::shared_ptr<T>> All() const {
    std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::shared_ptr<T>> objects;
    for (const Slot& slot : slots_) {
      if (slot.object != nullptr) objects.push_back(slot.object);
    }
    return objects;
  }

 private:
  struct Slot {
    uint32_t generation = 1;
    std::shared_ptr<T> object;
  };

  // Generation above 28 bits of slot index and 4 bits of kind.
  static constexpr unsigned kIndexShift = 4;
  static constexpr unsigned kGenerationShift = 32;
  static constexpr uint64_t kNone = ~uint64_t{0};

  void* Encode(uint64_t index, uint32_t generation) const {
    const uint64_t bits = (uint64_t{generation} << kGenerationShift) | (index << kIndexShift) |
                          static_cast<uint64_t>(kind_);
    return reinterpret_cast<void*>(static_cast<uintptr_t>(bits));
  }

  uint64_t Decode(const void* handle) const {
    const uint64_t bits = reinterpret_cast<uintptr_t>(handle);
    const uint64_t index = (bits & ((uint64_t{1} << kGenerationShift) - 1)) >> kIndexShift;
    if ((bits & ((1u << kIndexShift) - 1)) != static_cast<uint64_t>(kind_)) return kNone;
    if (index >= slots_.size() || slots_[index].object == nullptr) return kNone;
    return slots_[index].generation == bits >> kGenerationShift ? index : kNone;
  }

  const HandleKind kind_;
  mutable std::mutex mutex_;
  std::vector<Slot> slots_;
  std::vector<uint64_t> free_;
};

}  // namespace attnres::acl

#endif  // CC_ACL_INTERNAL_HANDLE_TABLE_H_
