// TBufPool: a part of UB that is cut again into queues and buffers, so that stages of a kernel can
// use it in turn.
#ifndef CC_ASCENDC_MEMBASE_TBUF_POOL_H_
#define CC_ASCENDC_MEMBASE_TBUF_POOL_H_

#include "cc/ascendc/membase/place.h"
#include "cc/ascendc/membase/tell.h"
#include "cc/ascendc/membase/tpipe.h"

ASCENDC_TWIN_BEGIN

template <TPosition pos, uint32_t bufIDSize = 16>
class TBufPool {
 public:
  static constexpr TPosition poolPos = pos;

  template <class Queue>
  bool InitBuffer(Queue& que, uint8_t num, uint32_t len ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    que.buffers_ = CutBuffers(num, len);
    que.count_ = num;
    que.next_ = 0;
    que.head_ = 0;
    que.waiting_ = 0;
    return true;
  }

  template <TPosition bufPos>
  bool InitBuffer(TBuf<bufPos>& buf, uint32_t len ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    buf.buffer_ = CutBuffers(1, len);
    return true;
  }

  template <class Pool>
  bool InitBufPool(Pool& bufPool, uint32_t len ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    bufPool.Adopt(Cut(1, len));
    return true;
  }

  // What was cut becomes free again.
  void Reset() {
    count_ = 0;
    used_ = 0;
  }

 private:
  friend class TPipe;
  template <TPosition otherPos, uint32_t otherSize>
  friend class TBufPool;

  void Adopt(TBufType* region) {
    region_ = region;
    Reset();
  }
  TBufType* Region() const { return region_; }

  TBufType* CutBuffers(uint32_t num, uint32_t len) {
    TBufType* first = Cut(num, len);
    for (uint32_t i = 0; i < num; ++i) {
      twin::Tell(&AscendcTwinObserver::buffer, first[i].address, first[i].dataLen);
    }
    return first;
  }

  TBufType* Cut(uint32_t num, uint32_t len) {
    const uint64_t bytes = twin::AlignToDataBlock(len);
    if (region_ == nullptr) {
      twin::Fail("TBufPool::InitBuffer before TPipe::InitBufPool gave the pool memory", "memory");
    }
    if (num == 0 || count_ + num > bufIDSize) {
      twin::Fail("TBufPool::InitBuffer with 0 buffers or more than the pool may hold", "memory");
    }
    if (used_ + bytes * num > region_->dataLen) {
      twin::Fail("TBufPool::InitBuffer of more bytes than the pool has left", "memory");
    }
    TBufType* first = &buffers_[count_];
    for (uint32_t i = 0; i < num; ++i) {
      first[i] = {static_cast<uint32_t>(region_->address + used_), static_cast<uint32_t>(bytes),
                  TBufState::FREE};
      used_ += bytes;
    }
    count_ += num;
    return first;
  }

  TBufType* region_ = nullptr;
  TBufType buffers_[bufIDSize];
  uint32_t count_ = 0;
  uint64_t used_ = 0;
};

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_TBUF_POOL_H_
