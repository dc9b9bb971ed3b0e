// A NativeCall becomes an AclnnRequest; see native_call_binding.h.
#include "cc/bindings/native_call_binding.h"

#include <cfenv>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include "acl/acl.h"
#include "cc/bindings/aclnn_run.h"
#include "cc/bindings/native_call.h"
#include "cc/bindings/runtime_library.h"
#include "cc/bindings/tensor.h"

namespace attnres::bindings {
namespace {

namespace py = pybind11;

ArrayView ViewOf(const NativeTensor& tensor) {
  ArrayView view;
  view.dims.assign(tensor.dims, tensor.dims + tensor.rank);
  view.strides.resize(tensor.rank);
  int64_t stride = 1;
  for (size_t axis = tensor.rank; axis-- > 0;) {
    view.strides[axis] = stride;
    stride *= view.dims[axis];
  }
  view.dtype = tensor.dtype;
  view.data = tensor.data;
  return view;
}

AclnnStatus WrongCount(const AclTwinApi& api, const char* kind, size_t count) {
  return {kParamInvalid, std::string(api.name) + " got " + std::to_string(count) + " " + kind +
                             "; its arguments are " + api.signature};
}

AclnnStatus FillArguments(const NativeCall& call, AclnnRequest* request) {
  const AclTwinApi& api = *request->api;
  size_t tensors = 0;
  size_t integers = 0;
  size_t reals = 0;
  for (uint32_t index = 0; index < api.arg_count; ++index) {
    AclnnArgument argument;
    switch (api.signature[index]) {
      case 't':
        argument.is_tensor = true;
        if (tensors < call.tensor_count) argument.view = ViewOf(call.tensors[tensors]);
        ++tensors;
        break;
      case 'd':
        if (reals < call.real_count) argument.value.real = call.reals[reals];
        ++reals;
        break;
      default:  // 'i' and 'b'
        if (integers < call.integer_count) argument.value.integer = call.integers[integers];
        ++integers;
    }
    request->arguments.push_back(std::move(argument));
  }
  if (tensors != call.tensor_count) return WrongCount(api, "tensors", call.tensor_count);
  if (integers != call.integer_count) return WrongCount(api, "integers", call.integer_count);
  if (reals != call.real_count) return WrongCount(api, "reals", call.real_count);
  return {};
}

AclnnStatus Run(const NativeCall& call) {
  if (Runtime() == nullptr) return {kRuntimeError, "the libraries are not loaded"};
  AclnnRequest request;
  request.api = Runtime()->aclTwinFindApi(call.api_name);
  if (request.api == nullptr) {
    return {kKernelNotFound, std::string("no loaded operator library offers ") + call.api_name};
  }
  request.soc = call.soc;
  request.threads = call.threads;
  AclnnStatus status = FillArguments(call, &request);
  if (status.code != ACL_SUCCESS) return status;
  return RunAclnn(request).status;
}

// The default floating-point environment, and the earlier one again at the end.
class ScopedDefaultEnvironment {
 public:
  ScopedDefaultEnvironment() {
    fegetenv(&previous_);
    fesetenv(FE_DFL_ENV);
  }
  ScopedDefaultEnvironment(const ScopedDefaultEnvironment&) = delete;
  ScopedDefaultEnvironment& operator=(const ScopedDefaultEnvironment&) = delete;
  ~ScopedDefaultEnvironment() { fesetenv(&previous_); }

 private:
  fenv_t previous_;
};

int32_t RunNativeCall(const NativeCall* call, char* message, size_t message_bytes) {
  const ScopedDefaultEnvironment environment;
  const AclnnStatus status = Run(*call);
  snprintf(message, message_bytes, "%s", status.message.c_str());
  return status.code;
}

}  // namespace

void BindNativeCall(py::module_& module) {
  module.attr("native_call") =
      py::capsule(reinterpret_cast<void*>(&RunNativeCall), kNativeCallCapsule);
}

}  // namespace attnres::bindings
