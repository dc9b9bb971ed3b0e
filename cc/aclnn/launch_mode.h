// LaunchMode: a way of running kernels other than run mode, in which an observer is told what they
// do. Modes are made by name from the table in launch_modes.cc; a stream keeps its mode, and
// program.cc gives it the launches.
#ifndef CC_ACLNN_LAUNCH_MODE_H_
#define CC_ACLNN_LAUNCH_MODE_H_

#include <memory>
#include <string>
#include <vector>

#include "cc/acl/internal/error_message.h"
#include "cc/acl/internal/stream.h"
#include "cc/ascendc/checks/gm_regions.h"
#include "cc/ascendc/launch/launch.h"
#include "cc/host/platform/soc_profiles.h"

namespace attnres::aclnn {

struct ObservedLaunch {
  launch::Launch launch;  // of the observed kernel, without an observer
  // All global memory that the kernel may use, none of it twice.
  std::vector<checks::GmRegion> regions;
  const host::SocProfile* soc = nullptr;
};

// Immutable; streams may share it.
class LaunchMode {
 public:
  virtual ~LaunchMode() = default;
  // Runs the kernel, with the results of run mode if it is right, and writes the report.
  virtual launch::Status Run(const ObservedLaunch& observed, launch::LaunchStats* stats,
                             acl::LaunchReport* report) const = 0;
};

// A line "name=value" of aclTwinSetStreamMode.
struct ModeOption {
  std::string name;
  std::string value;
};

// Null with an error for options that the mode does not have.
using MakeLaunchMode = std::shared_ptr<const LaunchMode> (*)(const std::vector<ModeOption>& options,
                                                             acl::Error* error);

}  // namespace attnres::aclnn

#endif  // CC_ACLNN_LAUNCH_MODE_H_
