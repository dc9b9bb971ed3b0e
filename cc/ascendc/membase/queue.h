// TQueBind and TQue: buffers that wander between the stages of a kernel (copy-in, compute,
// copy-out).
//
// A queue owns `num` buffers (TPipe::InitBuffer) and holds up to `depth` of them between EnQue and
// DeQue, first in, first out; depth 0 is the in-place form, where the tensor itself says which
// buffer is dequeued. On a device EnQue and DeQue also order the pipes; in run mode program order
// already does, and observed kernels tell each step. A wrong order of calls fails the launch.
#ifndef CC_ASCENDC_MEMBASE_QUEUE_H_
#define CC_ASCENDC_MEMBASE_QUEUE_H_

#include "cc/ascendc/membase/buffer.h"
#include "cc/ascendc/membase/pipes.h"
#include "cc/ascendc/membase/place.h"
#include "cc/ascendc/membase/tell.h"

ASCENDC_TWIN_BEGIN

template <TPosition src, TPosition dst, int32_t depth, auto mask = 0>
class TQueBind {
 public:
  static constexpr bool isTQue = true;

  template <typename T>
  LocalTensor<T> AllocTensor(ASCENDC_TWIN_ONLY_PLACE) {
    ASCENDC_TWIN_AT;
    for (uint32_t i = 0; i < count_; ++i) {
      TBufType* buffer = &buffers_[next_];
      next_ = next_ + 1 == count_ ? 0 : next_ + 1;
      if (buffer->state == TBufState::FREE) {
        buffer->state = TBufState::OCCUPIED;
        TellStep(kAscendcTwinQueueAlloc, kPipes, buffer);
        return Tensor<T>(buffer);
      }
    }
    twin::Fail(count_ == 0
                   ? "AllocTensor before TPipe::InitBuffer gave the queue buffers"
                   : "AllocTensor while no buffer of the queue is free: a FreeTensor is missing");
  }

  template <typename T>
  void AllocTensor(LocalTensor<T>& tensor ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    tensor = AllocTensor<T>();
  }

  template <typename T>
  void FreeTensor(LocalTensor<T>& tensor ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    FreeBuffer(reinterpret_cast<TBufHandle>(tensor.Buffer()));
  }

  // False, and nothing changes, if `depth` tensors wait already.
  template <typename T>
  bool EnQue(const LocalTensor<T>& tensor ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    return Push(reinterpret_cast<TBufHandle>(tensor.Buffer()), kPipes);
  }

  // For a buffer that goes on by other pipes than the queue's positions say.
  template <TPosition srcUserPos, TPosition dstUserPos, typename T>
  bool EnQue(const LocalTensor<T>& tensor ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    return Push(reinterpret_cast<TBufHandle>(tensor.Buffer()),
                twin::PipesOf(srcUserPos, dstUserPos));
  }

  bool EnQue(TBufHandle handle ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    return Push(handle, kPipes);
  }

  template <typename T>
  LocalTensor<T> DeQue(ASCENDC_TWIN_ONLY_PLACE) {
    ASCENDC_TWIN_AT;
    return Tensor<T>(Pop(ring_[head_], kPipes));
  }

  template <TPosition srcUserPos, TPosition dstUserPos, typename T>
  LocalTensor<T> DeQue(ASCENDC_TWIN_ONLY_PLACE) {
    ASCENDC_TWIN_AT;
    return Tensor<T>(Pop(ring_[head_], twin::PipesOf(srcUserPos, dstUserPos)));
  }

  // The in-place form: with depth 0 the buffer is that of `tensor`, otherwise the first in the
  // queue.
  template <typename T>
  void DeQue(LocalTensor<T>& tensor ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    if constexpr (depth == 0) {
      Pop(Own(reinterpret_cast<TBufHandle>(tensor.Buffer()),
              "DeQue of a tensor that is not from this queue"),
          kPipes);
    } else {
      tensor = DeQue<T>();
    }
  }

  TBufHandle DeQue(ASCENDC_TWIN_ONLY_PLACE) {
    ASCENDC_TWIN_AT;
    return reinterpret_cast<TBufHandle>(Pop(ring_[head_], kPipes));
  }

  void FreeBuffer(TBufHandle handle ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    TBufType* buffer = Own(handle, "FreeTensor of a tensor that is not from this queue");
    if (buffer->state == TBufState::FREE || buffer->state == TBufState::ENQUE) {
      twin::Fail(buffer->state == TBufState::FREE
                     ? "FreeTensor of a tensor that is free already"
                     : "FreeTensor of a tensor that is still in the queue");
    }
    buffer->state = TBufState::FREE;
    TellStep(kAscendcTwinQueueFree, kPipes, buffer);
  }

