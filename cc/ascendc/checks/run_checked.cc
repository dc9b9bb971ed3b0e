// Running a launch in all orders on the same start.
#include "cc/ascendc/checks/run_checked.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "cc/ascendc/checks/checker.h"
#include "cc/ascendc/checks/names.h"

namespace attnres::checks {

namespace {

using Bytes = std::vector<uint8_t>;

// The contents of what a kernel writes.
std::vector<Bytes> Save(const std::vector<GmRegion>& regions) {
  std::vector<Bytes> saved;
  for (const GmRegion& region : regions) {
    const auto* data = static_cast<const uint8_t*>(region.data);
    const bool is_written =
        region.kind == RegionKind::kOutput || region.kind == RegionKind::kWorkspace;
    saved.emplace_back(data, is_written ? data + region.bytes : data);
  }
  return saved;
}

void Restore(const std::vector<GmRegion>& regions, const std::vector<Bytes>& saved) {
  for (size_t i = 0; i < regions.size(); ++i) {
    if (!saved[i].empty()) {
      std::memcpy(regions[i].data, saved[i].data(), saved[i].size());
    }
  }
}

// The findings of all orders, each once.
class Findings {
 public:
  explicit Findings(size_t most) : most_(most) {}

  void Add(Finding finding) {
    const bool is_known = std::any_of(all_.begin(), all_.end(),
                                      [&](const Finding& known) { return IsSame(known, finding); });
    if (!is_known && all_.size() < most_) {
      all_.push_back(std::move(finding));
    } else if (!is_known) {
      ++dropped_;
    }
  }

  void Add(const char* category, const char* rule, std::string sentence) {
    Finding finding;
    finding.category = category;
    finding.rule = rule;
    finding.sentence = std::move(sentence);
    Add(std::move(finding));
  }

  bool HasOfBuffer(const std::string& buffer, const char* rule) const {
    return std::any_of(all_.begin(), all_.end(), [&](const Finding& finding) {
      return finding.rule == rule && finding.buffer == buffer;
    });
  }

  std::vector<Finding> Take() {
    Sort(&all_);
    return std::move(all_);
  }
  size_t dropped() const { return dropped_; }

 private:
  size_t most_;
  size_t dropped_ = 0;
  std::vector<Finding> all_;
};

// A finding for each output that differs from the first pass's: `finding` with the bytes, and with
// the output's name before its sentence.
void CompareOutputs(const std::vector<GmRegion>& regions, const std::vector<Bytes>& first,
                    const Finding& finding, Findings* findings) {
  for (size_t i = 0; i < regions.size(); ++i) {
    const auto* data = static_cast<const uint8_t*>(regions[i].data);
    const std::string buffer = "GM output " + regions[i].name;
    if (regions[i].kind != RegionKind::kOutput || first[i].empty() ||
        std::memcmp(data, first[i].data(), first[i].size()) == 0 ||
        findings->HasOfBuffer(buffer, finding.rule.c_str())) {
      continue;
    }
    Finding here = finding;
    here.buffer = buffer;
    here.begin = 0;
    while (data[here.begin] == first[i][here.begin]) {
      ++here.begin;
    }
    here.end = first[i].size();
    while (data[here.end - 1] == first[i][here.end - 1]) {
      --here.end;
    }
    here.sentence = buffer + here.sentence;
    findings->Add(std::move(here));
  }
}

// A finding for each output of which bytes are still unwritten when the kernel has ended, with the
// first stretch of them.
void CheckAllWritten(const GmRegions& shadow, Findings* findings) {
  for (const GmRegions::Entry& entry : shadow.entries()) {
    if (entry.region.kind != RegionKind::kOutput || entry.written == nullptr) {
      continue;
    }
    const uint64_t size = entry.region.bytes;
    Finding finding;
    uint64_t unwritten = 0;
    uint64_t begin = entry.written->FirstUnset(0, size);
    while (begin < size) {
      const uint64_t end = entry.written->FirstSet(begin, size);
      if (unwritten == 0) {
        finding.begin = begin;
        finding.end = end;
      }
      unwritten += end - begin;
      begin = entry.written->FirstUnset(end, size);
    }
    if (unwritten == 0) {
      continue;
    }
    finding.category = "initialisation";
    finding.rule = "output-not-written";
    finding.buffer = entry.Name();
    finding.sentence = "the kernel has ended and no core has written " + BytesText(unwritten) +
                       " of " + finding.buffer + ", which has " + BytesText(size) + "; bytes " +
                       std::to_string(finding.begin) + " to " + std::to_string(finding.end - 1) +
                       " are the first of them: write them, or let the host fill the output before";
    findings->Add(std::move(finding));
  }
}

// What a difference between the two orders means.
Finding DependsOnOrder(Order first, Order other) {
  Finding finding;
  finding.category = "race";
  finding.rule = "order-dependent";
  finding.sentence = std::string(" differs between the orders ") + OrderName(first) + " and " +
                     OrderName(other) +
                     ", both of which the flags allow: add the order that the races name";
  return finding;
}

// And between two contents of UB before the kernel writes it.
Finding DependsOnUnwritten(const std::vector<SourcePlace>& loads) {
  Finding finding;
  finding.category = "initialisation";
  finding.rule = "unwritten-lanes-count";
  finding.sentence =
      " depends on bytes of UB that nobody wrote: a mask must leave out the lanes behind the row's "
      "end that";
  const char* separator = " ";
  for (const SourcePlace& load : loads) {
    finding.sentence += separator + load.file + ":" + std::to_string(load.line);
    separator = ", ";
  }
  finding.sentence += loads.size() == 1 ? " loads" : " load";
  finding.place = loads.front();
  return finding;
}

void CheckBlocks(const launch::Launch& launch, const CheckOptions& options, Findings* findings) {
  if (options.soc_cores != 0 && launch.block_num > options.soc_cores) {
    findings->Add("memory", "too-many-blocks",
                  "the launch has " + std::to_string(launch.block_num) + " blocks, the SoC has " +
                      std::to_string(options.soc_cores) +
                      " vector cores, and SyncAll would hang: use at most that many");
  }
}

// The passes over one launch.
class Passes {
 public:
  Passes(const launch::Launch& launch, const std::vector<GmRegion>& regions,
         const CheckOptions& options)
      : launch_(launch),
        regions_(regions),
        options_(options),
        findings_(options.most_findings),
        start_(Save(regions)) {
    CheckBlocks(launch, options, &findings_);
  }

