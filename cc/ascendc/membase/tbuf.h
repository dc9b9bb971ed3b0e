// TBuf: one buffer for intermediate values, outside any queue. Each Get views the same memory
// again.
#ifndef CC_ASCENDC_MEMBASE_TBUF_H_
#define CC_ASCENDC_MEMBASE_TBUF_H_

#include "cc/ascendc/membase/buffer.h"
#include "cc/ascendc/membase/place.h"

ASCENDC_TWIN_BEGIN

template <TPosition pos = TPosition::LCM>
class TBuf {
 public:
  static constexpr bool isTQue = false;

  // The whole buffer.
  template <typename T>
  LocalTensor<T> Get(ASCENDC_TWIN_ONLY_PLACE) {
    ASCENDC_TWIN_AT;
    return View<T>(0, Buffer()->dataLen / sizeof(T));
  }

  // Its first `len` elements.
  template <typename T>
  LocalTensor<T> Get(uint32_t len ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    return View<T>(0, len);
  }

  // `size` elements from byte `bufOffset`.
  template <typename T>
  LocalTensor<T> GetWithOffset(uint32_t size, uint32_t bufOffset ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    return View<T>(bufOffset, size);
  }

  // A queue's names, so that generic code takes either.
  template <typename T>
  LocalTensor<T> AllocTensor(ASCENDC_TWIN_ONLY_PLACE) {
    ASCENDC_TWIN_AT;
    return Get<T>();
  }
  template <typename T>
  void FreeTensor(LocalTensor<T>&) {}
  template <typename T>
  void EnQue(const LocalTensor<T>&) {}
  template <typename T>
  LocalTensor<T> DeQue(ASCENDC_TWIN_ONLY_PLACE) {
    ASCENDC_TWIN_AT;
    return Get<T>();
  }

  uint32_t GetBufLen() const { return buffer_ == nullptr ? 0 : buffer_->dataLen; }

 private:
  friend class TPipe;
  template <TPosition poolPosition, uint32_t bufferCount>
  friend class TBufPool;

  TBufType* Buffer() {
    if (buffer_ == nullptr) {
      twin::Fail("TBuf::Get before TPipe::InitBuffer gave the buffer memory", "memory");
    }
    return buffer_;
  }

  template <typename T>
  LocalTensor<T> View(uint32_t offset, uint64_t elements) {
    TBufType* buffer = Buffer();
    if (offset + elements * sizeof(T) > buffer->dataLen) {
      twin::Fail("TBuf::Get of more bytes than the buffer has", "memory");
    }
    T* data = reinterpret_cast<T*>(twin::Core()->ub + buffer->address + offset);
    return LocalTensor<T>(data, static_cast<uint32_t>(elements), pos, buffer);
  }

  TBufType* buffer_ = nullptr;
};

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_TBUF_H_
