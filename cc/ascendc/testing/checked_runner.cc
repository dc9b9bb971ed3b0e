// Regions and options of one checked launch.
#include "cc/ascendc/testing/checked_runner.h"

#include <algorithm>

#include "cc/ascendc/checks/finding.h"
#include "cc/ascendc/launch/launch.h"
#include "cc/host/platform/soc_profiles.h"

namespace attnres::testing {

CheckedArgument GlobalMemory(const char* name, checks::RegionKind kind, void* data,
                             uint64_t bytes) {
  CheckedArgument argument;
  argument.region.name = name;
  argument.region.kind = kind;
  argument.region.data = data;
  argument.region.bytes = bytes;
  argument.address = data;
  return argument;
}

std::string CheckedRun::Text() const {
  std::string text;
  for (const checks::Finding& finding : result.findings) {
    text += (text.empty() ? "" : "\n") + checks::ToText(finding);
  }
  return text;
}

bool CheckedRun::Has(const char* rule, const char* file, uint32_t line) const {
  return std::any_of(result.findings.begin(), result.findings.end(),
                     [&](const checks::Finding& finding) {
                       return finding.rule == rule && finding.place.line == line &&
                              checks::PathEndsIn(finding.place.file, file);
                     });
}

CheckedRun RunKernelChecked(AscendcTwinKernelEntry entry, const CheckedOptions& options,
                            const std::vector<CheckedArgument>& arguments) {
  const host::SocProfile& soc = *host::FindSocProfile(options.soc);
  std::vector<checks::GmRegion> regions;
  std::vector<void*> addresses;
  for (const CheckedArgument& argument : arguments) {
    addresses.push_back(argument.address);
    if (argument.region.bytes > 0) regions.push_back(argument.region);
  }
  CheckedRun run;
  launch::Launch launch;
  launch.entry = entry;
  launch.block_num = options.blocks;
  launch.ub_bytes = soc.ub_bytes;
  launch.args = addresses.data();
  launch.arg_count = addresses.size();
  launch.threads = options.threads;
  launch.tiling_key = options.tiling_key;
  launch.print_context = &run;
  launch.print = [](void* context, uint32_t block, const char* text) {
    static_cast<CheckedRun*>(context)->lines.push_back(std::to_string(block) + ": " + text);
  };
  checks::CheckOptions check = options.check;
  check.arch = soc.npu_arch;
  check.soc_cores = soc.aiv_core_num;
  run.result = checks::RunChecked(launch, regions, check);
  return run;
}

}  // namespace attnres::testing
