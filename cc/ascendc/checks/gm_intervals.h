// GmIntervals: who touched which bytes of global memory last, on one core since its last SyncAll.
// UbRaces is the same for UB, by blocks; gm_epochs.h compares the cores with each other.
#ifndef CC_ASCENDC_CHECKS_GM_INTERVALS_H_
#define CC_ASCENDC_CHECKS_GM_INTERVALS_H_

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

#include "cc/ascendc/checks/clocks.h"

namespace attnres::checks {

enum class GmAccess : uint8_t { kRead, kWrite, kAtomic };
constexpr uint32_t kGmAccesses = 3;

// Reads agree with reads, and what accumulates with what accumulates.
inline bool MayConflict(GmAccess a, GmAccess b) { return a != b || a == GmAccess::kWrite; }

class GmIntervals {
 public:
  struct Stamp {
    uint32_t number = 0;  // of the instruction in its pipe; 0: none
    uint32_t site = 0;
  };
  struct Interval {
    uint64_t end;
    Stamp stamps[kPipes][kGmAccesses];
  };
  struct Conflict {
    uint64_t begin;
    uint64_t end;
    uint8_t pipe;  // of the earlier access
    GmAccess access;
    uint32_t site;
  };

  // Calls `report(conflict)` for earlier accesses that `known` does not cover. The scalar unit
  // never races with itself.
  template <typename Report>
  void Touch(uint8_t pipe, GmAccess access, uint32_t number, uint64_t begin, uint64_t end,
             uint32_t site, const Clock& known, Report report) {
    auto at = Cut(begin);
    while (begin < end) {
      if (at == map_.end() || at->first > begin) {
        const uint64_t gap_end = at == map_.end() ? end : std::min(end, at->first);
        at = map_.emplace_hint(at, begin, Interval{gap_end, {}});
      } else if (at->second.end > end) {
        Split(at, end);
      }
      Check(at->first, at->second, pipe, access, number, known, report);
      at->second.stamps[pipe][static_cast<uint32_t>(access)] = {number, site};
      begin = at->second.end;
      ++at;
    }
  }

  const std::map<uint64_t, Interval>& map() const { return map_; }
  void Clear() { map_.clear(); }

 private:
  using Map = std::map<uint64_t, Interval>;

  // The first interval that ends after `begin`; none goes across it.
  Map::iterator Cut(uint64_t begin) {
    auto at = map_.lower_bound(begin);
    if (at != map_.begin()) {
      const auto before = std::prev(at);
      if (before->second.end > begin) {
        Split(before, begin);
        return std::next(before);
      }
    }
    return at;
  }

  void Split(Map::iterator at, uint64_t where) {
    Interval rest = at->second;
    at->second.end = where;
    map_.emplace_hint(std::next(at), where, rest);
  }

  template <typename Report>
  static void Check(uint64_t begin, const Interval& interval, uint8_t pipe, GmAccess access,
                    uint32_t number, const Clock& known, Report report) {
    for (uint8_t other = 0; other < kPipes; ++other) {
      for (uint32_t kind = 0; kind < kGmAccesses; ++kind) {
        const Stamp& stamp = interval.stamps[other][kind];
        if (stamp.number <= known.at[other] || (other == pipe && stamp.number == number) ||
            !MayConflict(access, static_cast<GmAccess>(kind))) {
          continue;
        }
        report(Conflict{begin, interval.end, other, static_cast<GmAccess>(kind), stamp.site});
      }
    }
  }

  Map map_;
};

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_GM_INTERVALS_H_
