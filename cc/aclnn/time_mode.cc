// Options and report of time mode; the model is cc/ascendc/timeline.
#include "cc/aclnn/time_mode.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "acl/acl_base.h"
#include "cc/ascendc/launch/engine.h"
#include "cc/ascendc/timeline/chrome_trace.h"
#include "cc/ascendc/timeline/cost_profile.h"
#include "cc/ascendc/timeline/timeline.h"

namespace attnres::aclnn {
namespace {

struct TimeOptions {
  timeline::TraceOptions trace;
  std::vector<std::string> past_l2;
};

acl::Error ReadCount(const ModeOption& option, uint32_t* count) {
  const std::string& text = option.value;
  if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != text.npos ||
      (*count = static_cast<uint32_t>(strtoul(text.c_str(), nullptr, 10))) == 0) {
    return acl::MakeError(ACL_ERROR_INVALID_PARAM, "%s is '%s': expected a number from 1 on",
                          option.name.c_str(), text.c_str());
  }
  return {};
}

acl::Error ReadOption(const ModeOption& option, TimeOptions* options) {
  if (option.name == "trace_cores") return ReadCount(option, &options->trace.cores);
  if (option.name == "trace_events") return ReadCount(option, &options->trace.events);
  if (option.name == "past_l2") {
    std::string rest = option.value + ',';
    while (!rest.empty()) {
      options->past_l2.push_back(rest.substr(0, rest.find(',')));
      rest.erase(0, options->past_l2.back().size() + 1);
    }
    return {};
  }
  return acl::MakeError(ACL_ERROR_INVALID_PARAM,
                        "mode time has no option '%s': expected trace_cores, trace_events or "
                        "past_l2",
                        option.name.c_str());
}

class TimeMode : public LaunchMode {
 public:
  explicit TimeMode(TimeOptions options) : options_(std::move(options)) {}

  launch::Status Run(const ObservedLaunch& observed, launch::LaunchStats* stats,
                     acl::LaunchReport* report) const override {
    const timeline::CostProfile* profile = timeline::FindCostProfile(observed.soc->name);
    if (profile == nullptr) {
      return {std::string("there are no costs of ") + observed.soc->name + " for time mode"};
    }
    timeline::Timeline timeline(*profile);
    for (const checks::GmRegion& region : observed.regions) {
      bool is_past_l2 = false;
      for (const std::string& name : options_.past_l2) is_past_l2 |= name == region.name;
      timeline.AddGlobalBuffer(region.data, region.bytes, is_past_l2);
    }
    launch::Launch launch = observed.launch;
    launch.observer = timeline.observer();
    const launch::Status status = launch::Run(launch, stats);
    if (!status.ok()) return status;
    const timeline::TimelineResult& result = timeline.Finish();
    if (!result.error.empty()) return {result.error};
    report->text = "{\"mode\":\"time\",\"result\":" + timeline.ResultText() + "}";
    const std::string trace = timeline.TraceText(options_.trace);
    report->data.assign(trace.begin(), trace.end());
    return status;
  }

 private:
  const TimeOptions options_;
};

}  // namespace

std::shared_ptr<const LaunchMode> MakeTimeMode(const std::vector<ModeOption>& options,
                                               acl::Error* error) {
  TimeOptions time;
  for (const ModeOption& option : options) {
    *error = ReadOption(option, &time);
    if (!error->ok()) return nullptr;
  }
  return std::make_shared<TimeMode>(std::move(time));
}

}  // namespace attnres::aclnn
