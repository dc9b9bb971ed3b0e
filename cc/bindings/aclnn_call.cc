// The generic aclnn call; see aclnn_call.h. Python objects are read under the GIL into a
// Request, which then runs without it.
#include "cc/bindings/aclnn_call.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "aclnn/acl_meta.h"
#include "cc/acl/internal/operator_registry.h"
#include "cc/acl/internal/twin_runtime.h"
#include "cc/bindings/runtime_library.h"
#include "cc/bindings/stream_cache.h"
#include "cc/bindings/tensor.h"

namespace attnres::bindings {
namespace {

namespace py = pybind11;

// Codes of the aclnn interface for what is found before or around phase 1.
constexpr int32_t kParamInvalid = 161002;
constexpr int32_t kRuntimeError = 361001;
constexpr int32_t kKernelNotFound = 561003;

struct Status {
  int32_t code = 0;
  std::string message;
};

// One argument of phase 1: a tensor (absent for None) or a plain value.
struct Argument {
  bool is_tensor = false;
  std::optional<ArrayView> view;
  AclTwinValue value = {};
};

struct Request {
  const AclTwinApi* api = nullptr;
  std::vector<Argument> arguments;
  std::string soc;
  uint32_t threads = 0;
  std::string mode;  // of twin_runtime.h; empty: run
  std::string mode_options;
  // The caller's workspace in place of the stream's own.
  bool has_workspace = false;
  void* workspace = nullptr;
  uint64_t workspace_bytes = 0;
};

struct Outcome {
  Status status;
  uint64_t workspace_bytes = 0;
  uint64_t kernel_launches = 0;
  AclTwinStats stats = {};
  // Of a launch in a mode.
  std::string report;
  std::string report_data;
};

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

Status RuntimeStatus(int32_t code) {
  const char* message = Runtime()->aclGetRecentErrMsg();
  return {code, message == nullptr ? "" : message};
}

// A runtime function's code becomes the one that aclnn has for it.
Status RuntimeFailure() { return RuntimeStatus(kRuntimeError); }

std::string ReadArgument(char kind, const py::handle& object, const std::string& name,
                         bool is_output, Argument* argument) {
  switch (kind) {
    case 't': {
      argument->is_tensor = true;
      if (object.is_none()) return "";
      if (!py::isinstance<py::array>(object)) return name + " is no NumPy array";
      const auto array = py::reinterpret_borrow<py::array>(object);
      if (is_output && !array.writeable()) return name + " is read-only";
      argument->view.emplace();
      return ViewArray(array, name, &*argument->view);
    }
    case 'i':
      argument->value.integer = object.cast<int64_t>();
      return "";
    case 'b':
      argument->value.integer = object.cast<bool>() ? 1 : 0;
      return "";
    case 'd':
      argument->value.real = object.cast<double>();
      return "";
    default:
      return name + " is of a kind that the bindings do not know";
  }
}

Status ReadArguments(const py::list& inputs, const py::list& outputs, Request* request) {
  const size_t count = inputs.size() + outputs.size();
  if (count != request->api->arg_count) {
    return {kParamInvalid, std::string(request->api->name) + " got " + std::to_string(count) +
                               " arguments; expected " + std::to_string(request->api->arg_count)};
  }
  request->arguments.resize(count);
  for (size_t index = 0; index < count; ++index) {
    const bool is_output = index >= inputs.size();
    const py::handle object = is_output ? outputs[index - inputs.size()] : inputs[index];
    const std::string error =
        ReadArgument(request->api->signature[index], object, "argument " + std::to_string(index),
                     is_output, &request->arguments[index]);
    if (!error.empty()) return {kParamInvalid, error};
  }
  return {};
}

Status RunPhases(const Request& request, CachedStream* stream, Outcome* outcome) {
  const RuntimeFunctions& runtime = *Runtime();
  TensorList tensors;
  std::vector<AclTwinValue> values;
  values.reserve(request.arguments.size());
  for (const Argument& argument : request.arguments) {
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
      const Status failure = RuntimeFailure();
      runtime.aclDestroyAclOpExecutor(static_cast<aclOpExecutor*>(executor));
      return failure;
    }
  }
  code = request.api->run(workspace, workspace_bytes, executor, stream->handle());
  const Status phase2 = code == ACL_SUCCESS ? Status{} : RuntimeStatus(code);
  // Also after a failure: a part of the work may be queued on the caller's memory.
  code = runtime.aclrtSynchronizeStream(stream->handle());
  if (phase2.code != ACL_SUCCESS) return phase2;
  return code == ACL_SUCCESS ? Status{} : RuntimeFailure();
}

// A mode of the stream for one call.
class ScopedMode {
 public:
  ScopedMode(const Request& request, CachedStream* stream) : stream_(stream->handle()) {
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

  const Status& status() const { return status_; }

  void ReadReport(Outcome* outcome) const {
    AclTwinReport report = {};
    if (!is_set_ || Runtime()->aclTwinGetStreamReport(stream_, &report) != ACL_SUCCESS) return;
    outcome->report.assign(report.text, report.text_bytes);
    outcome->report_data.assign(static_cast<const char*>(report.data), report.data_bytes);
  }

 private:
  aclrtStream stream_;
  bool is_set_ = false;
  Status status_;
};

Outcome Run(const Request& request) {
  const RuntimeFunctions& runtime = *Runtime();
  Outcome outcome;
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

py::dict Statistics(const Outcome& outcome) {
  const AclTwinStats& stats = outcome.stats;
  const bool launched = outcome.kernel_launches > 0;
  py::dict result;
  result["workspace_bytes"] = outcome.workspace_bytes;
  result["kernel_launches"] = outcome.kernel_launches;
  result["gm_bytes_read"] = launched ? stats.last_gm_bytes_read : 0;
  result["gm_bytes_written"] = launched ? stats.last_gm_bytes_written : 0;
  result["ub_bytes_taken"] = launched ? stats.ub_bytes_taken : 0;
  result["tiling_key"] = launched ? stats.tiling_key : 0;
  result["block_dim"] = launched ? stats.block_dim : 0;
  result["arch"] = launched ? stats.arch : 0;
  result["isa"] = launched ? stats.isa : "";
  result["report"] = outcome.report;
  result["report_data"] = py::bytes(outcome.report_data);
  return result;
}

py::tuple Call(const std::string& api_name, const py::list& inputs, const py::list& outputs,
               const std::string& soc, uint32_t threads, const py::object& workspace,
               const std::string& mode, const std::string& mode_options) {
  const auto failed = [](const Status& status) {
    return py::make_tuple(status.code, status.message, py::none());
  };
  if (Runtime() == nullptr) return failed({kRuntimeError, "the libraries are not loaded"});
  Request request;
  request.soc = soc;
  request.threads = threads;
  request.mode = mode;
  request.mode_options = mode_options;
  request.api = Runtime()->aclTwinFindApi(api_name.c_str());
  if (request.api == nullptr) {
    return failed({kKernelNotFound, "no loaded operator library offers " + api_name});
  }
  if (!workspace.is_none()) {
    using Bytes = py::array_t<uint8_t, py::array::c_style>;
    if (!py::isinstance<Bytes>(workspace)) {
      return failed({kParamInvalid, "workspace is no contiguous uint8 array"});
    }
    auto bytes = py::reinterpret_borrow<Bytes>(workspace);
    request.has_workspace = true;
    request.workspace = bytes.size() > 0 ? bytes.mutable_data() : nullptr;
    request.workspace_bytes = static_cast<uint64_t>(bytes.size());
  }
  const Status status = ReadArguments(inputs, outputs, &request);
  if (status.code != 0) return failed(status);

  Outcome outcome;
  {
    const py::gil_scoped_release without_gil;
    outcome = Run(request);
  }
  return py::make_tuple(outcome.status.code, outcome.status.message, Statistics(outcome));
}

}  // namespace

void BindAclnnCall(py::module_& module) {
  module.def("call", &Call, py::arg("api_name"), py::arg("inputs"), py::arg("outputs"),
             py::arg("soc"), py::arg("threads") = 0, py::arg("workspace") = py::none(),
             py::arg("mode") = "", py::arg("mode_options") = "",
             R"(Runs an aclnn interface to its end, on the memory of NumPy arrays.

`inputs` are the arguments of phase 1 before the outputs: arrays, None for a null tensor, numbers for
attributes. Nothing is copied, so each stride must be a multiple of the element size and not negative.
`outputs` are written in place. `threads` is the number of host threads, 0 for the default. `workspace` is
a uint8 array in place of one of the right size. `mode` and its options are those of
aclTwinSetStreamMode, for this call; its report and data are then among the statistics.

Returns (code, message, statistics of this call); the statistics are None where nothing was tried.)");
}

}  // namespace attnres::bindings
