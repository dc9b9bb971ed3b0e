// The Python extension _ffi_native: a handler of XLA's foreign function interface that runs any
// aclnn interface on the memory of XLA's buffers. _calls.py registers it; the call itself is that
// of the extension _twin (cc/bindings/native_call.h). Of jaxlib it needs headers only.
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "acl/acl.h"
#include "cc/bindings/native_call.h"
#include "xla/ffi/api/ffi.h"

namespace {

namespace py = pybind11;
namespace ffi = xla::ffi;

using attnres::bindings::kNativeCallCapsule;
using attnres::bindings::NativeCall;
using attnres::bindings::NativeCallFunction;
using attnres::bindings::NativeTensor;

constexpr size_t kMessageBytes = 1024;

// Set once, when the module is imported into a process, before XLA can know the handler.
NativeCallFunction* run_native_call = nullptr;

aclDataType DtypeOf(ffi::DataType type) {
  switch (type) {
    case ffi::DataType::F16:
      return ACL_FLOAT16;
    case ffi::DataType::BF16:
      return ACL_BF16;
    case ffi::DataType::F32:
      return ACL_FLOAT;
    default:
      return ACL_DT_UNDEFINED;
  }
}

NativeTensor TensorOf(const ffi::AnyBuffer& buffer) {
  const ffi::AnyBuffer::Dimensions dims = buffer.dimensions();
  return {dims.begin(), dims.size(), DtypeOf(buffer.element_type()), buffer.untyped_data()};
}

// `integers` and `reals` are the interface's attributes in their order; buffers are its tensors.
ffi::Error Call(ffi::RemainingArgs inputs, ffi::RemainingRets results, std::string_view api,
                std::string_view soc, ffi::Span<const int64_t> integers,
                ffi::Span<const double> reals) {
  std::vector<NativeTensor> tensors;
  for (size_t index = 0; index < inputs.size(); ++index) {
    const auto buffer = inputs.get<ffi::AnyBuffer>(index);
    if (!buffer.has_value()) return buffer.error();
    tensors.push_back(TensorOf(*buffer));
  }
  for (size_t index = 0; index < results.size(); ++index) {
    auto buffer = results.get<ffi::AnyBuffer>(index);
    if (!buffer.has_value()) return buffer.error();
    tensors.push_back(TensorOf(**buffer));
  }
  const std::string api_name(api);
  const std::string soc_name(soc);
  NativeCall call = {};
  call.api_name = api_name.c_str();
  call.soc = soc_name.c_str();
  call.tensors = tensors.data();
  call.tensor_count = tensors.size();
  call.integers = integers.begin();
  call.integer_count = integers.size();
  call.reals = reals.begin();
  call.real_count = reals.size();
  char message[kMessageBytes];
  const int32_t code = run_native_call(&call, message, sizeof message);
  if (code == 0) return ffi::Error::Success();
  return ffi::Error(ffi::ErrorCode::kInternal,
                    std::string(message) + " (aclnn status " + std::to_string(code) + ")");
}

XLA_FFI_DEFINE_HANDLER(kCallHandler, Call,
                       ffi::Ffi::Bind()
                           .RemainingArgs()
                           .RemainingRets()
                           .Attr<std::string_view>("api")
                           .Attr<std::string_view>("soc")
                           .Attr<ffi::Span<const int64_t>>("integers")
                           .Attr<ffi::Span<const double>>("reals"));

py::capsule Handler(const py::capsule& native_call) {
  if (native_call.name() == nullptr || std::string_view(native_call.name()) != kNativeCallCapsule) {
    throw py::value_error(std::string("expected the capsule ") + kNativeCallCapsule);
  }
  run_native_call = reinterpret_cast<NativeCallFunction*>(native_call.get_pointer());
  return py::capsule(reinterpret_cast<void*>(kCallHandler), "xla._CUSTOM_CALL_TARGET");
}

}  // namespace

PYBIND11_MODULE(_ffi_native, module) {
  module.doc() = "aclnn calls as a target of XLA's foreign function interface.";
  module.def("handler", &Handler, py::arg("native_call"),
             "The target as jax.ffi.register_ffi_target takes it; native_call is that of _twin.");
}
