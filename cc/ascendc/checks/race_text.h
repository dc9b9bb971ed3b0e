// The sentences of races: two accesses of the same bytes that nothing orders.
#ifndef CC_ASCENDC_CHECKS_RACE_TEXT_H_
#define CC_ASCENDC_CHECKS_RACE_TEXT_H_

#include <string>

#include "cc/ascendc/checks/names.h"
#include "cc/ascendc/checks/site_table.h"

namespace attnres::checks {

// "Add (vector)".
inline std::string ActorText(const Site& site) {
  return std::string(site.name == nullptr ? "an instruction" : site.name) + " (" +
         PipeName(site.pipe) + ")";
}

// What orders two accesses of one core.
inline std::string OrderAdvice(uint32_t earlier, uint32_t later) {
  if (earlier == later) {
    return std::string("put PipeBarrier<PIPE_") + PipeSymbol(later) + "> between them";
  }
  const std::string event = EventName(earlier, later);
  return "put SetFlag<" + event + "> after the first and WaitFlag<" + event +
         "> before the second, or a queue between them";
}

inline std::string RaceText(const Site& earlier, bool earlier_writes, const Site& later,
                            bool later_writes) {
  return ActorText(later) + (later_writes ? " writes" : " reads") + " what " + ActorText(earlier) +
         " at " + PlaceText(earlier.place) + (earlier_writes ? " writes" : " reads") +
         " and nothing orders the two: " + OrderAdvice(earlier.pipe, later.pipe);
}

inline std::string CrossRaceText(const Site& first, uint32_t first_core, bool first_writes,
                                 const Site& second, uint32_t second_core, bool second_writes) {
  return ActorText(second) + " of core " + std::to_string(second_core) +
         (second_writes ? " writes" : " reads") + " what " + ActorText(first) + " of core " +
         std::to_string(first_core) + " at " + PlaceText(first.place) +
         (first_writes ? " writes" : " reads") +
         " and no SyncAll lies between them: put one there, or give each core bytes of its own";
}

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_RACE_TEXT_H_