  // With all rules; the others compare with its outputs.
  void RunFirst() {
    CheckerResult checked;
    result_.status = Run({options_.orders[0], kUbFill, true}, &checked, &result_.stats);
    result_.call_sites = std::move(checked.call_sites);
    result_.dumps = std::move(checked.dumps);
    result_.mutated = checked.mutated;
    result_.instructions = checked.instructions;
    partly_written_loads_ = std::move(checked.partly_written_loads);
    outputs_ = Save(regions_);
  }

  // Another order, and other bytes in UB if it matters what they are. Only if an output differs is
  // it worth a pass each to see which of the two did it.
  void RunOther(Order order) {
    const bool fills = NeedsOtherFill();
    if (!RunAgain({order, fills ? kOtherUbFill : kUbFill, false})) {
      return;
    }
    if (!Differs()) {
      filled_ = filled_ || fills;
      return;
    }
    if (!fills || RunAgain({order, kUbFill, false})) {
      Compare(DependsOnOrder(options_.orders[0], order));
    }
  }

  // Other bytes in UB, unless an order has shown that they do not matter.
  void RunOtherFill() {
    if (NeedsOtherFill() && RunAgain({options_.orders[0], kOtherUbFill, false})) {
      Compare(DependsOnUnwritten(partly_written_loads_));
    }
  }

  CheckResult Take() {
    Restore(regions_, outputs_);
    result_.dropped += findings_.dropped();
    result_.findings = findings_.Take();
    return std::move(result_);
  }

 private:
  static constexpr uint8_t kOtherUbFill = 0x3C;  // 0.01 as float32, and a number in every type

  bool NeedsOtherFill() const { return !filled_ && !partly_written_loads_.empty(); }

  launch::Status Run(const Pass& pass, CheckerResult* checked, launch::LaunchStats* stats) {
    // Which bytes have been written begins anew with each pass.
    const GmRegions shadow(regions_);
    Checker checker(options_, pass, shadow, launch_.block_num);
    launch::Launch observed = launch_;
    observed.observer = checker.observer();
    launch::Status status = launch::Run(observed, stats);
    *checked = checker.Finish(status.message);
    if (!status.ok() && checked->findings.empty()) {
      findings_.Add("synchronisation", "launch-failed", status.message);
    }
    for (Finding& finding : checked->findings) {
      findings_.Add(std::move(finding));
    }
    result_.dropped += checked->dropped;
    if (status.ok() && pass.is_full) {
      CheckAllWritten(shadow, &findings_);
    }
    return status;
  }

  // From the same start; false if there are no outputs to compare.
  bool RunAgain(const Pass& pass) {
    Restore(regions_, start_);
    CheckerResult checked;
    launch::LaunchStats stats;
    return Run(pass, &checked, &stats).ok() && result_.status.ok();
  }

  bool Differs() const {
    for (size_t i = 0; i < regions_.size(); ++i) {
      if (regions_[i].kind == RegionKind::kOutput && !outputs_[i].empty() &&
          std::memcmp(regions_[i].data, outputs_[i].data(), outputs_[i].size()) != 0) {
        return true;
      }
    }
    return false;
  }

  void Compare(const Finding& finding) { CompareOutputs(regions_, outputs_, finding, &findings_); }

  const launch::Launch& launch_;
  const std::vector<GmRegion>& regions_;
  const CheckOptions& options_;
  Findings findings_;
  CheckResult result_;
  std::vector<Bytes> start_;
  std::vector<Bytes> outputs_;  // of the first pass
  std::vector<SourcePlace> partly_written_loads_;
  bool filled_ = false;  // other bytes in UB gave the same outputs
};

}  // namespace

CheckResult RunChecked(const launch::Launch& launch, const std::vector<GmRegion>& regions,
                       const CheckOptions& options) {
  Passes passes(launch, regions, options);
  passes.RunFirst();
  for (size_t i = 1; i < options.orders.size(); ++i) {
    passes.RunOther(options.orders[i]);
  }
  passes.RunOtherFill();
  return passes.Take();
}

}  // namespace attnres::checks
