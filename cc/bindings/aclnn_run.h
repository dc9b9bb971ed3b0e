// AclnnRequest: one call of an aclnn interface by its record in the runtime's table, run to its end
// on the calling thread's stream. Nothing here needs Python; aclnn_call.h fills requests from NumPy
// arrays, native_call_binding.h from C++.
#ifndef CC_BINDINGS_ACLNN_RUN_H_
#define CC_BINDINGS_ACLNN_RUN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cc/acl/internal/operator_registry.h"
#include "cc/acl/internal/twin_runtime.h"
#include "cc/bindings/tensor.h"

namespace attnres::bindings {

// Codes of the aclnn interface for what is found before or around phase 1.
constexpr int32_t kParamInvalid = 161002;
constexpr int32_t kRuntimeError = 361001;
constexpr int32_t kKernelNotFound = 561003;

struct AclnnStatus {
  int32_t code = 0;
  std::string message;
};

// One argument of phase 1: a tensor (absent for None) or a plain value.
struct AclnnArgument {
  bool is_tensor = false;
  std::optional<ArrayView> view;
  AclTwinValue value = {};
};

struct AclnnRequest {
  const AclTwinApi* api = nullptr;
  std::vector<AclnnArgument> arguments;
  std::string soc;
  uint32_t threads = 0;
  std::string mode;  // of twin_runtime.h; empty: run
  std::string mode_options;
  // The caller's workspace in place of the stream's own.
  bool has_workspace = false;
  void* workspace = nullptr;
  uint64_t workspace_bytes = 0;
};

struct AclnnOutcome {
  AclnnStatus status;
  uint64_t workspace_bytes = 0;
  uint64_t kernel_launches = 0;
  AclTwinStats stats = {};
  // Of a launch in a mode.
  std::string report;
  std::string report_data;
};

// Phase 1, workspace, phase 2, synchronisation. Preconditions: the libraries are loaded, the
// arguments are as many as those of the interface, and of its kinds; the GIL is not held.
AclnnOutcome RunAclnn(const AclnnRequest& request);

}  // namespace attnres::bindings

#endif  // CC_BINDINGS_ACLNN_RUN_H_
