// Sweeps over sorted accesses of several cores.
#include "cc/ascendc/checks/gm_epochs.h"

#include <algorithm>

namespace attnres::checks {

namespace {

// Of the accesses of one kind seen so far: the one that reaches furthest, and the one that reaches
// furthest of another core than that. Whatever core asks, one of them answers.
struct Furthest {
  const CoreAccess* first = nullptr;
  const CoreAccess* second = nullptr;

  void Add(const CoreAccess* access) {
    if (first == nullptr || access->end > first->end) {
      if (first != nullptr && first->core != access->core) {
        second = first;
      }
      first = access;
    } else if (access->core != first->core && (second == nullptr || access->end > second->end)) {
      second = access;
    }
  }

  const CoreAccess* OfOther(uint32_t core) const {
    return first != nullptr && first->core == core ? second : first;
  }
};

}  // namespace

std::vector<CoreAccess> Flatten(const GmIntervals& intervals, uint32_t core) {
  std::vector<CoreAccess> accesses;
  // By kind, the last one of the result that may still grow.
  size_t open[kPipes][kGmAccesses];
  for (auto& of_pipe : open) {
    std::fill(of_pipe, of_pipe + kGmAccesses, SIZE_MAX);
  }
  for (const auto& [begin, interval] : intervals.map()) {
    for (uint32_t pipe = 0; pipe < kPipes; ++pipe) {
      for (uint32_t kind = 0; kind < kGmAccesses; ++kind) {
        const GmIntervals::Stamp& stamp = interval.stamps[pipe][kind];
        if (stamp.number == 0) {
          continue;
        }
        size_t& last = open[pipe][kind];
        if (last != SIZE_MAX && accesses[last].end == begin && accesses[last].site == stamp.site) {
          accesses[last].end = interval.end;
          continue;
        }
        last = accesses.size();
        accesses.push_back({begin, interval.end, core, stamp.site, static_cast<GmAccess>(kind)});
      }
    }
  }
  return accesses;
}

void FindCrossConflicts(std::vector<CoreAccess> accesses, const CrossReport& report) {
  std::sort(accesses.begin(), accesses.end(), [](const CoreAccess& a, const CoreAccess& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.core < b.core;
  });
  Furthest furthest[kGmAccesses];
  for (const CoreAccess& access : accesses) {
    for (uint32_t kind = 0; kind < kGmAccesses; ++kind) {
      const CoreAccess* other = furthest[kind].OfOther(access.core);
      if (other != nullptr && other->end > access.begin &&
          MayConflict(access.access, static_cast<GmAccess>(kind))) {
        report(*other, access);
      }
    }
    furthest[static_cast<uint32_t>(access.access)].Add(&access);
  }
}

void GmEpochs::Leave(uint32_t epoch, std::vector<CoreAccess> accesses) {
  std::vector<CoreAccess> complete;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    Epoch& entry = epochs_[epoch];
    entry.accesses.insert(entry.accesses.end(), accesses.begin(), accesses.end());
    if (++entry.left < cores_) {
      return;
    }
    complete = std::move(entry.accesses);
    epochs_.erase(epoch);
  }
  FindCrossConflicts(std::move(complete), report_);
}

void GmEpochs::Finish() {
  for (auto& [number, epoch] : epochs_) {
    FindCrossConflicts(std::move(epoch.accesses), report_);
  }
  epochs_.clear();
}

}  // namespace attnres::checks
