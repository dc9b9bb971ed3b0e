// VectorFunction: the blocks of UB that a vector function has touched so far. Its accesses come one
// register at a time; they are collected here and go to UbRaces at its end, whole stretches at
// once.
#ifndef CC_ASCENDC_CHECKS_VECTOR_FUNCTION_H_
#define CC_ASCENDC_CHECKS_VECTOR_FUNCTION_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cc/ascendc/checks/byte_flags.h"
#include "cc/ascendc/checks/ub_races.h"

namespace attnres::checks {

class VectorFunction {
 public:
  explicit VectorFunction(uint64_t ub_bytes)
      : blocks_(static_cast<uint32_t>((ub_bytes + kUbBlockBytes - 1) / kUbBlockBytes)),
        stored_(ub_bytes),
        unfenced_(ub_bytes),
        ranges_(blocks_) {
    for (Touched& touched : touched_) {
      touched.sites.resize(blocks_);
      touched.bits.resize(blocks_ / 64 + 1);
    }
  }

  void Touch(bool is_write, uint32_t first, uint32_t last, uint32_t site) {
    Touched& touched = touched_[is_write ? 1 : 0];
    for (uint32_t block = first; block < last; ++block) {
      touched.sites[block] = site;
    }
    // An access touches few blocks: at most two words.
    for (uint32_t block = first; block < last;) {
      const uint32_t in_word = std::min(last - block, 64 - block % 64);
      touched.bits[block / 64] |= (~uint64_t{0} >> (64 - in_word)) << (block % 64);
      block += in_word;
    }
    touched.first = std::min(touched.first, first);
    touched.last = std::max(touched.last, last);
  }

  void Store(uint64_t begin, uint64_t end) {
    stored_.Set(begin, end);
    unfenced_.Set(begin, end);
    stored_begin_ = std::min(stored_begin_, begin);
    stored_end_ = std::max(stored_end_, end);
    unfenced_begin_ = std::min(unfenced_begin_, begin);
    unfenced_end_ = std::max(unfenced_end_, end);
    const auto first = static_cast<uint32_t>(begin / kUbBlockBytes);
    const auto last = static_cast<uint32_t>((end - 1) / kUbBlockBytes);
    for (uint32_t block = first; block <= last; ++block) {
      ranges_[block] = {0, kUbBlockBytes};
    }
    ranges_[first].begin = static_cast<uint8_t>(begin % kUbBlockBytes);
    ranges_[last].end = static_cast<uint8_t>((end - 1) % kUbBlockBytes + 1);
  }
  // A store that follows a load of the same bytes stores what became of them, and so follows the
  // stores before the load too.
  void Load(uint64_t begin, uint64_t end) {
    if (begin < unfenced_end_ && end > unfenced_begin_) {
      unfenced_.Clear(begin, end);
    }
  }
  // The first byte in [begin, end) that was stored with no barrier since, or `end`.
  uint64_t FirstStored(uint64_t begin, uint64_t end) const {
    return stored_end_ <= begin ? end : stored_.FirstSet(begin, end);
  }
  // The first byte in [begin, end) that another site than `site` was the last to store, with no
  // barrier between stores since; `end` if there is none, or if the block's last store leaves out
  // the byte, so that it is not known whose it is. Ask before Touch.
  uint64_t FirstStoredByAnother(uint64_t begin, uint64_t end, uint32_t site) const {
    uint64_t byte = unfenced_end_ <= begin ? end : unfenced_.FirstSet(begin, end);
    while (byte < end) {
      const uint64_t block = byte / kUbBlockBytes;
      const uint64_t block_begin = block * kUbBlockBytes;
      const uint64_t known_begin = std::max(byte, block_begin + ranges_[block].begin);
      const uint64_t known_end = std::min(end, block_begin + ranges_[block].end);
      if (touched_[1].sites[block] != site && known_begin < known_end) {
        return known_begin;
      }
      byte = std::min(end, block_begin + kUbBlockBytes);
      byte = unfenced_.FirstSet(byte, end);
    }
    return end;
  }
  // The site of the last store to the block of the byte. Precondition: there is one.
  uint32_t StoreSite(uint64_t byte) const { return touched_[1].sites[byte / kUbBlockBytes]; }
  // Stores so far precede loads from now on.
  void Barrier() {
    if (stored_begin_ < stored_end_) {
      stored_.ClearAround(stored_begin_, stored_end_);
    }
    stored_begin_ = UINT64_MAX;
    stored_end_ = 0;
  }

  // And later stores.
  void BarrierOfStores() {
    if (unfenced_begin_ < unfenced_end_) {
      unfenced_.ClearAround(unfenced_begin_, unfenced_end_);
    }
    unfenced_begin_ = UINT64_MAX;
    unfenced_end_ = 0;
  }

  // Calls visit(is_write, first, last, sites) for each stretch of touched blocks, and forgets them.
  template <typename Visit>
  void Finish(Visit visit) {
    Barrier();
    BarrierOfStores();
    for (uint32_t is_write = 0; is_write < 2; ++is_write) {
      Touched& touched = touched_[is_write];
      uint32_t block = touched.first;
      while (block < touched.last) {
        const uint32_t first = NextBlock(touched, block, true);
        block = NextBlock(touched, first, false);
        if (first < block) {
          visit(is_write == 1, first, block, touched.sites.data());
        }
      }
      if (touched.first < touched.last) {
        std::fill(touched.bits.begin() + touched.first / 64,
                  touched.bits.begin() + (touched.last - 1) / 64 + 1, 0);
      }
      touched.first = UINT32_MAX;
      touched.last = 0;
    }
  }

 private:
  struct Touched {
    std::vector<uint32_t> sites;
    std::vector<uint64_t> bits;
    uint32_t first = UINT32_MAX;
    uint32_t last = 0;
  };

  // The bytes of a block that its last store wrote.
  struct Range {
    uint8_t begin = 0;
    uint8_t end = 0;
  };

  // The first block from `block` on that is touched, or not touched; at most touched.last.
  static uint32_t NextBlock(const Touched& touched, uint32_t block, bool is_touched) {
    while (block < touched.last) {
      const uint64_t word = is_touched ? touched.bits[block / 64] : ~touched.bits[block / 64];
      const uint64_t rest = word >> (block % 64);
      if (rest != 0) {
        return std::min(touched.last, block + static_cast<uint32_t>(__builtin_ctzll(rest)));
      }
      block = (block / 64 + 1) * 64;
    }
    return touched.last;
  }

  uint32_t blocks_;
  Touched touched_[2];
  ByteFlags<false> stored_;    // since the last barrier before loads
  ByteFlags<false> unfenced_;  // since the last one before stores
  std::vector<Range> ranges_;
  uint64_t stored_begin_ = UINT64_MAX;
  uint64_t stored_end_ = 0;
  uint64_t unfenced_begin_ = UINT64_MAX;
  uint64_t unfenced_end_ = 0;
};

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_VECTOR_FUNCTION_H_
