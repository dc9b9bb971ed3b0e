// The generic aclnn call; see aclnn_call.h. Python objects are read under the GIL into an
// AclnnRequest, which then runs without it.
#include "cc/bindings/aclnn_call.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <string>

#include "cc/acl/internal/twin_runtime.h"
#include "cc/bindings/aclnn_run.h"
#include "cc/bindings/runtime_library.h"
#include "cc/bindings/tensor.h"

namespace attnres::bindings {
namespace {

namespace py = pybind11;

std::string ReadArgument(char kind, const py::handle& object, const std::string& name,
                         bool is_output, AclnnArgument* argument) {
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

AclnnStatus ReadArguments(const py::list& inputs, const py::list& outputs, AclnnRequest* request) {
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

py::dict Statistics(const AclnnOutcome& outcome) {
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
  const auto failed = [](const AclnnStatus& status) {
    return py::make_tuple(status.code, status.message, py::none());
  };
  if (Runtime() == nullptr) return failed({kRuntimeError, "the libraries are not loaded"});
  AclnnRequest request;
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
  const AclnnStatus status = ReadArguments(inputs, outputs, &request);
  if (status.code != 0) return failed(status);

  AclnnOutcome outcome;
  {
    const py::gil_scoped_release without_gil;
    outcome = RunAclnn(request);
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
