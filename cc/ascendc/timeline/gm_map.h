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
  struct Place {
    uint64_t address;
    bool bypasses_l2;
  };

  // Buffers must not overlap; one that begins where an earlier one does replaces it. `bypasses_l2`:
  // copies of it do, as after GlobalTensor::SetL2CacheHint(CACHE_MODE_DISABLE).
  void Add(uint64_t address, uint64_t bytes, bool bypasses_l2) {
    buffers_[address] = {bytes, next_, bypasses_l2};
    next_ += (bytes + 2 * kAlignment - 1) / kAlignment * kAlignment;
  }

  Place Find(uint64_t address) const {
    auto buffer = buffers_.upper_bound(address);
    if (buffer == buffers_.begin()) return {address, false};
    --buffer;
    const uint64_t offset = address - buffer->first;
    if (offset >= buffer->second.bytes) return {address, false};
    return {buffer->second.begin + offset, buffer->second.bypasses_l2};
  }

 private:
  static constexpr uint64_t kAlignment = 4096;

  struct Buffer {
    uint64_t bytes;
    uint64_t begin;
    bool bypasses_l2;
  };
  std::map<uint64_t, Buffer> buffers_;
  uint64_t next_ = uint64_t{1} << 56;  // no host address
};

}  // namespace attnres::timeline

#endif  // CC_ASCENDC_TIMELINE_GM_MAP_H_
