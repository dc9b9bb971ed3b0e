// Options and report of check mode; the checker is cc/ascendc/checks.
#include "cc/aclnn/check_mode.h"

#include <cstdint>
#include <string>
#include <utility>

#include "acl/acl_base.h"
#include "cc/aclnn/check_mutation.h"
#include "cc/ascendc/checks/finding.h"
#include "cc/ascendc/checks/instruction_counts.h"
#include "cc/ascendc/checks/options.h"
#include "cc/ascendc/checks/order.h"
#include "cc/ascendc/checks/run_checked.h"

namespace attnres::aclnn {
namespace {

using checks::Order;

constexpr Order kOrders[] = {Order::kEager, Order::kLateIn, Order::kLateOut, Order::kLateVector,
                             Order::kLateCopies};

acl::Error Refused(const ModeOption& option, const std::string& expected) {
  return acl::MakeError(ACL_ERROR_INVALID_PARAM, "%s is '%s': expected %s", option.name.c_str(),
                        option.value.c_str(), expected.c_str());
}

acl::Error ReadAutoSync(const ModeOption& option, checks::CheckOptions* check) {
  if (option.value != "true" && option.value != "false") return Refused(option, "true or false");
  check->auto_sync = option.value == "true";
  return {};
}

acl::Error ReadOrders(const ModeOption& option, checks::CheckOptions* check) {
  check->orders.clear();
  std::string rest = option.value + ',';
  while (!rest.empty()) {
    const std::string name = rest.substr(0, rest.find(','));
    rest.erase(0, name.size() + 1);
    const size_t before = check->orders.size();
    std::string known;
    for (const Order order : kOrders) {
      known += (known.empty() ? "" : ",") + std::string(OrderName(order));
      if (name == OrderName(order)) check->orders.push_back(order);
    }
    if (check->orders.size() == before) return Refused(option, "some of " + known);
  }
  return {};
}

acl::Error ReadDump(const ModeOption& option, checks::CheckOptions* check) {
  checks::DumpRequest request;
  if (!checks::ReadDumpRequest(option.value, &request)) {
    return Refused(option, "BUFFER@LINE or BUFFER@FILE:LINE, e.g. 3@kernel.cpp:120");
  }
  check->dumps.push_back(std::move(request));
  return {};
}

acl::Error ReadOption(const ModeOption& option, checks::CheckOptions* check) {
  if (option.name == "auto_sync") return ReadAutoSync(option, check);
  if (option.name == "orders") return ReadOrders(option, check);
  if (option.name == "dump") return ReadDump(option, check);
  if (IsMutationOption(option.name)) return ReadMutationOption(option, check);
  return acl::MakeError(ACL_ERROR_INVALID_PARAM,
                        "mode check has no option '%s': expected auto_sync, orders or dump",
                        option.name.c_str());
}

class CheckMode : public LaunchMode {
 public:
  explicit CheckMode(checks::CheckOptions options) : options_(std::move(options)) {}

  launch::Status Run(const ObservedLaunch& observed, launch::LaunchStats* stats,
                     acl::LaunchReport* report) const override {
    checks::CheckOptions options = options_;
    options.arch = observed.soc->npu_arch;
    options.soc_cores = observed.soc->aiv_core_num;
    const checks::CheckResult result =
        checks::RunChecked(observed.launch, observed.regions, options);
    *stats = result.stats;
    WriteReport(observed, options, result, report);
    return result.status;
  }

 private:
  static void WriteReport(const ObservedLaunch& observed, const checks::CheckOptions& options,
                          const checks::CheckResult& result, acl::LaunchReport* report) {
    std::string orders;
    for (const Order order : options.orders) {
      orders += (orders.empty() ? "\"" : ",\"") + std::string(OrderName(order)) + '"';
    }
    std::string dumps;
    for (const checks::Dump& dump : result.dumps) {
      dumps += (dumps.empty() ? "{\"request\":" : ",{\"request\":") + std::to_string(dump.request) +
               ",\"core\":" + std::to_string(dump.core) +
               ",\"offset\":" + std::to_string(report->data.size()) +
               ",\"bytes\":" + std::to_string(dump.bytes.size()) + "}";
      report->data.insert(report->data.end(), dump.bytes.begin(), dump.bytes.end());
    }
    report->text = "{\"mode\":\"check\",\"arch\":" + std::to_string(options.arch) +
                   ",\"cores\":" + std::to_string(observed.launch.block_num) +
                   ",\"auto_sync\":" + (options.auto_sync ? "true" : "false") + ",\"orders\":[" +
                   orders + "],\"instructions\":" + checks::CountsJson(result.instructions) +
                   ",\"findings\":" + ToJson(result.findings) +
                   ",\"dropped\":" + std::to_string(result.dropped) + ",\"dumps\":[" + dumps + "]";
    if (options.record_call_sites) {
      report->text += ",\"call_sites\":" + CallSitesJson(result.call_sites);
    }
    if (options.mutation.site.kind != checks::CallKind::kNone) {
      report->text += ",\"mutated\":" + std::to_string(result.mutated);
    }
    report->text += "}";
  }

  checks::CheckOptions options_;
};

}  // namespace

std::shared_ptr<const LaunchMode> MakeCheckMode(const std::vector<ModeOption>& options,
                                                acl::Error* error) {
  checks::CheckOptions check;
  for (const ModeOption& option : options) {
    *error = ReadOption(option, &check);
    if (!error->ok()) return nullptr;
  }
  return std::make_shared<CheckMode>(std::move(check));
}

}  // namespace attnres::aclnn
