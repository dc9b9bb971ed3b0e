// TPipe: hands out UB to queues and buffers, and event ids. One lives at a time on a core;
// GetTPipePtr returns it.
#ifndef CC_ASCENDC_MEMBASE_TPIPE_H_
#define CC_ASCENDC_MEMBASE_TPIPE_H_

#include "cc/ascendc/membase/buffer.h"
#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/membase/place.h"
#include "cc/ascendc/membase/queue.h"
#include "cc/ascendc/membase/tbuf.h"
#include "cc/ascendc/membase/tell.h"
#include "cc/ascendc/membase/transfer.h"

ASCENDC_TWIN_BEGIN

class TPipe {
 public:
  static constexpr uint32_t kMaxBuffers = 64;
  static constexpr uint32_t kEventIds = 8;  // per HardEvent

  TPipe() { Init(); }
  ~TPipe() { Destroy(); }
  TPipe(const TPipe&) = delete;
  TPipe& operator=(const TPipe&) = delete;

  // Makes this the core's pipe, with all of UB free.
  void Init() {
    if (twin::State().pipe != nullptr && twin::State().pipe != this) {
      twin::Fail("a second TPipe on a core: call Destroy on the first");
    }
    twin::State().pipe = this;
    Reset();
  }

  void Reset() {
    buffer_count_ = 0;
    ub_used_ = 0;
    for (uint8_t& ids : events_) {
      ids = 0;
    }
    twin::Tell(&AscendcTwinObserver::pipe_reset);
  }

  void Destroy() {
    Reset();
    if (twin::State().pipe == this) {
      twin::State().pipe = nullptr;
    }
  }
  void DestroyWithoutPipeAll() { Destroy(); }

  // `num` buffers of `len` bytes each, rounded up to DataBlocks. Fails the launch if UB or the 64
  // buffers do not suffice.
  template <class Queue>
  bool InitBuffer(Queue& que, uint8_t num, uint32_t len ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    static_assert(Queue::isTQue, "the form with a number of buffers is for queues");
    if (num == 0) {
      twin::Fail("InitBuffer with 0 buffers, expected 1 to 64", "memory");
    }
    que.buffers_ = CutBuffers(num, len);
    que.count_ = num;
    que.next_ = 0;
    que.head_ = 0;
    que.waiting_ = 0;
    return true;
  }

  template <TPosition pos>
  bool InitBuffer(TBuf<pos>& buf, uint32_t len ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    buf.buffer_ = CutBuffers(1, len);
    return true;
  }

  // A part of UB for TBufPool (tbuf_pool.h).
  template <class Pool>
  bool InitBufPool(Pool& bufPool, uint32_t len ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    bufPool.Adopt(Cut(1, len));
    return true;
  }

  // The same part as `shareBuf`'s, used in turn.
  template <class Pool, class Shared>
  bool InitBufPool(Pool& bufPool, uint32_t len, Shared& shareBuf ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    if (len > shareBuf.Region()->dataLen) {
      twin::Fail("InitBufPool of more bytes than the pool it shares has", "memory");
    }
    bufPool.Adopt(shareBuf.Region());
    return true;
  }

  // The lowest id of the event that is not allocated, taken until ReleaseEventID.
  template <HardEvent evt>
  TEventID AllocEventID(ASCENDC_TWIN_ONLY_PLACE) {
    ASCENDC_TWIN_AT;
    uint8_t& ids = events_[static_cast<uint8_t>(evt)];
    if (ids == 0xFF) {
      twin::Fail("AllocEventID while all 8 ids of the event are allocated");
    }
    const int id = __builtin_ctz(~static_cast<uint32_t>(ids));
    ids = static_cast<uint8_t>(ids | (1u << id));
    return static_cast<TEventID>(id);
  }

  template <HardEvent evt>
  void ReleaseEventID(TEventID id ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    uint8_t& ids = events_[static_cast<uint8_t>(evt)];
    if (id < 0 || id >= static_cast<TEventID>(kEventIds) || (ids & (1u << id)) == 0) {
      twin::Fail("ReleaseEventID of an id that is not allocated");
    }
    ids = static_cast<uint8_t>(ids & ~(1u << id));
  }

  // The same id without taking it.
  TEventID FetchEventID(HardEvent evt ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    const uint8_t ids = events_[static_cast<uint8_t>(evt)];
    if (ids == 0xFF) {
      twin::Fail("FetchEventID while all 8 ids of the event are allocated");
    }
    return static_cast<TEventID>(__builtin_ctz(~static_cast<uint32_t>(ids)));
  }
  template <HardEvent evt>
  TEventID FetchEventID(ASCENDC_TWIN_ONLY_PLACE) {
    ASCENDC_TWIN_AT;
    return FetchEventID(evt);
  }

  // Bytes of UB handed out so far.
  uint64_t UbBytesUsed() const { return ub_used_; }

 private:
  TBufType* CutBuffers(uint32_t num, uint32_t len) {
    TBufType* first = Cut(num, len);
    for (uint32_t i = 0; i < num; ++i) {
      twin::Tell(&AscendcTwinObserver::buffer, first[i].address, first[i].dataLen);
    }
    return first;
  }

  TBufType* Cut(uint32_t num, uint32_t len) {
    const uint64_t bytes = twin::AlignToDataBlock(len);
    if (buffer_count_ + num > kMaxBuffers) {
      twin::Fail("InitBuffer of more than 64 buffers in one TPipe", "memory");
    }
    if (ub_used_ + bytes * num > twin::Core()->ub_bytes) {
      twin::FailUbOverflow(ub_used_ + bytes * num);
    }
    TBufType* first = &buffers_[buffer_count_];
    for (uint32_t i = 0; i < num; ++i) {
      first[i] = {static_cast<uint32_t>(ub_used_), static_cast<uint32_t>(bytes), TBufState::FREE};
      ub_used_ += bytes;
    }
    buffer_count_ += num;
    if (ub_used_ > twin::Core()->ub_bytes_taken) {
      twin::Core()->ub_bytes_taken = ub_used_;
    }
    return first;
  }

  TBufType buffers_[kMaxBuffers];
  uint32_t buffer_count_ = 0;
  uint64_t ub_used_ = 0;
  uint8_t events_[static_cast<uint8_t>(HardEvent::MAX)] = {};
};

inline TPipe* GetTPipePtr() { return twin::State().pipe; }

ASCENDC_TWIN_END

using AscendC::GetTPipePtr;

#endif  // CC_ASCENDC_MEMBASE_TPIPE_H_
