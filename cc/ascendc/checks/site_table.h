// SiteTable: small numbers for the places of a kernel's source and what happened there, so that
// shadows of memory hold four bytes per block. One per core: no locks.
#ifndef CC_ASCENDC_CHECKS_SITE_TABLE_H_
#define CC_ASCENDC_CHECKS_SITE_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::checks {

// Text is compared by address: it stands in the kernel's library.
struct Site {
  AscendcTwinPlace place = {nullptr, 0, 0};
  const char* name = nullptr;     // of the instruction
  const char* operand = nullptr;  // "dst", "src0"; null where it has none
  uint8_t pipe = 0;
};

class SiteTable {
 public:
  SiteTable() : sites_(1), slots_(kFirstSlots) {}

  // The number of a site, from 1; the same one for an equal site.
  uint32_t Number(const AscendcTwinPlace& place, const char* name, const char* operand,
                  uint8_t pipe) {
    const uint64_t hash = Hash(place, name, operand, pipe);
    uint32_t& recent = recent_[hash % kRecent];
    if (recent != 0 && Equal(sites_[recent], place, name, operand, pipe)) {
      return recent;
    }
    return recent = Look(hash, place, name, operand, pipe);
  }

  // Precondition: 0 (a site that says nothing) or a number from Number.
  const Site& At(uint32_t number) const { return sites_[number]; }
  size_t size() const { return sites_.size() - 1; }

 private:
  static constexpr size_t kFirstSlots = 256;  // a power of two
  static constexpr size_t kRecent = 64;

  static uint64_t Hash(const AscendcTwinPlace& place, const char* name, const char* operand,
                       uint8_t pipe) {
    uint64_t hash = reinterpret_cast<uint64_t>(place.file) + place.line * 0x9E3779B97F4A7C15ull +
                    place.column * 0xC2B2AE3D27D4EB4Full + reinterpret_cast<uint64_t>(name) * 31 +
                    reinterpret_cast<uint64_t>(operand) * 17 + pipe;
    hash ^= hash >> 32;
    return hash ^ hash >> 15;
  }

  static bool Equal(const Site& site, const AscendcTwinPlace& place, const char* name,
                    const char* operand, uint8_t pipe) {
    return site.place.line == place.line && site.place.column == place.column &&
           site.place.file == place.file && site.name == name && site.operand == operand &&
           site.pipe == pipe;
  }

  uint32_t Look(uint64_t hash, const AscendcTwinPlace& place, const char* name, const char* operand,
                uint8_t pipe) {
    size_t slot = hash % slots_.size();
    while (slots_[slot] != 0) {
      if (Equal(sites_[slots_[slot]], place, name, operand, pipe)) {
        return slots_[slot];
      }
      slot = (slot + 1) % slots_.size();
    }
    sites_.push_back(Site{place, name, operand, pipe});
    const auto number = static_cast<uint32_t>(sites_.size() - 1);
    slots_[slot] = number;
    if (sites_.size() * 2 > slots_.size()) {
      Grow();
    }
    return number;
  }

  void Grow() {
    slots_.assign(slots_.size() * 2, 0);
    for (uint32_t number = 1; number < sites_.size(); ++number) {
      const Site& site = sites_[number];
      size_t slot = Hash(site.place, site.name, site.operand, site.pipe) % slots_.size();
      while (slots_[slot] != 0) {
        slot = (slot + 1) % slots_.size();
      }
      slots_[slot] = number;
    }
  }

  std::vector<Site> sites_;
  std::vector<uint32_t> slots_;
  uint32_t recent_[kRecent] = {};
};

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_SITE_TABLE_H_
