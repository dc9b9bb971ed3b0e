// Running a launch in all orders on the same start.
#include "cc/ascendc/checks/run_checked.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "cc/ascendc/checks/checker.h"

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

// The passes of a check, the first one with all rules.
std::vector<Pass> PassesOf(const CheckOptions& options) {
  std::vector<Pass> passes;
  for (const Order order : options.orders) {
    passes.push_back({order, kUbFill, passes.empty()});
  }
  return passes;
}

}  // namespace

CheckResult RunChecked(const launch::Launch& launch, const std::vector<GmRegion>& regions,
                       const CheckOptions& options) {
  constexpr uint8_t kOtherUbFill = 0x3C;  // 0.01 as float32, and another number in every type
  CheckResult result;
  Findings findings(options.most_findings);
  CheckBlocks(launch, options, &findings);
  const std::vector<Bytes> start = Save(regions);
  std::vector<Bytes> outputs;
  std::vector<SourcePlace> partly_written_loads;
  std::vector<Pass> passes = PassesOf(options);
  for (size_t i = 0; i < passes.size(); ++i) {
    const Pass pass = passes[i];
    const bool is_first = i == 0;
    if (!is_first) {
      Restore(regions, start);
    }
    // Which bytes have been written begins anew with each pass.
    const GmRegions shadow(regions);
    Checker checker(options, pass, shadow, launch.block_num);
    launch::Launch observed = launch;
    observed.observer = checker.observer();
    launch::LaunchStats stats;
    const launch::Status status = launch::Run(observed, &stats);
    CheckerResult checked = checker.Finish(status.message);
    if (!status.ok() && checked.findings.empty()) {
      findings.Add("synchronisation", "launch-failed", status.message);
    }
    for (Finding& finding : checked.findings) {
      findings.Add(std::move(finding));
    }
    if (is_first) {
      result.status = status;
      result.stats = stats;
      result.call_sites = std::move(checked.call_sites);
      result.dumps = std::move(checked.dumps);
      result.mutated = checked.mutated;
      outputs = Save(regions);
      partly_written_loads = std::move(checked.partly_written_loads);
      if (!partly_written_loads.empty()) {
        passes.push_back({pass.order, kOtherUbFill, false});
      }
    } else if (status.ok() && result.status.ok()) {
      CompareOutputs(regions, outputs,
                     pass.ub_fill == kUbFill ? DependsOnOrder(passes[0].order, pass.order)
                                             : DependsOnUnwritten(partly_written_loads),
                     &findings);
    }
    result.dropped += checked.dropped;
  }
  Restore(regions, outputs);
  result.dropped += findings.dropped();
  result.findings = findings.Take();
  return result;
}

}  // namespace attnres::checks
