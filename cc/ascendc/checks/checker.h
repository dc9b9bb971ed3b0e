// Checker: one launch in one order, watched. run_checked.h runs a launch in all orders.
//
//   Checker checker(options, Pass{}, regions, cores);
//   launch.observer = checker.observer();
//   const launch::Status status = launch::Run(launch, nullptr);
//   CheckerResult result = checker.Finish(status, launch.block_num);
#ifndef CC_ASCENDC_CHECKS_CHECKER_H_
#define CC_ASCENDC_CHECKS_CHECKER_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cc/ascendc/checks/core_checker.h"
#include "cc/ascendc/checks/finding.h"
#include "cc/ascendc/checks/gm_epochs.h"
#include "cc/ascendc/checks/gm_regions.h"
#include "cc/ascendc/checks/instruction_counts.h"
#include "cc/ascendc/checks/options.h"
#include "cc/ascendc/checks/order.h"
#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::checks {

struct CheckerResult {
  std::vector<Finding> findings;
  size_t dropped = 0;                // occurrences beyond CheckOptions::most_findings
  std::vector<CallSite> call_sites;  // with CheckOptions::record_call_sites
  std::vector<Dump> dumps;
  uint64_t mutated = 0;  // calls that the mutation changed
  InstructionCounts instructions = {};
  // Loads of vector registers whose first bytes were written and others not: right where masks
  // leave those lanes out.
  std::vector<SourcePlace> partly_written_loads;
};

class Checker {
 public:
  // `options` and `regions` must outlive it. `cores`: of the launch.
  Checker(const CheckOptions& options, const Pass& pass, const GmRegions& regions, uint32_t cores);
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  const AscendcTwinObserver* observer() const { return &table_.functions; }

  // After the launch. `message`: of its status, empty if it succeeded. Once only.
  CheckerResult Finish(const std::string& message);

 private:
  // `core->observer` points to `functions`, so the address leads to the checker too.
  struct Table {
    AscendcTwinObserver functions;
    Checker* checker;
  };

  static Checker* Of(const AscendcTwinCore* core);
  static void Begin(AscendcTwinCore* core);
  void ReportMissedSyncs();
  void ReportCross(const CoreAccess& first, const CoreAccess& second);

  const GmRegions& regions_;
  FindingList findings_;
  GmEpochs epochs_;
  LaunchRules rules_;
  Table table_;
  std::mutex mutex_;                                 // of cores_ while cores begin
  std::vector<std::unique_ptr<CoreChecker>> cores_;  // by block; null: not begun
};

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_CHECKER_H_
