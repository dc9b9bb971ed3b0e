// CoreReporter: findings of one core.
#ifndef CC_ASCENDC_CHECKS_CORE_REPORTER_H_
#define CC_ASCENDC_CHECKS_CORE_REPORTER_H_

#include <cstdint>
#include <utility>

#include "cc/ascendc/checks/finding.h"
#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::checks {

constexpr AscendcTwinPlace kNoPlace = {nullptr, 0, 0};

class CoreReporter {
 public:
  CoreReporter(uint32_t core, FindingList* findings) : core_(core), findings_(findings) {}

  // `fill(finding)` writes the sentence and the rest; it is called only for what is new.
  template <typename Fill>
  void Report(const char* category, const char* rule, const AscendcTwinPlace& place,
              const AscendcTwinPlace& other_place, Fill fill) {
    if (findings_->Repeated(rule, place, other_place)) {
      return;
    }
    Finding finding;
    finding.category = category;
    finding.rule = rule;
    finding.core = core_;
    finding.place = CopyPlace(place);
    finding.other_place = CopyPlace(other_place);
    fill(&finding);
    findings_->Add(std::move(finding));
  }

  // A breach of a rule that the instruction itself has seen.
  void ReportInstruction(const char* category, const char* message, const AscendcTwinPlace& place) {
    Finding finding;
    finding.category = category;
    finding.rule = kInstructionRule;
    finding.sentence = message;
    finding.core = core_;
    finding.place = CopyPlace(place);
    findings_->Add(std::move(finding));
  }

  uint32_t core() const { return core_; }

 private:
  uint32_t core_;
  FindingList* findings_;
};

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_CORE_REPORTER_H_
