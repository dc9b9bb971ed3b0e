// GlobalTensor<T>: a view of elements in global memory. Bulk transfers are copy.h; GetValue and
// SetValue are the scalar unit's accesses and count towards the core's bytes like any other
// traffic.
#ifndef CC_ASCENDC_MEMBASE_GLOBAL_TENSOR_H_
#define CC_ASCENDC_MEMBASE_GLOBAL_TENSOR_H_

#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/membase/element.h"
#include "cc/ascendc/membase/float16.h"
#include "cc/ascendc/membase/place.h"
#include "cc/ascendc/membase/positions.h"

ASCENDC_TWIN_BEGIN

template <typename T>
class GlobalTensor {
 public:
  using PrimType = T;

  GlobalTensor() = default;

  ASCENDC_TWIN_INLINE void SetGlobalBuffer(__gm__ T* buffer, uint64_t size) {
    data_ = buffer;
    size_ = size;
  }
  ASCENDC_TWIN_INLINE void SetGlobalBuffer(__gm__ T* buffer) { SetGlobalBuffer(buffer, 0); }

  ASCENDC_TWIN_INLINE const __gm__ T* GetPhyAddr() const { return data_; }
  ASCENDC_TWIN_INLINE __gm__ T* GetPhyAddr(uint64_t offset) const { return data_ + offset; }

  ASCENDC_TWIN_INLINE T GetValue(uint64_t offset ASCENDC_TWIN_PLACE) const {
    ASCENDC_TWIN_AT;
    twin::CountRead(sizeof(T));
    return twin::ReadElement<true>(static_cast<const T*>(data_ + offset));
  }

  ASCENDC_TWIN_INLINE void SetValue(uint64_t offset, T value ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    twin::CountWritten(sizeof(T));
    twin::WriteElement<true>(data_ + offset, value);
  }

  ASCENDC_TWIN_INLINE twin::ElementReference<true, T> operator()(
      uint64_t offset ASCENDC_TWIN_PLACE) const {
    ASCENDC_TWIN_AT;
    return twin::Element<true>(data_ + offset);
  }

  // Elements as given to SetGlobalBuffer, 0 if not given.
  ASCENDC_TWIN_INLINE uint64_t GetSize() const { return size_; }

  ASCENDC_TWIN_INLINE GlobalTensor operator[](uint64_t offset) const {
    GlobalTensor moved;
    moved.data_ = data_ + offset;
    moved.size_ = size_ > offset ? size_ - offset : 0;
    return moved;
  }

  template <typename U>
  ASCENDC_TWIN_INLINE GlobalTensor<U> ReinterpretCast() const {
    GlobalTensor<U> other;
    other.SetGlobalBuffer(reinterpret_cast<U*>(data_), size_ * sizeof(T) / sizeof(U));
    return other;
  }

  // The host decides by block size which copies bypass its cache, so a hint changes nothing.
  template <CacheRwMode rwMode = CacheRwMode::RW>
  void SetL2CacheHint(CacheMode) {}

  // For the twin's own instructions.
  ASCENDC_TWIN_INLINE T* Data() const { return data_; }

 private:
  T* data_ = nullptr;
  uint64_t size_ = 0;
};

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_GLOBAL_TENSOR_H_
