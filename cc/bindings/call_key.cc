// Reading Python arguments into a key; see call_key.h.
#include "cc/bindings/call_key.h"

#include <pybind11/numpy.h>

#include <cstring>

namespace attnres::bindings {
namespace {

namespace py = pybind11;

// First word of an argument: its kind in the lowest bits.
constexpr uint64_t kInteger = 1;
constexpr uint64_t kArray = 2;
constexpr uint64_t kReal = 3;
constexpr int kKindBits = 2;

bool AddText(std::string_view text, CallKey* key) {
  bool added = key->words.Add(text.size());
  while (added && !text.empty()) {
    uint64_t word = 0;
    const size_t bytes = std::min(text.size(), sizeof word);
    memcpy(&word, text.data(), bytes);
    text.remove_prefix(bytes);
    added = key->words.Add(word);
  }
  return added;
}

bool AddArray(const py::array& array, CallKey* key, AddressList* addresses) {
  if ((array.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_) == 0) return false;
  const py::dtype dtype = array.dtype();
  const auto type = static_cast<uint64_t>(dtype.num());
  const auto byte_order = static_cast<unsigned char>(dtype.byteorder());
  const auto rank = static_cast<uint64_t>(array.ndim());
  bool added = key->words.Add((((type << 8 | byte_order) << 8 | rank) << kKindBits) | kArray);
  for (uint64_t axis = 0; added && axis < rank; ++axis) {
    added = key->words.Add(static_cast<uint64_t>(array.shape()[axis])) &&
            key->words.Add(static_cast<uint64_t>(array.strides()[axis]));
  }
  // The C interface takes the address of inputs, too, without const.
  return added && addresses->Add(const_cast<void*>(array.data()));
}

bool AddInteger(const py::handle& object, CallKey* key) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  return overflow == 0 && key->words.Add(kInteger) && key->words.Add(static_cast<uint64_t>(value));
}

bool AddReal(const py::handle& object, CallKey* key) {
  const double value = PyFloat_AS_DOUBLE(object.ptr());
  uint64_t bits = 0;
  static_assert(sizeof bits == sizeof value);
  memcpy(&bits, &value, sizeof bits);
  return key->words.Add(kReal) && key->words.Add(bits);
}

bool AddInput(const py::handle& input, CallKey* key, AddressList* addresses) {
  if (py::isinstance<py::array>(input)) {
    return AddArray(py::reinterpret_borrow<py::array>(input), key, addresses);
  }
  if (PyFloat_CheckExact(input.ptr())) return AddReal(input, key);
  return PyLong_CheckExact(input.ptr()) && AddInteger(input, key);
}

// FNV-1a over words.
uint64_t HashOf(const CallKey& key) {
  uint64_t hash = 14695981039346656037u;
  for (const uint64_t word : key.words) {
    hash = (hash ^ word) * 1099511628211u;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

bool ReadKey(std::string_view api_name, const py::tuple& inputs, CallKey* key,
             AddressList* addresses) {
  if (!AddText(api_name, key)) return false;
  for (const py::handle input : inputs) {
    if (!AddInput(input, key, addresses)) return false;
  }
  key->hash = HashOf(*key);
  return true;
}

}  // namespace attnres::bindings
