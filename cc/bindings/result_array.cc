// Arrays that lease their memory; see result_array.h.
#include "cc/bindings/result_array.h"

#include <pybind11/stl.h>

#include <cstddef>
#include <memory>
#include <new>

#include "cc/bindings/result_memory.h"

namespace attnres::bindings {
namespace {

namespace py = pybind11;

// Below it an allocator hands out warm memory by itself.
constexpr size_t kSmallestBytes = size_t{1} << 20;
// That may wait for reuse.
constexpr size_t kKeptBytes = size_t{1} << 30;

// Kept for the life of the process: arrays may outlive static objects.
ResultMemory& Memory() {
  static auto* memory = new ResultMemory(kKeptBytes);
  return *memory;
}

struct Lease {
  explicit Lease(size_t size) : bytes(size), address(Memory().Take(size)) {
    if (address == nullptr) throw std::bad_alloc();
  }
  ~Lease() { Memory().Give(address, bytes); }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  const size_t bytes;
  void* const address;
};

}  // namespace

py::array ResultArray(const py::dtype& dtype, const std::vector<py::ssize_t>& shape) {
  size_t bytes = static_cast<size_t>(dtype.itemsize());
  for (const py::ssize_t dim : shape) bytes *= static_cast<size_t>(dim);
  if (bytes < kSmallestBytes) return py::array(dtype, shape);
  auto lease = std::make_unique<Lease>(bytes);
  void* address = lease->address;
  // The array's base; Python deletes it with the last view.
  const py::capsule owner(lease.get(), [](void* held) { delete static_cast<Lease*>(held); });
  lease.release();
  return py::array(dtype, shape, {}, address, owner);
}

void BindResultArray(py::module_& module) {
  module.def("empty_result", &ResultArray, py::arg("dtype"), py::arg("shape"),
             "A new C-contiguous array of any content, as numpy.empty. One of 1 MiB or more reuses "
             "the memory of an earlier one of its size that is gone; at most 1 GiB waits so.");
}

}  // namespace attnres::bindings
