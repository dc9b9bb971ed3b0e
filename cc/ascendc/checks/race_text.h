// The sentences of races: two accesses of the same bytes that nothing orders.
#ifndef CC_ASCENDC_CHECKS_RACE_TEXT_H_
#define CC_ASCENDC_CHECKS_RACE_TEXT_H_

#include <cstdint>
#include <string>

#include "cc/ascendc/checks/names.h"
#include "cc/ascendc/checks/site_table.h"

namespace attnres::checks {

// "`Add`".
inline std::string NameText(const Site& site) {
  return site.name == nullptr ? "an instruction" : "`" + std::string(site.name) + "`";
}

// "`Add` at kernel.cpp:31 (vector)". `whose`: put before the parenthesis' end.
inline std::string ActorText(const Site& site, const std::string& whose = "") {
  return NameText(site) + " at " + PlaceText(site.place) + " (" + PipeName(site.pipe) + whose + ")";
}

// The same again, shorter: "the `Add` of line 31".
inline std::string AgainText(const Site& site) {
  return (site.name == nullptr ? "the instruction" : "the " + NameText(site)) +
         (site.place.file == nullptr ? " of an unknown line"
                                     : " of line " + std::to_string(site.place.line));
}

// What orders two accesses of one core.
inline std::string OrderAdvice(const Site& earlier, const Site& later) {
  if (earlier.pipe == later.pipe) {
    return std::string("put PipeBarrier<PIPE_") + PipeSymbol(later.pipe) + "> between them";
  }
  const std::string event = EventName(earlier.pipe, later.pipe);
  return "put SetFlag<" + event + "> after " + AgainText(earlier) + " and WaitFlag<" + event +
         "> before " + AgainText(later) + ", or a queue between them";
}

inline std::string RaceText(const Site& earlier, bool earlier_writes, const Site& later,
                            bool later_writes) {
  return ActorText(later) + (later_writes ? " writes" : " reads") + " what " + ActorText(earlier) +
         (earlier_writes ? " writes" : " reads") +
         ", with no flag, barrier or queue between them: " + OrderAdvice(earlier, later);
}

inline std::string CrossRaceText(const Site& first, uint32_t first_core, bool first_writes,
                                 const Site& second, uint32_t second_core, bool second_writes) {
  return ActorText(second, " of core " + std::to_string(second_core)) +
         (second_writes ? " writes" : " reads") + " what " +
         ActorText(first, " of core " + std::to_string(first_core)) +
         (first_writes ? " writes" : " reads") +
         ", with no SyncAll between them: put one there, or give each core bytes of its own";
}

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_RACE_TEXT_H_
