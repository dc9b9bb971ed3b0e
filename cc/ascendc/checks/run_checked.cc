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

void CompareOutputs(const std::vector<GmRegion>& regions, const std::vector<Bytes>& first,
                    Order first_order, Order order, Findings* findings) {
  static constexpr char kRule[] = "order-dependent";
  for (size_t i = 0; i < regions.size(); ++i) {
    const auto* data = static_cast<const uint8_t*>(regions[i].data);
    const std::string buffer = "GM output " + regions[i].name;
    if (regions[i].kind != RegionKind::kOutput || first[i].empty() ||
        std::memcmp(data, first[i].data(), first[i].size()) == 0 ||
        findings->HasOfBuffer(buffer, kRule)) {
      continue;
    }
    uint64_t begin = 0;
    while (data[begin] == first[i][begin]) {
      ++begin;
    }
    uint64_t end = first[i].size();
    while (data[end - 1] == first[i][end - 1]) {
      --end;
    }
    Finding finding;
    finding.category = "race";
    finding.rule = kRule;
    finding.buffer = buffer;
    finding.begin = begin;
    finding.end = end;
    finding.sentence = buffer + " differs between the orders " + OrderName(first_order) + " and " +
                       OrderName(order) +
                       ", both of which the flags allow: add the order that the races name";
    findings->Add(std::move(finding));
  }
}

void CheckBlocks(const launch::Launch& launch, const CheckOptions& options, Findings* findings) {
  if (options.soc_cores != 0 && launch.block_num > options.soc_cores) {
    findings->Add("memory", "too-many-blocks",
                  "the launch has " + std::to_string(launch.block_num) + " blocks, the SoC has " +
                      std::to_string(options.soc_cores) +
                      " vector cores, and SyncAll would hang: use at most that many");
  }
}

}  // namespace

CheckResult RunChecked(const launch::Launch& launch, const std::vector<GmRegion>& regions,
                       const CheckOptions& options) {
  CheckResult result;
  Findings findings(options.most_findings);
  CheckBlocks(launch, options, &findings);
  const std::vector<Bytes> start = Save(regions);
  std::vector<Bytes> outputs;
  for (size_t i = 0; i < options.orders.size(); ++i) {
    const bool is_first = i == 0;
    if (!is_first) {
      Restore(regions, start);
    }
    // Which bytes have been written begins anew with each order.
    const GmRegions shadow(regions);
    Checker checker(options, options.orders[i], is_first, shadow, launch.block_num);
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
    } else if (status.ok() && result.status.ok()) {
      CompareOutputs(regions, outputs, options.orders[0], options.orders[i], &findings);
    }
    result.dropped += checked.dropped;
  }
  Restore(regions, outputs);
  result.dropped += findings.dropped();
  result.findings = findings.Take();
  return result;
}

}  // namespace attnres::checks
