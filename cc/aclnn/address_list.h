// AddressList: the addresses of one launch, without a heap allocation for as many as operators
// usually have. program.h passes them on.
#ifndef CC_ACLNN_ADDRESS_LIST_H_
#define CC_ACLNN_ADDRESS_LIST_H_

#include <array>
#include <cstddef>
#include <vector>

namespace attnres::aclnn {

class AddressList {
 public:
  static constexpr size_t kInPlace = 24;

  void Add(void* address) {
    if (size_ < kInPlace) {
      in_place_[size_] = address;
    } else {
      if (size_ == kInPlace) heap_.assign(in_place_.begin(), in_place_.end());
      heap_.push_back(address);
    }
    ++size_;
  }

  size_t size() const { return size_; }
  void* operator[](size_t index) const { return data()[index]; }
  // Valid until the next Add.
  void* const* data() const { return size_ > kInPlace ? heap_.data() : in_place_.data(); }

 private:
  size_t size_ = 0;
  std::array<void*, kInPlace> in_place_;
  std::vector<void*> heap_;
};

}  // namespace attnres::aclnn

#endif  // CC_ACLNN_ADDRESS_LIST_H_
