// RunChecked: check mode for one launch. The kernel runs in every order of the options on the same
// inputs; what any of them shows, and any difference between their outputs, is a finding.
#ifndef CC_ASCENDC_CHECKS_RUN_CHECKED_H_
#define CC_ASCENDC_CHECKS_RUN_CHECKED_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cc/ascendc/checks/finding.h"
#include "cc/ascendc/checks/gm_regions.h"
#include "cc/ascendc/checks/instruction_counts.h"
#include "cc/ascendc/checks/options.h"
#include "cc/ascendc/launch/engine.h"

namespace attnres::checks {

struct CheckResult {
  std::vector<Finding> findings;  // empty: nothing is wrong
  size_t dropped = 0;             // occurrences beyond CheckOptions::most_findings
  launch::Status status;          // of the first order
  launch::LaunchStats stats;
  std::vector<CallSite> call_sites;
  std::vector<Dump> dumps;
  uint64_t mutated = 0;                 // calls that the mutation changed, in the first order
  InstructionCounts instructions = {};  // of the first order
};

// `launch`: of a kernel compiled as observed; its observer is ignored. `regions`: all global memory
// that the kernel may use, at the addresses that the launch's arguments have. Afterwards outputs
// and workspace hold what the first order left there. Precondition: there is an order.
CheckResult RunChecked(const launch::Launch& launch, const std::vector<GmRegion>& regions,
                       const CheckOptions& options);

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_RUN_CHECKED_H_
