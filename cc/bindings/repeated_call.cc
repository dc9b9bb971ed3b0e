// The two functions of repeated_call.h.
#include "cc/bindings/repeated_call.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cc/bindings/call_key.h"
#include "cc/bindings/prepared_call.h"
#include "cc/bindings/result_array.h"
#include "cc/bindings/runtime_library.h"
#include "cc/bindings/stream_cache.h"
#include "cc/bindings/tensor.h"

namespace attnres::bindings {
namespace {

namespace py = pybind11;

// The most host threads that a caller may ask for; more is left to the whole call to refuse.
constexpr long kMaxThreads = 1024;

// None is the runtime's default, 0. False for anything else than a number of threads.
bool ReadThreads(const py::object& object, uint32_t* threads) {
  *threads = 0;
  if (object.is_none()) return true;
  if (!PyLong_CheckExact(object.ptr())) return false;
  int overflow = 0;
  const long value = PyLong_AsLongAndOverflow(object.ptr(), &overflow);
  if (overflow != 0 || value < 1 || value > kMaxThreads) return false;
  *threads = static_cast<uint32_t>(value);
  return true;
}

// False when the array has no place in an aclTensor.
bool DescribeArray(const py::handle& object, std::vector<PreparedArgument>* arguments) {
  PreparedArgument argument;
  argument.is_tensor = true;
  const bool described =
      ViewArray(py::reinterpret_borrow<py::array>(object), "", &argument.view).empty();
  arguments->push_back(std::move(argument));
  return described;
}

void Prepare(const std::string& api_name, const py::tuple& inputs, const py::tuple& results,
             const std::string& soc) {
  CachedStream* stream = FindStream(soc);
  CallKey key;
  AddressList addresses;
  if (stream == nullptr || !ReadKey(api_name, inputs, &key, &addresses) ||
      stream->prepared()->Find(key) != nullptr) {
    return;
  }
  const AclTwinApi* api = Runtime()->aclTwinFindApi(api_name.c_str());
  if (api == nullptr || api->arg_count != inputs.size() + results.size()) return;

  std::vector<PreparedArgument> arguments;
  for (const py::handle input : inputs) {
    if (py::isinstance<py::array>(input)) {
      if (!DescribeArray(input, &arguments)) return;
    } else if (PyFloat_CheckExact(input.ptr())) {
      arguments.emplace_back().value.real = PyFloat_AS_DOUBLE(input.ptr());
    } else {
      arguments.emplace_back().value.integer = input.cast<int64_t>();
    }
  }
  std::vector<ResultSpec> specs;
  for (const py::handle result : results) {
    if (!py::isinstance<py::array>(result) || !DescribeArray(result, &arguments)) return;
    const auto array = py::reinterpret_borrow<py::array>(result);
    specs.push_back({array.dtype().num(), {array.shape(), array.shape() + array.ndim()}});
  }
  const py::gil_scoped_release without_gil;
  const ScopedDevice device(stream->device());
  if (!device.ok()) return;
  auto call = PreparedCall::Make(api, key, arguments, std::move(specs));
  if (call != nullptr) stream->prepared()->Insert(std::move(call));
}

// The text of a str, as long as that lives; "" for anything else.
std::string_view TextOf(const py::object& object) {
  py::ssize_t bytes = 0;
  const char* text =
      PyUnicode_Check(object.ptr()) ? PyUnicode_AsUTF8AndSize(object.ptr(), &bytes) : nullptr;
  if (text == nullptr) PyErr_Clear();
  return text == nullptr ? std::string_view() : std::string_view(text, static_cast<size_t>(bytes));
}

py::object Repeat(std::string_view api_name, const py::tuple& inputs, const py::object& soc,
                  const py::object& threads_wanted) {
  CachedStream* stream = FindStream(TextOf(soc));
  uint32_t threads = 0;
  CallKey key;
  AddressList addresses;
  // With logs on, the whole call is made: users look for the lines that it writes.
  if (stream == nullptr || Runtime()->aclTwinLogEnabled(ACL_INFO) != 0 ||
      !ReadThreads(threads_wanted, &threads) || !ReadKey(api_name, inputs, &key, &addresses)) {
    return py::none();
  }
  const std::shared_ptr<const PreparedCall> call = stream->prepared()->Find(key);
  if (call == nullptr) return py::none();

  py::tuple results(call->results().size());
  size_t next = 0;
  for (const ResultSpec& spec : call->results()) {
    py::array result = ResultArray(py::dtype(spec.type_number), spec.shape);
    if (!addresses.Add(result.mutable_data())) return py::none();
    results[next++] = std::move(result);
  }
  bool done = false;
  {
    const py::gil_scoped_release without_gil;
    void* workspace = stream->Workspace(call->workspace_bytes());
    done = (workspace != nullptr || call->workspace_bytes() == 0) && stream->SetThreads(threads) &&
           call->Run(addresses, workspace, stream->handle()) == ACL_SUCCESS;
    if (!done) stream->prepared()->Remove(*call);
  }
  if (!done) return py::none();
  return std::move(results);
}

size_t PreparedCount(const std::string& soc) {
  CachedStream* stream = FindStream(soc);
  return stream == nullptr ? 0 : stream->prepared()->size();
}

}  // namespace

void BindRepeatedCall(py::module_& module) {
  module.def("prepare", &Prepare, py::arg("api_name"), py::arg("inputs"), py::arg("results"),
             py::arg("soc"),
             R"(Lets `repeat` run calls like this one, which has just succeeded.

`inputs` as for `call`; `results` are its outputs, new contiguous arrays. Does nothing where that is not possible. The
calling thread's last 64 kinds of call on a SoC are kept.)");
  module.def("repeat", &Repeat, py::arg("api_name"), py::arg("inputs"), py::arg("soc"),
             py::arg("threads"),
             R"(Runs a call like an earlier one, alike in dtypes, shapes, strides and attributes.

Returns a tuple of new arrays, or None: no such call was prepared on this thread, or this one failed, and `call` says
why. `threads` as for block_attention_residuals_backward.)");
  module.def("prepared_count", &PreparedCount, py::arg("soc"),
             "How many kinds of call the calling thread can repeat on a SoC.");
}

}  // namespace attnres::bindings
