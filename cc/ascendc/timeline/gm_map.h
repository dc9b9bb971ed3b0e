// GmMap: host addresses of global memory as a device might have placed them. A buffer that was
// announced begins at a multiple of 512 bytes there, wherever the host put it, so that the same
// launch takes the same time every time; other addresses stay as they are.
#ifndef CC_ASCENDC_TIMELINE_GM_MAP_H_
#define CC_ASCENDC_TIMELINE_GM_MAP_H_

#include <cstdint>
#include <map>

namespace attnres::timeline {

class GmMap {
 public:
  // Buffers must not overlap; one that begins where an earlier one does replaces it.
  void Add(uint64_t address, uint64_t bytes) {
    buffers_[address] = {bytes, next_};
    next_ += (bytes + 2 * kAlignment - 1) / kAlignment * kAlignment;
  }

  uint64_t Find(uint64_t address) const {
    auto buffer = buffers_.upper_bound(address);
    if (buffer == buffers_.begin()) return address;
    --buffer;
    const uint64_t offset = address - buffer->first;
    return offset < buffer->second.bytes ? buffer->second.begin + offset : address;
  }

 private:
  static constexpr uint64_t kAlignment = 4096;

  struct Buffer {
    uint64_t bytes;
    uint64_t begin;
  };
  std::map<uint64_t, Buffer> buffers_;
  uint64_t next_ = uint64_t{1} << 56;  // no host address
};

}  // namespace attnres::timeline

#endif  // CC_ASCENDC_TIMELINE_GM_MAP_H_
