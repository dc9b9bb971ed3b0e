// GmRegions: the stretches of global memory that a kernel may use, with names, what each is for,
// and which bytes of outputs and workspace have been written. Shared by the cores of a launch.
#ifndef CC_ASCENDC_CHECKS_GM_REGIONS_H_
#define CC_ASCENDC_CHECKS_GM_REGIONS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cc/ascendc/checks/byte_flags.h"

namespace attnres::checks {

enum class RegionKind : uint8_t { kInput, kOutput, kWorkspace, kTiling };

struct GmRegion {
  std::string name;
  RegionKind kind = RegionKind::kInput;
  void* data = nullptr;
  uint64_t bytes = 0;
  // The host has filled an output or workspace before the launch (a zeroed accumulator).
  bool is_filled = false;
};

class GmRegions {
 public:
  // Regions of 0 bytes are left out; others may not overlap. For each output and workspace there
  // is one flag per byte.
  explicit GmRegions(std::vector<GmRegion> regions);

  // A region with the kernel's accesses to it. Inputs and tiling data have no flags.
  struct Entry {
    GmRegion region;
    uint64_t begin;  // addresses
    uint64_t end;
    std::unique_ptr<ByteFlags<true>> written;

    bool IsWritable() const {
      return region.kind == RegionKind::kOutput || region.kind == RegionKind::kWorkspace;
    }
    std::string Name() const;  // "GM output grad"
  };

  // The region that holds the address, null if none does. `hint`: of the caller's last call.
  const Entry* Find(uint64_t address, size_t* hint) const {
    if (*hint < entries_.size() && address >= entries_[*hint].begin &&
        address < entries_[*hint].end) {
      return &entries_[*hint];
    }
    return Search(address, hint);
  }

  // Where an address of no region lies: "48 bytes after GM output grad".
  std::string Describe(uint64_t address) const;

  const std::vector<Entry>& entries() const { return entries_; }

 private:
  const Entry* Search(uint64_t address, size_t* hint) const;

  std::vector<Entry> entries_;  // by address
};

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_GM_REGIONS_H_
