// L2Cache: which bytes of global memory the cache that all cores share holds. Room is made at the
// cost of what was written, then of what was read, the oldest first: devices write back nearly all
// that a kernel writes while it also reads through L2, and next to nothing where it does not
// (docs/time_mode.md, add 4 and 5). It starts empty; what is still to be written back at the end of
// a launch is not counted. Addresses are those of GmMap (gm_map.h).
#ifndef CC_ASCENDC_TIMELINE_L2_CACHE_H_
#define CC_ASCENDC_TIMELINE_L2_CACHE_H_

#include <cstdint>
#include <list>
#include <unordered_map>

namespace attnres::timeline {

class L2Cache {
 public:
  // `line_bytes`: at least 128, a divisor of 4096.
  L2Cache(uint64_t bytes, uint32_t line_bytes);

  struct Traffic {
    uint64_t missed = 0;        // bytes of lines that a read had to fetch
    uint64_t written_back = 0;  // bytes of lines that had to make room
  };
  Traffic Read(uint64_t address, uint64_t bytes) { return Access(address, bytes, false); }
  Traffic Write(uint64_t address, uint64_t bytes) { return Access(address, bytes, true); }

 private:
  static constexpr uint64_t kPageBytes = 4096;

  struct Page {
    uint32_t valid = 0;  // a bit per line
    uint32_t dirty = 0;
    std::list<uint64_t>::iterator age;
  };

  Traffic Access(uint64_t address, uint64_t bytes, bool is_write);
  void Touch(uint64_t page_number, bool is_write, bool is_new, Page* page);
  // Of lines written back. The page touched last stays.
  uint64_t MakeRoom(uint64_t page_number);

  const uint64_t most_lines_;
  const uint32_t line_bytes_;
  uint64_t lines_ = 0;
  std::unordered_map<uint64_t, Page> pages_;
  // The page touched last is in front.
  std::list<uint64_t> written_;  // with a line that is to be written back
  std::list<uint64_t> read_;     // the others
};

}  // namespace attnres::timeline

#endif  // CC_ASCENDC_TIMELINE_L2_CACHE_H_