  TBuffAddr GetBufferAddr(TBufHandle handle) const {
    const TBufType* buffer = reinterpret_cast<TBufType*>(handle);
    return {buffer->dataLen, buffer->address, handle, static_cast<uint8_t>(kPosition)};
  }

  template <typename T>
  TBufState GetState(const LocalTensor<T>& tensor) const {
    return tensor.Buffer() == nullptr ? TBufState::FREE : tensor.Buffer()->state;
  }

  bool VacantInQue() const { return waiting_ < kCapacity; }
  bool HasTensorInQue() const { return waiting_ > 0; }
  int32_t GetTensorCountInQue() const { return static_cast<int32_t>(waiting_); }

  bool HasIdleBuffer() const {
    for (uint32_t i = 0; i < count_; ++i) {
      if (buffers_[i].state == TBufState::FREE) {
        return true;
      }
    }
    return false;
  }

  // A device gives back the event ids that unfinished transfers hold; in run mode none is held.
  void FreeAllEvent() {}

 protected:
  static constexpr uint32_t kCapacity = depth > 0 ? depth : 1;
  // Where a kernel may use the buffers: the UB side of the pair.
  static constexpr TPosition kPosition = IsUbPosition(src) ? src : dst;
  static constexpr twin::PipePair kPipes = twin::PipesOf(src, dst);

 private:
  friend class TPipe;
  template <TPosition poolPosition, uint32_t bufferCount>
  friend class TBufPool;

  template <typename T>
  LocalTensor<T> Tensor(TBufType* buffer) const {
    return LocalTensor<T>(reinterpret_cast<T*>(twin::Core()->ub + buffer->address),
                          static_cast<uint32_t>(buffer->dataLen / sizeof(T)), kPosition, buffer);
  }

  ASCENDC_TWIN_INLINE void TellStep(uint8_t kind, twin::PipePair pipes,
                                    const TBufType* buffer) const {
    const AscendcTwinQueueStep step = {
        kind, pipes.source,    pipes.target,   static_cast<uint8_t>(kPosition),
        this, buffer->address, buffer->dataLen};
    twin::Tell(&AscendcTwinObserver::queue_step, &step);
  }

  TBufType* Own(TBufHandle handle, const char* message) const {
    TBufType* buffer = reinterpret_cast<TBufType*>(handle);
    if (buffer < buffers_ || buffer >= buffers_ + count_) {
      twin::Fail(message);
    }
    return buffer;
  }

  bool Push(TBufHandle handle, twin::PipePair pipes) {
    TBufType* buffer = Own(handle, "EnQue of a tensor that is not from this queue");
    if (buffer->state != TBufState::OCCUPIED && buffer->state != TBufState::DEQUE) {
      twin::Fail(buffer->state == TBufState::ENQUE
                     ? "EnQue of a tensor that is in the queue already"
                     : "EnQue of a tensor that was freed");
    }
    if (depth > 0 && waiting_ == kCapacity) {
      return false;
    }
    buffer->state = TBufState::ENQUE;
    ring_[depth > 0 ? (head_ + waiting_) % kCapacity : 0] = buffer;
    ++waiting_;
    TellStep(kAscendcTwinQueueEnQue, pipes, buffer);
    return true;
  }

  TBufType* Pop(TBufType* buffer, twin::PipePair pipes) {
    if (waiting_ == 0 || buffer->state != TBufState::ENQUE) {
      twin::Fail("DeQue from an empty queue: an EnQue is missing");
    }
    buffer->state = TBufState::DEQUE;
    --waiting_;
    head_ = depth > 0 ? (head_ + 1) % kCapacity : 0;
    TellStep(kAscendcTwinQueueDeQue, pipes, buffer);
    return buffer;
  }

  TBufType* buffers_ = nullptr;
  uint32_t count_ = 0;
  uint32_t next_ = 0;  // where AllocTensor looks first, so that buffers take turns
  uint32_t head_ = 0;
  uint32_t waiting_ = 0;
  TBufType* ring_[kCapacity] = {};
};

// The queue of a position: VECIN is filled from global memory, VECOUT is emptied to it.
constexpr TPosition QueueSource(TPosition position) {
  return position == TPosition::VECIN ? TPosition::GM : position;
}
constexpr TPosition QueueTarget(TPosition position) {
  return position == TPosition::VECOUT ? TPosition::GM : position;
}

template <TPosition pos, int32_t depth, auto mask = 0>
class TQue : public TQueBind<QueueSource(pos), QueueTarget(pos), depth, mask> {};

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_QUEUE_H_
