// Looking up regions of global memory.
#include "cc/ascendc/checks/gm_regions.h"

#include <algorithm>
#include <utility>

namespace attnres::checks {

GmRegions::GmRegions(std::vector<GmRegion> regions) {
  for (GmRegion& region : regions) {
    if (region.bytes == 0) {
      continue;
    }
    Entry entry;
    entry.begin = reinterpret_cast<uint64_t>(region.data);
    entry.end = entry.begin + region.bytes;
    entry.region = std::move(region);
    if (entry.IsWritable() && !entry.region.is_filled) {
      entry.written = std::make_unique<ByteFlags<true>>(entry.region.bytes);
    }
    entries_.push_back(std::move(entry));
  }
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.begin < b.begin; });
}

std::string GmRegions::Entry::Name() const {
  static constexpr const char* kKinds[] = {"input", "output", "workspace", "tiling data"};
  return std::string("GM ") + kKinds[static_cast<size_t>(region.kind)] + " " + region.name;
}

const GmRegions::Entry* GmRegions::Search(uint64_t address, size_t* hint) const {
  const auto after =
      std::upper_bound(entries_.begin(), entries_.end(), address,
                       [](uint64_t value, const Entry& entry) { return value < entry.begin; });
  if (after == entries_.begin() || address >= std::prev(after)->end) {
    return nullptr;
  }
  *hint = static_cast<size_t>(std::prev(after) - entries_.begin());
  return &entries_[*hint];
}

std::string GmRegions::Describe(uint64_t address) const {
  const Entry* nearest = nullptr;
  uint64_t distance = UINT64_MAX;
  bool is_after = false;
  for (const Entry& entry : entries_) {
    const bool after = address >= entry.end;
    const uint64_t away = after ? address - entry.end : entry.begin - address;
    if (away < distance) {
      nearest = &entry;
      distance = away;
      is_after = after;
    }
  }
  if (nearest == nullptr) {
    return "the launch has no global memory";
  }
  return std::to_string(distance) + (is_after ? " bytes after the end of " : " bytes before ") +
         nearest->Name();
}

}  // namespace attnres::checks
