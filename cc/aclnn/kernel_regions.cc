// Regions from a plan and addresses; see kernel_regions.h.
#include "cc/aclnn/kernel_regions.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace attnres::aclnn {
namespace {

using checks::GmRegion;
using checks::RegionKind;

uint64_t Begin(const GmRegion& region) { return reinterpret_cast<uint64_t>(region.data); }
uint64_t End(const GmRegion& region) { return Begin(region) + region.bytes; }

// Inputs in order of their addresses, those that share bytes joined.
std::vector<GmRegion> JoinShared(std::vector<GmRegion> inputs) {
  std::sort(inputs.begin(), inputs.end(),
            [](const GmRegion& a, const GmRegion& b) { return Begin(a) < Begin(b); });
  std::vector<GmRegion> joined;
  for (GmRegion& input : inputs) {
    if (joined.empty() || Begin(input) >= End(joined.back())) {
      joined.push_back(std::move(input));
      continue;
    }
    GmRegion& last = joined.back();
    last.name += " and " + input.name;
    last.bytes = std::max(End(last), End(input)) - Begin(last);
  }
  return joined;
}

}  // namespace

std::vector<GmRegion> KernelRegions(const LaunchPlan& plan, const AddressList& args) {
  std::vector<GmRegion> regions;
  size_t next = 0;
  const auto region = [&](const std::string& name, RegionKind kind, uint64_t bytes) {
    GmRegion made;
    made.name = name;
    made.kind = kind;
    made.data = args[next++];
    made.bytes = made.data == nullptr ? 0 : bytes;
    return made;
  };
  for (const PlannedTensor& tensor : plan.inputs) {
    GmRegion input = region(tensor.name, RegionKind::kInput, tensor.bytes);
    if (input.bytes > 0) regions.push_back(std::move(input));
  }
  regions = JoinShared(std::move(regions));
  for (const PlannedTensor& tensor : plan.outputs) {
    regions.push_back(region(tensor.name, RegionKind::kOutput, tensor.bytes));
  }
  regions.push_back(region("of the launch", RegionKind::kWorkspace, plan.workspace_bytes));
  regions.push_back(region("of the launch", RegionKind::kTiling, plan.tiling_bytes));
  return regions;
}

}  // namespace attnres::aclnn
