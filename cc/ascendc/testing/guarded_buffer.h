// GuardedBuffer<T>: elements between two stretches of guard bytes, to see that a kernel writes
// nothing beside them.
#ifndef CC_ASCENDC_TESTING_GUARDED_BUFFER_H_
#define CC_ASCENDC_TESTING_GUARDED_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace attnres::testing {

// The elements start at the given offset from a 512-byte boundary, so that misaligned addresses can
// be tried too. All bytes are `fill` at first; 0xFF is NaN in every floating-point type.
template <typename T>
class GuardedBuffer {
 public:
  explicit GuardedBuffer(size_t count, size_t offset_bytes = 0, uint8_t fill = 0xFF)
      : count_(count), memory_(count * sizeof(T) + 2 * kGuardBytes + 512, kGuard) {
    const auto begin = reinterpret_cast<uintptr_t>(memory_.data()) + kGuardBytes;
    data_ = memory_.data() + kGuardBytes + ((512 - begin % 512) % 512) + offset_bytes;
    std::memset(data_, fill, count * sizeof(T));
  }

  T* data() { return reinterpret_cast<T*>(data_); }
  const T* data() const { return reinterpret_cast<const T*>(data_); }
  size_t size() const { return count_; }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }

  bool GuardsIntact() const {
    for (const uint8_t* at = memory_.data(); at != memory_.data() + memory_.size(); ++at) {
      const bool inside = at >= data_ && at < data_ + count_ * sizeof(T);
      if (!inside && *at != kGuard) {
        return false;
      }
    }
    return true;
  }

 private:
  static constexpr size_t kGuardBytes = 1024;
  static constexpr uint8_t kGuard = 0xA5;

  size_t count_;
  std::vector<uint8_t> memory_;
  uint8_t* data_;
};

}  // namespace attnres::testing

#endif  // CC_ASCENDC_TESTING_GUARDED_BUFFER_H_
