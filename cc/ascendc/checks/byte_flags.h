// ByteFlags: one flag per byte of a stretch of memory, for which bytes have been written. Eight
// bytes of memory cost one bit each, and ranges are handled 64 flags at a time.
#ifndef CC_ASCENDC_CHECKS_BYTE_FLAGS_H_
#define CC_ASCENDC_CHECKS_BYTE_FLAGS_H_

#include <atomic>
#include <cstdint>
#include <vector>

namespace attnres::checks {

// kShared: several threads may call at the same time; what one has set is seen by another that is
// ordered after it by other means.
template <bool kShared>
class ByteFlags {
 public:
  explicit ByteFlags(uint64_t bytes) : bytes_(bytes), words_((bytes + 63) / 64) {}

  uint64_t size() const { return bytes_; }

  // Precondition: begin <= end <= size().
  void Set(uint64_t begin, uint64_t end) {
    if (begin >= end) {
      return;
    }
    const uint64_t first = begin / 64;
    const uint64_t last = (end - 1) / 64;
    const uint64_t head = kAll << (begin % 64);
    const uint64_t tail = kAll >> (63 - (end - 1) % 64);
    if (first == last) {
      Or(first, head & tail);
      return;
    }
    Or(first, head);
    for (uint64_t word = first + 1; word < last; ++word) {
      words_[word].store(kAll, std::memory_order_relaxed);
    }
    Or(last, tail);
  }

  // The first byte in [begin, end) whose flag is not set, or `end`.
  uint64_t FirstUnset(uint64_t begin, uint64_t end) const { return First(begin, end, kAll); }
  // The first one whose flag is set, or `end`.
  uint64_t FirstSet(uint64_t begin, uint64_t end) const { return First(begin, end, 0); }

  // Precondition: begin < end <= size().
  void Clear(uint64_t begin, uint64_t end) {
    const uint64_t first = begin / 64;
    const uint64_t last = (end - 1) / 64;
    const uint64_t before = ~(kAll << (begin % 64));
    const uint64_t after = ~(kAll >> (63 - (end - 1) % 64));
    if (first == last) {
      And(first, before | after);
      return;
    }
    And(first, before);
    for (uint64_t word = first + 1; word < last; ++word) {
      words_[word].store(0, std::memory_order_relaxed);
    }
    And(last, after);
  }

  // Clears the flags of [begin, end), and maybe some beside them.
  void ClearAround(uint64_t begin, uint64_t end) {
    for (uint64_t word = begin / 64; word * 64 < end; ++word) {
      words_[word].store(0, std::memory_order_relaxed);
    }
  }

 private:
  static constexpr uint64_t kAll = ~uint64_t{0};

  // The first byte whose flag differs from those of `flip`, all equal.
  uint64_t First(uint64_t begin, uint64_t end, uint64_t flip) const {
    if (begin >= end) {
      return end;
    }
    const uint64_t last = (end - 1) / 64;
    uint64_t word = begin / 64;
    uint64_t found = (Load(word) ^ flip) & (kAll << (begin % 64));
    while (found == 0 && word < last) {
      found = Load(++word) ^ flip;
    }
    if (found == 0) {
      return end;
    }
    const uint64_t byte = word * 64 + static_cast<uint64_t>(__builtin_ctzll(found));
    return byte < end ? byte : end;
  }

  uint64_t Load(uint64_t word) const { return words_[word].load(std::memory_order_relaxed); }

  void Or(uint64_t word, uint64_t bits) {
    if constexpr (kShared) {
      words_[word].fetch_or(bits, std::memory_order_relaxed);
    } else {
      words_[word].store(Load(word) | bits, std::memory_order_relaxed);
    }
  }

  void And(uint64_t word, uint64_t bits) {
    if constexpr (kShared) {
      words_[word].fetch_and(bits, std::memory_order_relaxed);
    } else {
      words_[word].store(Load(word) & bits, std::memory_order_relaxed);
    }
  }

  uint64_t bytes_;
  std::vector<std::atomic<uint64_t>> words_;
};

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_BYTE_FLAGS_H_
