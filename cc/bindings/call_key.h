// CallKey: what makes two calls of an aclnn interface alike, so that one may run with the executor
// of the other: name, dtypes, shapes, strides and attributes, but not addresses.
#ifndef CC_BINDINGS_CALL_KEY_H_
#define CC_BINDINGS_CALL_KEY_H_

#include <pybind11/pybind11.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace attnres::bindings {

// A short list without a heap allocation: of the calls that can be repeated, which lie on the path
// of every one.
template <typename T, size_t kCapacity>
class ShortList {
 public:
  // False when there is no place left.
  bool Add(T value) {
    if (size_ == kCapacity) return false;
    values_[size_++] = value;
    return true;
  }

  size_t size() const { return size_; }
  const T* data() const { return values_.data(); }
  const T* begin() const { return values_.data(); }
  const T* end() const { return values_.data() + size_; }

 private:
  size_t size_ = 0;
  std::array<T, kCapacity> values_;
};

using AddressList = ShortList<void*, 32>;

struct CallKey {
  uint64_t hash = 0;  // of words
  ShortList<uint64_t, 96> words;

  bool operator==(const CallKey& other) const {
    return hash == other.hash &&
           std::equal(words.begin(), words.end(), other.words.begin(), other.words.end());
  }
};

// Fills `*key`, and `*addresses` with those of the arrays; both must be empty. False for inputs
// that are no aligned arrays, floats or small integers, and for very many: such calls are never
// alike.
// Precondition: the GIL is held.
bool ReadKey(std::string_view api_name, const pybind11::tuple& inputs, CallKey* key,
             AddressList* addresses);

}  // namespace attnres::bindings

#endif  // CC_BINDINGS_CALL_KEY_H_
