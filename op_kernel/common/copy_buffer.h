// One stretch of UB that is filled from global memory, used by the vector unit and possibly written back, in turn; and
// the copies of whole rows, for the kernels of all operators and architectures. The order between the three pipes is
// kept here and nowhere else, so that kernels (NAME/arch22/, NAME/arch35/) read as plain sequences.

#ifndef OP_KERNEL_COMMON_COPY_BUFFER_H
#define OP_KERNEL_COMMON_COPY_BUFFER_H

#include "kernel_operator.h"

namespace KernelCommon
{

constexpr uint32_t BLOCK_BYTES = 32;  // a DataBlock: the unit in which UB is addressed

__aicore__ inline uint32_t CeilDiv(uint32_t value, uint32_t divisor)
{
    return (value + divisor - 1) / divisor;
}

__aicore__ inline uint32_t AlignUp(uint32_t value, uint32_t multiple)
{
    return CeilDiv(value, multiple) * multiple;
}

// Copies `rows` rows of `elements` each, gapBytes between them in global memory, to UB rows that lie `pitchBytes`
// apart.
template <typename T>
__aicore__ inline void CopyRowsIn(const AscendC::LocalTensor<T>& dst, const AscendC::GlobalTensor<T>& src,
                                  uint32_t rows, uint32_t elements, uint32_t pitchBytes, uint32_t gapBytes = 0)
{
    const uint32_t rowBytes = elements * sizeof(T);
    const uint32_t gapBlocks = (pitchBytes - AlignUp(rowBytes, BLOCK_BYTES)) / BLOCK_BYTES;
    const AscendC::DataCopyExtParams params(static_cast<uint16_t>(rows), rowBytes, gapBytes, gapBlocks, 0);
    const AscendC::DataCopyPadExtParams<T> noPadding;
    AscendC::DataCopyPad(dst, src, params, noPadding);
}

// The way back: UB rows `pitchBytes` apart become rows with gapBytes between them; nothing but the rows is written.
template <typename T>
__aicore__ inline void CopyRowsOut(const AscendC::GlobalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
                                   uint32_t rows, uint32_t elements, uint32_t pitchBytes, uint32_t gapBytes = 0)
{
    const uint32_t rowBytes = elements * sizeof(T);
    const uint32_t gapBlocks = (pitchBytes - AlignUp(rowBytes, BLOCK_BYTES)) / BLOCK_BYTES;
    const AscendC::DataCopyExtParams params(static_cast<uint16_t>(rows), rowBytes, gapBlocks, gapBytes, 0);
    AscendC::DataCopyPad(dst, src, params);
}

// A row is one block with no gap after it.
template <typename T>
__aicore__ inline void CopyRowIn(const AscendC::LocalTensor<T>& dst, const AscendC::GlobalTensor<T>& src,
                                 uint32_t elements)
{
    CopyRowsIn(dst, src, 1, elements, AlignUp(elements * sizeof(T), BLOCK_BYTES));
}

template <typename T>
__aicore__ inline void CopyRowOut(const AscendC::GlobalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
                                  uint32_t elements)
{
    CopyRowsOut(dst, src, 1, elements, AlignUp(elements * sizeof(T), BLOCK_BYTES));
}

// Makes the second pipe of `EVENT` wait for all that the first one has been given so far.
template <AscendC::HardEvent EVENT>
__aicore__ inline void Order(AscendC::TPipe* pipe)
{
    const auto id = pipe->AllocEventID<EVENT>();
    AscendC::SetFlag<EVENT>(id);
    AscendC::WaitFlag<EVENT>(id);
    pipe->ReleaseEventID<EVENT>(id);
}

// States: free -> BeginLoad … EndLoad (copy-in owns it) -> AwaitLoad (vector owns it) -> ReleaseByVector, or
// BeginStore … EndStore (copy-out owns it), which both make it free again. BeginLoad waits for whoever had it last.
// Drain waits for the last owner and gives the event ids back; call it once, when no load is under way.
template <typename T>
class CopyBuffer
{
public:
    __aicore__ inline void Init(AscendC::TPipe* pipe, const AscendC::LocalTensor<T>& local)
    {
        pipe_ = pipe;
        local_ = local;
        lastOwner_ = Owner::NONE;
        loaded_ = pipe->AllocEventID<AscendC::HardEvent::MTE2_V>();
        computed_ = pipe->AllocEventID<AscendC::HardEvent::V_MTE3>();
        stored_ = pipe->AllocEventID<AscendC::HardEvent::MTE3_MTE2>();
        consumed_ = pipe->AllocEventID<AscendC::HardEvent::V_MTE2>();
    }

