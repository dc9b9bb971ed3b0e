// gert::TilingData: the raw buffer that tiling fills for the kernel. The memory is someone else's.
#ifndef CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_TILING_DATA_H_
#define CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_TILING_DATA_H_

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "graph/error_codes.h"

namespace gert {

class TilingData {
 public:
  // `data` holds `capacity` bytes and outlives this object.
  TilingData(void* data, size_t capacity) : data_(data), capacity_(capacity) {}
  TilingData(const TilingData&) = delete;
  TilingData& operator=(const TilingData&) = delete;

  size_t GetCapacity() const { return capacity_; }
  size_t GetDataSize() const { return data_size_; }
  void SetDataSize(size_t size) { data_size_ = size; }
  void* GetData() { return data_; }
  const void* GetData() const { return data_; }

  // Adds the bytes of `value`; GRAPH_FAILED when they do not fit.
  template <typename T>
  ge::graphStatus Append(const T& value) {
    static_assert(std::is_trivially_copyable<T>::value, "tiling data is copied as bytes");
    if (capacity_ < sizeof(T) || data_size_ > capacity_ - sizeof(T)) return ge::GRAPH_FAILED;
    std::memcpy(static_cast<unsigned char*>(data_) + data_size_, &value, sizeof(T));
    data_size_ += sizeof(T);
    return ge::GRAPH_SUCCESS;
  }

 private:
  void* data_;
  size_t capacity_;
  size_t data_size_ = 0;
};

}  // namespace gert

#endif  // CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_TILING_DATA_H_
