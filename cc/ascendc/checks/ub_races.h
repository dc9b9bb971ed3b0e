// UbRaces: who touched each 32-byte block of a core's Unified Buffer last, per pipe, to see whether
// a new access is ordered after them. 32 bytes are the unit in which the pipes address UB.
#ifndef CC_ASCENDC_CHECKS_UB_RACES_H_
#define CC_ASCENDC_CHECKS_UB_RACES_H_

#include <cstdint>
#include <cstring>
#include <vector>

#include "cc/ascendc/checks/clocks.h"

namespace attnres::checks {

constexpr uint64_t kUbBlockBytes = 32;

// Accesses must come in an order in which they can happen: if one is ordered after another, then it
// comes later.
class UbRaces {
 public:
  struct Access {
    uint8_t pipe;
    bool is_write;
    uint32_t number;  // of the instruction in its pipe
  };
  struct Conflict {
    uint32_t first;  // blocks
    uint32_t last;
    uint8_t pipe;  // of the earlier access
    bool was_write;
    uint32_t site;       // of the earlier access
    uint32_t late_site;  // of the later one
  };

  explicit UbRaces(uint64_t ub_bytes)
      : blocks_(static_cast<uint32_t>((ub_bytes + kUbBlockBytes - 1) / kUbBlockBytes)) {}

  // An access to blocks [first, last) by one site. Calls `report(conflict)` for earlier accesses
  // that `known` does not cover: for each pipe the first stretch of blocks of each site.
  template <typename Report>
  void Touch(const Access& access, uint32_t first, uint32_t last, uint32_t site, const Clock& known,
             Report report) {
    FindConflicts(access, first, last, known, [&](Conflict conflict) {
      conflict.late_site = site;
      report(conflict);
    });
    Lane& lane = Own(access);
    for (uint32_t block = first; block < last; ++block) {
      lane.numbers[block] = access.number;
      lane.sites[block] = site;
    }
    lane.NoteLatest(first, last, access.number);
  }

  // The same with a site for each block: `sites[block]`.
  template <typename Report>
  void TouchEach(const Access& access, uint32_t first, uint32_t last, const uint32_t* sites,
                 const Clock& known, Report report) {
    FindConflicts(access, first, last, known, [&](Conflict conflict) {
      conflict.late_site = sites[conflict.first];
      report(conflict);
    });
    Lane& lane = Own(access);
    std::memcpy(&lane.sites[first], &sites[first], (last - first) * sizeof(uint32_t));
    for (uint32_t block = first; block < last; ++block) {
      lane.numbers[block] = access.number;
    }
    lane.NoteLatest(first, last, access.number);
  }

  // The latest number of the pipe among accesses to the blocks; only writes if `writes_only`.
  uint32_t Latest(uint32_t pipe, uint32_t first, uint32_t last, bool writes_only) const {
    uint32_t latest = 0;
    for (uint32_t is_write = writes_only ? 1 : 0; is_write < 2; ++is_write) {
      const Lane& lane = lanes_[pipe][is_write];
      for (uint32_t block = first; !lane.numbers.empty() && block < last; ++block) {
        latest = lane.numbers[block] > latest ? lane.numbers[block] : latest;
      }
    }
    return latest;
  }

 private:
  static constexpr uint32_t kPageBlocks = 32;

  // The last accesses of one kind by one pipe. Empty until the first one.
  struct Lane {
    std::vector<uint32_t> numbers;
    std::vector<uint32_t> sites;
    std::vector<uint32_t> latest;  // number in each page

    void NoteLatest(uint32_t first, uint32_t end, uint32_t number) {
      for (uint32_t page = first / kPageBlocks; page * kPageBlocks < end; ++page) {
        latest[page] = number;
      }
    }
    // Whether a number in the pages of the blocks lies above `from`. Most accesses end here: what
    // other pipes did to their pages is known to have ended.
    bool MayExceed(uint32_t first, uint32_t end, uint32_t from) const {
      uint32_t most = 0;
      for (uint32_t page = first / kPageBlocks; page * kPageBlocks < end; ++page) {
        most = latest[page] > most ? latest[page] : most;
      }
      return most > from;
    }
  };

  Lane& Own(const Access& access) {
    Lane& lane = lanes_[access.pipe][access.is_write ? 1 : 0];
    if (lane.numbers.empty()) {
      lane.numbers.resize(blocks_);
      lane.sites.resize(blocks_);
      lane.latest.resize(blocks_ / kPageBlocks + 1);
    }
    return lane;
  }

  template <typename Report>
  void FindConflicts(const Access& access, uint32_t first, uint32_t last, const Clock& known,
                     Report report) {
    for (uint8_t pipe = 0; pipe < kPipes; ++pipe) {
      // What an instruction does to its own operands is no race.
      const uint32_t until = pipe == access.pipe ? access.number : UINT32_MAX;
      const uint32_t from = known.at[pipe];
      if (pipe == access.pipe && from + 1 >= until) {
        continue;
      }
      for (uint32_t was_write = access.is_write ? 0 : 1; was_write < 2; ++was_write) {
        const Lane& lane = lanes_[pipe][was_write];
        if (!lane.numbers.empty() && lane.MayExceed(first, last, from) &&
            AnyBetween(lane, first, last, from, until)) {
          ReportAll(lane, pipe, was_write == 1, first, last, from, until, report);
        }
      }
    }
  }

  // Whether a number lies above `from` and below `until`. Without a branch in the loop, so that it
  // takes many blocks at a time.
  static bool AnyBetween(const Lane& lane, uint32_t first, uint32_t last, uint32_t from,
                         uint32_t until) {
    uint32_t any = 0;
    const uint32_t* numbers = lane.numbers.data();
    for (uint32_t block = first; block < last; ++block) {
      any |= static_cast<uint32_t>(numbers[block] > from) &
             static_cast<uint32_t>(numbers[block] < until);
    }
    return any != 0;
  }

  template <typename Report>
  static void ReportAll(const Lane& lane, uint8_t pipe, bool was_write, uint32_t first,
                        uint32_t last, uint32_t from, uint32_t until, Report report) {
    uint32_t reported = 0;
    uint32_t block = first;
    while (block < last) {
      const uint32_t site = lane.sites[block];
      if (lane.numbers[block] <= from || lane.numbers[block] >= until || site == reported) {
        ++block;
        continue;
      }
      const uint32_t begin = block;
      while (block < last && lane.numbers[block] > from && lane.numbers[block] < until &&
             lane.sites[block] == site) {
        ++block;
      }
      reported = site;
      report(Conflict{begin, block, pipe, was_write, site, 0});
    }
  }

  uint32_t blocks_;
  Lane lanes_[kPipes][2];
};

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_UB_RACES_H_
