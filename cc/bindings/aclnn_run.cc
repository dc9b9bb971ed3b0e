// Phases of an aclnn call; see aclnn_run.h.
#include "cc/bindings/aclnn_run.h"

#include "aclnn/acl_meta.h"
#include "cc/bindings/runtime_library.h"
#include "cc/bindings/stream_cache.h"

namespace attnres::bindings {
namespace {

// The tensors of a call; they live until the stream is synchronised.
class TensorList {
 public:
  TensorList() = default;
  TensorList(const TensorList&) = delete;
  TensorList& operator=(const TensorList&) = delete;
  ~TensorList() {
    for (const aclTensor* tensor : tensors_) Runtime()->aclDestroyTensor(tensor);
  }

  const aclTensor* Add(const ArrayView& view) {
    const aclTensor* tensor = MakeTensor(view);
    if (tensor != nullptr) tensors_.push_back(tensor);
    return tensor;
  }

 private:
  std::vector<const aclTensor*> tensors_;
};

AclnnStatus RuntimeStatus(int32_t code) {
  const char* message = Runtime()->aclGetRecentErrMsg();
  return {code, message == nullptr ? "" : message};
}

// A runtime function's code becomes the one that aclnn has for it.
AclnnStatus RuntimeFailure() { return RuntimeStatus(kRuntimeError); }

AclnnStatus RunPhases(const AclnnRequest& request, CachedStream* stream, AclnnOutcome* outcome) {
  const RuntimeFunctions& runtime = *Runtime();
  TensorList tensors;
  std::vector<AclTwinValue> values;
  values.reserve(request.arguments.size());
  for (const AclnnArgument& argument : request.arguments) {
    AclTwinValue value = argument.value;
    if (argument.is_tensor) {
      value.pointer = argument.view.has_value() ? tensors.Add(*argument.view) : nullptr;
      if (argument.view.has_value() && value.pointer == nullptr) return RuntimeFailure();
    }
    values.push_back(value);
  }

  void* executor = nullptr;
  int32_t code =
      request.api->get_workspace_size(values.data(), &outcome->workspace_bytes, &executor);
  if (code != ACL_SUCCESS) return RuntimeStatus(code);

  void* workspace = request.workspace;
  uint64_t workspace_bytes = request.workspace_bytes;
  if (!request.has_workspace) {
    workspace_bytes = outcome->workspace_bytes;
    workspace = stream->Workspace(workspace_bytes);
    if (workspace == nullptr && workspace_bytes > 0) {
      const AclnnStatus failure = RuntimeFailure();
      runtime.aclDestroyAclOpExecutor(static_cast<aclOpExecutor*>(executor));
      return failure;
    }
  }
  code = request.api->run(workspace, workspace_bytes, executor, stream->handle());
  const AclnnStatus phase2 = code == ACL_SUCCESS ? AclnnStatus{} : RuntimeStatus(code);
  // Also after a failure: a part of the work may be queued on the caller's memory.
  code = runtime.aclrtSynchronizeStream(stream->handle());
  if (phase2.code != ACL_SUCCESS) return phase2;
  return code == ACL_SUCCESS ? AclnnStatus{} : RuntimeFailure();
}

// A mode of the stream for one call.
class ScopedMode {
 public:
  ScopedMode(const AclnnRequest& request, CachedStream* stream) : stream_(stream->handle()) {
    if (request.mode.empty()) return;
    const int32_t code = Runtime()->aclTwinSetStreamMode(stream_, request.mode.c_str(),
                                                         request.mode_options.c_str());
    is_set_ = code == ACL_SUCCESS;
    if (!is_set_) status_ = RuntimeStatus(kParamInvalid);
  }
  ScopedMode(const ScopedMode&) = delete;
  ScopedMode& operator=(const ScopedMode&) = delete;
  ~ScopedMode() {
    if (is_set_) Runtime()->aclTwinSetStreamMode(stream_, "run", nullptr);
  }

  const AclnnStatus& status() const { return status_; }

  void ReadReport(AclnnOutcome* outcome) const {
    AclTwinReport report = {};
    if (!is_set_ || Runtime()->aclTwinGetStreamReport(stream_, &report) != ACL_SUCCESS) return;
    outcome->report.assign(report.text, report.text_bytes);
    outcome->report_data.assign(static_cast<const char*>(report.data), report.data_bytes);
  }

 private:
  aclrtStream stream_;
  bool is_set_ = false;
  AclnnStatus status_;
};

}  // namespace

AclnnOutcome RunAclnn(const AclnnRequest& request) {
  const RuntimeFunctions& runtime = *Runtime();
  AclnnOutcome outcome;
  std::string error;
  CachedStream* stream = StreamFor(request.soc, &error);
  if (stream == nullptr) {
    outcome.status = {kRuntimeError, error};
    return outcome;
  }
  const ScopedDevice device(stream->device());
  AclTwinStats before = {};
  if (!device.ok() || !stream->SetThreads(request.threads) ||
      runtime.aclTwinGetStreamStats(stream->handle(), &before) != ACL_SUCCESS) {
    outcome.status = RuntimeFailure();
    return outcome;
  }
  // So that a failure without a message does not show that of an earlier call.
  runtime.aclTwinSetErrorMessage("");
  const ScopedMode mode(request, stream);
  outcome.status = mode.status();
  if (outcome.status.code != 0) return outcome;
  outcome.status = RunPhases(request, stream, &outcome);
  mode.ReadReport(&outcome);
  runtime.aclTwinGetStreamStats(stream->handle(), &outcome.stats);
  outcome.kernel_launches = outcome.stats.kernel_launches - before.kernel_launches;
  return outcome;
}

}  // namespace attnres::bindings
