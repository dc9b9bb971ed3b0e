// gert::Shape: up to 25 dimensions by value. A dynamic dimension is -1; a shape of unknown rank has
// the one "dimension" -2. StorageShape pairs the caller's shape with the one in memory.
#ifndef CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_SHAPE_H_
#define CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_SHAPE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace gert {

struct Shape {
 public:
  static constexpr size_t kMaxDimNum = 25;
  static constexpr int64_t kInvalidDimValue = std::numeric_limits<int64_t>::min();

  Shape() = default;
  // More than kMaxDimNum dimensions give the shape of a scalar.
  Shape(std::initializer_list<int64_t> dims) {
    if (dims.size() > kMaxDimNum) return;
    for (int64_t dim : dims) dims_[dim_num_++] = dim;
  }

  bool operator==(const Shape& other) const {
    if (dim_num_ != other.dim_num_) return false;
    for (size_t i = 0; i < dim_num_; ++i) {
      if (dims_[i] != other.dims_[i]) return false;
    }
    return true;
  }
  bool operator!=(const Shape& other) const { return !(*this == other); }

  // Number of elements, 1 for a scalar; kInvalidDimValue when it does not fit in int64_t.
  int64_t GetShapeSize() const {
    int64_t size = 1;
    for (size_t i = 0; i < dim_num_; ++i) {
      if (__builtin_mul_overflow(size, dims_[i], &size)) return kInvalidDimValue;
    }
    return size;
  }

  bool IsScalar() const { return dim_num_ == 0; }
  void SetScalar() { dim_num_ = 0; }

  size_t GetDimNum() const { return dim_num_; }
  // Dimensions that become visible keep what they held before. Larger than kMaxDimNum: no change.
  void SetDimNum(size_t dim_num) {
    if (dim_num <= kMaxDimNum) dim_num_ = dim_num;
  }

  // kInvalidDimValue for an index beyond kMaxDimNum.
  int64_t GetDim(size_t index) const {
    return index < kMaxDimNum ? dims_[index] : kInvalidDimValue;
  }
  // Precondition of the operators: index < kMaxDimNum.
  const int64_t& operator[](size_t index) const { return dims_[index]; }
  int64_t& operator[](size_t index) { return dims_[index]; }
  // Writes one dimension and leaves their number alone; nothing happens beyond kMaxDimNum.
  void SetDim(size_t index, int64_t value) {
    if (index < kMaxDimNum) dims_[index] = value;
  }
  // Nothing happens when the shape is full.
  Shape& AppendDim(int64_t value) {
    if (dim_num_ < kMaxDimNum) dims_[dim_num_++] = value;
    return *this;
  }

 private:
  size_t dim_num_ = 0;
  std::array<int64_t, kMaxDimNum> dims_ = {};
};

}  // namespace gert

#endif  // CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_SHAPE_H_