    __aicore__ inline const AscendC::LocalTensor<T>& Local() const
    {
        return local_;
    }

    __aicore__ inline void BeginLoad()
    {
        WaitForLastOwner();
    }

    __aicore__ inline void EndLoad()
    {
        AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(loaded_);
    }

    __aicore__ inline void AwaitLoad()
    {
        AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(loaded_);
    }

    __aicore__ inline void ReleaseByVector()
    {
        AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(consumed_);
        lastOwner_ = Owner::VECTOR;
    }

    __aicore__ inline void BeginStore()
    {
        AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(computed_);
        AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(computed_);
    }

    __aicore__ inline void EndStore()
    {
        AscendC::SetFlag<AscendC::HardEvent::MTE3_MTE2>(stored_);
        lastOwner_ = Owner::COPY_OUT;
    }

    __aicore__ inline void Drain()
    {
        WaitForLastOwner();
        pipe_->ReleaseEventID<AscendC::HardEvent::MTE2_V>(loaded_);
        pipe_->ReleaseEventID<AscendC::HardEvent::V_MTE3>(computed_);
        pipe_->ReleaseEventID<AscendC::HardEvent::MTE3_MTE2>(stored_);
        pipe_->ReleaseEventID<AscendC::HardEvent::V_MTE2>(consumed_);
    }

private:
    enum class Owner : uint8_t { NONE, VECTOR, COPY_OUT };

    __aicore__ inline void WaitForLastOwner()
    {
        if (lastOwner_ == Owner::VECTOR) {
            AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(consumed_);
        } else if (lastOwner_ == Owner::COPY_OUT) {
            AscendC::WaitFlag<AscendC::HardEvent::MTE3_MTE2>(stored_);
        }
        lastOwner_ = Owner::NONE;
    }

    AscendC::TPipe* pipe_;
    AscendC::LocalTensor<T> local_;
    AscendC::TEventID loaded_;
    AscendC::TEventID computed_;
    AscendC::TEventID stored_;
    AscendC::TEventID consumed_;
    Owner lastOwner_;
};

// One stretch of UB that the vector unit fills and copy-out takes away, in turn: BeginFill waits for the last copy-out.
// Drain waits for it too and gives the event ids back.
template <typename T>
class ResultBuffer
{
public:
    __aicore__ inline void Init(AscendC::TPipe* pipe, const AscendC::LocalTensor<T>& local)
    {
        pipe_ = pipe;
        local_ = local;
        stored_ = false;
        computedEvent_ = pipe->AllocEventID<AscendC::HardEvent::V_MTE3>();
        storedEvent_ = pipe->AllocEventID<AscendC::HardEvent::MTE3_V>();
    }

    __aicore__ inline const AscendC::LocalTensor<T>& Local() const
    {
        return local_;
    }

    __aicore__ inline void BeginFill()
    {
        if (stored_) {
            AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(storedEvent_);
        }
        stored_ = false;
    }

    __aicore__ inline void BeginStore()
    {
        AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(computedEvent_);
        AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(computedEvent_);
    }

    __aicore__ inline void EndStore()
    {
        AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(storedEvent_);
        stored_ = true;
    }

    __aicore__ inline void Drain()
    {
        BeginFill();
        pipe_->ReleaseEventID<AscendC::HardEvent::V_MTE3>(computedEvent_);
        pipe_->ReleaseEventID<AscendC::HardEvent::MTE3_V>(storedEvent_);
    }

private:
    AscendC::TPipe* pipe_;
    AscendC::LocalTensor<T> local_;
    AscendC::TEventID computedEvent_;
    AscendC::TEventID storedEvent_;
    bool stored_;
};

}  // namespace KernelCommon

#endif  // OP_KERNEL_COMMON_COPY_BUFFER_H
