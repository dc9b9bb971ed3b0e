// LocalTensor<T>: a view of elements in the Unified Buffer of the core. Global memory is
// global_tensor.h.
//
// Copying a tensor copies the view. Indexing moves the start and shortens the view; no bound is
// checked in run mode. A tensor from a queue remembers its buffer, so that EnQue and FreeTensor
// find it (queue.h).
#ifndef CC_ASCENDC_MEMBASE_LOCAL_TENSOR_H_
#define CC_ASCENDC_MEMBASE_LOCAL_TENSOR_H_

#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/membase/element.h"
#include "cc/ascendc/membase/float16.h"
#include "cc/ascendc/membase/place.h"
#include "cc/ascendc/membase/positions.h"

ASCENDC_TWIN_BEGIN

struct TBufType;
using TBufHandle = uint8_t*;

struct TBuffAddr {
  uint32_t dataLen = 0;     // bytes
  uint32_t bufferAddr = 0;  // byte offset in UB
  TBufHandle bufferHandle = nullptr;
  uint8_t logicPos = 0;
};

template <typename T>
class LocalTensor {
 public:
  using PrimType = T;

  LocalTensor() = default;

  // `addr`: byte offset in UB; `tileSize`: elements. The style without TPipe.
  LocalTensor(TPosition position, uint32_t addr, uint32_t tileSize)
      : data_(reinterpret_cast<T*>(twin::Core()->ub + addr)),
        size_(tileSize),
        position_(position) {}

  ASCENDC_TWIN_INLINE LocalTensor(T* data, uint32_t size, TPosition position, TBufType* buffer)
      : data_(data), buffer_(buffer), size_(size), position_(position) {}

  ASCENDC_TWIN_INLINE T GetValue(uint32_t index ASCENDC_TWIN_PLACE) const {
    ASCENDC_TWIN_AT;
    return twin::ReadElement<false>(static_cast<const T*>(data_ + index));
  }

  template <typename U>
  ASCENDC_TWIN_INLINE void SetValue(uint32_t index, U value ASCENDC_TWIN_PLACE) const {
    ASCENDC_TWIN_AT;
    twin::WriteElement<false>(data_ + index, static_cast<T>(value));
  }

  ASCENDC_TWIN_INLINE twin::ElementReference<false, T> operator()(
      uint32_t offset ASCENDC_TWIN_PLACE) const {
    ASCENDC_TWIN_AT;
    return twin::Element<false>(data_ + offset);
  }

  ASCENDC_TWIN_INLINE LocalTensor operator[](uint32_t offset) const {
    return LocalTensor(data_ + offset, size_ > offset ? size_ - offset : 0, position_, buffer_);
  }

  template <typename U>
  ASCENDC_TWIN_INLINE LocalTensor<U> ReinterpretCast() const {
    const uint64_t bytes = static_cast<uint64_t>(size_) * sizeof(T);
    return LocalTensor<U>(reinterpret_cast<U*>(data_), static_cast<uint32_t>(bytes / sizeof(U)),
                          position_, buffer_);
  }

  ASCENDC_TWIN_INLINE uint32_t GetSize() const { return size_; }
  ASCENDC_TWIN_INLINE uint32_t GetLength() const {
    return static_cast<uint32_t>(size_ * sizeof(T));
  }
  ASCENDC_TWIN_INLINE void SetSize(uint32_t size) { size_ = size; }
  ASCENDC_TWIN_INLINE void SetBufferLen(uint32_t bytes) {
    size_ = static_cast<uint32_t>(bytes / sizeof(T));
  }
  ASCENDC_TWIN_INLINE int32_t GetPosition() const { return static_cast<int32_t>(position_); }
  void SetUserTag(TTagType tag) { tag_ = tag; }
  TTagType GetUserTag() const { return tag_; }

  // The address as a number, which kernels cast to a __ubuf__ pointer.
  ASCENDC_TWIN_INLINE uint64_t GetPhyAddr() const { return reinterpret_cast<uint64_t>(data_); }
  ASCENDC_TWIN_INLINE uint64_t GetPhyAddr(uint32_t offset) const {
    return reinterpret_cast<uint64_t>(data_ + offset);
  }

  // For the twin's own instructions.
  ASCENDC_TWIN_INLINE T* Data() const { return data_; }
  ASCENDC_TWIN_INLINE TBufType* Buffer() const { return buffer_; }

 private:
  T* data_ = nullptr;
  TBufType* buffer_ = nullptr;
  uint32_t size_ = 0;
  TTagType tag_ = 0;
  TPosition position_ = TPosition::VECCALC;
};

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_LOCAL_TENSOR_H_
