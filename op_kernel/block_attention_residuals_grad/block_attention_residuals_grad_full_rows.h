// FULL_H's copies, for the kernels of both architectures: which rows of a token lie in UB, when each is copied, and in
// what order the kernel gets to see them. Tiling says how many value rows stay in UB between the two passes over them
// (residentRows); the others are read again. Both kinds are copied ahead of their use: resident rows in a few chunks,
// each reloaded for the next token as soon as its gradients have left, streamed rows and grad_hidden through a ring of
// copy buffers. Global memory is then read least: with every row resident (2*N1+1)*H elements per token.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_FULL_ROWS_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_FULL_ROWS_H

#include "block_attention_residuals_grad_copy_buffer.h"
#include "block_attention_residuals_grad_tensors.h"

namespace BlockAttentionResidualsGradShared
{

// Copies of each kind that are under way at once. A pair of pipes has 8 events; one is for the scores and one for what
// orders the beginning and the end of a kernel, which leaves 6.
constexpr uint32_t MAX_RING_BUFFERS = 2;
constexpr uint32_t MAX_CHUNKS = 4;

// Kernel, a subclass, has
//   Dots(rows, first, count)       g and d of `count` rows, the first being row `first` of the token, of which the core
//                                  may have but some
//   Gradients(rows, first, count)  the rows become their gradients
// where `rows` lie PitchElements() apart.
template <typename T, typename Kernel>
class FullRows
{
protected:
    // `rows` has room for residentRows rows, of which the core may have fewer, and `ring` for ringBuffers, pitchBytes
    // each.
    __aicore__ inline void InitRows(AscendC::TPipe* pipe, const GradTensors<T>* tensors,
                                    const AscendC::LocalTensor<T>& rows, uint32_t residentRows,
                                    const AscendC::LocalTensor<T>& ring, uint32_t ringBuffers, uint32_t pitchBytes)
    {
        global_ = tensors;
        pitchBytes_ = pitchBytes;
        pitchElements_ = pitchBytes / sizeof(T);
        resident_ = rows;
        residentRows_ = residentRows < tensors->ownRows ? residentRows : tensors->ownRows;
        streamedRows_ = tensors->ownRows - residentRows_;
        ringBuffers_ = ringBuffers;
        for (uint32_t i = 0; i < ringBuffers_; ++i) {
            ring_[i].Init(pipe, ring[i * pitchElements_]);
        }
        chunkRows_ = CeilDiv(residentRows_, MAX_CHUNKS);
        chunks_ = residentRows_ == 0 ? 0 : CeilDiv(residentRows_, chunkRows_);
        for (uint32_t i = 0; i < chunks_; ++i) {
            chunk_[i].Init(pipe, resident_[i * chunkRows_ * pitchElements_]);
        }
    }

    __aicore__ inline uint32_t PitchElements() const
    {
        return pitchElements_;
    }

    // A copy buffer for other uses, before StartRows and after DrainRows.
    __aicore__ inline CopyBuffer<T>& SpareBuffer()
    {
        return ring_[0];
    }

    __aicore__ inline void StartRows()
    {
        loadToken_ = global_->tokenBegin;
        for (uint32_t i = 0; i < ringBuffers_; ++i) {
            LoadNextStreamed();
        }
        for (uint32_t i = 0; i < chunks_; ++i) {
            LoadChunk(i, global_->tokenBegin);
        }
    }

    // Ends the use of the chunks; the ring's buffers stay usable.
    __aicore__ inline void DrainRows()
    {
        for (uint32_t i = 0; i < chunks_; ++i) {
            chunk_[i].Drain();
        }
    }

    __aicore__ inline void DrainRing()
    {
        for (uint32_t i = 0; i < ringBuffers_; ++i) {
            ring_[i].Drain();
        }
    }

    // grad_hidden of the next token; ReleaseGradHidden when it has been read.
    __aicore__ inline const AscendC::LocalTensor<T>& AwaitGradHidden()
    {
        ring_[slot_].AwaitLoad();
        return ring_[slot_].Local();
    }

    __aicore__ inline void ReleaseGradHidden()
    {
        ring_[slot_].ReleaseByVector();
        LoadNextStreamed();
    }

    __aicore__ inline void DotPass()
    {
        for (uint32_t i = 0; i < chunks_; ++i) {
            const uint32_t begin = i * chunkRows_;
            chunk_[i].AwaitLoad();
            Derived().Dots(resident_[begin * pitchElements_], global_->rowBegin + begin, ChunkEnd(i) - begin);
        }
        for (uint32_t row = global_->rowBegin + residentRows_; row < RowEnd(); ++row) {
            CopyBuffer<T>& buffer = ring_[slot_];
            buffer.AwaitLoad();
            Derived().Dots(buffer.Local(), row, 1);
            buffer.ReleaseByVector();
            LoadNextStreamed();
        }
    }

    __aicore__ inline void GradientPass(uint64_t token)
    {
        for (uint32_t i = 0; i < chunks_; ++i) {
            const uint32_t begin = i * chunkRows_;
            Derived().Gradients(resident_[begin * pitchElements_], global_->rowBegin + begin, ChunkEnd(i) - begin);
            StoreChunk(i, token);
            if (token + 1 < global_->tokenEnd) {
                LoadChunk(i, token + 1);
            }
        }
        for (uint32_t row = global_->rowBegin + residentRows_; row < RowEnd(); ++row) {
            CopyBuffer<T>& buffer = ring_[slot_];
            buffer.AwaitLoad();
            Derived().Gradients(buffer.Local(), row, 1);
            buffer.BeginStore();
            CopyRowOut(global_->GradRow(token, row, 0), buffer.Local(), global_->width);
            buffer.EndStore();
            LoadNextStreamed();
        }
    }

private:
    __aicore__ inline Kernel& Derived()
    {
        return static_cast<Kernel&>(*this);
    }

    __aicore__ inline uint32_t RowEnd() const
    {
        return global_->rowBegin + global_->ownRows;
    }

    // ---- resident rows, counted from the core's first ------------------------------------------------------------

    __aicore__ inline uint32_t ChunkEnd(uint32_t chunk) const
    {
        const uint32_t end = (chunk + 1) * chunkRows_;
        return end < residentRows_ ? end : residentRows_;
    }

    // Rows of block_res in this chunk: all but the last row of the token, which is partial_block.
    __aicore__ inline uint32_t ChunkBlockRows(uint32_t chunk) const
    {
        const uint32_t end = ChunkEnd(chunk);
        const uint32_t blocks = global_->blocks - global_->rowBegin;
        return (end < blocks ? end : blocks) - chunk * chunkRows_;
    }

    // What lies in global memory between two of the core's rows.
    __aicore__ inline uint32_t RowGapBytes() const
    {
        return (global_->hidden - global_->width) * sizeof(T);
    }

    __aicore__ inline void LoadChunk(uint32_t chunk, uint64_t token)
    {
        const uint32_t begin = chunk * chunkRows_;
        const uint32_t blockRows = ChunkBlockRows(chunk);
        chunk_[chunk].BeginLoad();
        if (blockRows > 0) {
            CopyRowsIn(resident_[begin * pitchElements_], global_->ValueRow(token, global_->rowBegin + begin, 0),
                       blockRows, global_->width, pitchBytes_, RowGapBytes());
        }
        if (begin + blockRows < ChunkEnd(chunk)) {
            CopyRowIn(resident_[(begin + blockRows) * pitchElements_], global_->ValueRow(token, global_->blocks, 0),
                      global_->width);
        }
        chunk_[chunk].EndLoad();
    }

    __aicore__ inline void StoreChunk(uint32_t chunk, uint64_t token)
    {
        const uint32_t begin = chunk * chunkRows_;
        const uint32_t blockRows = ChunkBlockRows(chunk);
        chunk_[chunk].BeginStore();
        if (blockRows > 0) {
            CopyRowsOut(global_->GradRow(token, global_->rowBegin + begin, 0), resident_[begin * pitchElements_],
                        blockRows, global_->width, pitchBytes_, RowGapBytes());
        }
        if (begin + blockRows < ChunkEnd(chunk)) {
            CopyRowOut(global_->GradRow(token, global_->blocks, 0), resident_[(begin + blockRows) * pitchElements_],
                       global_->width);
        }
        chunk_[chunk].EndStore();
    }

    // ---- streamed rows: a fixed sequence per token, grad_hidden, then the streamed rows once for each pass ----------

    // Starts the copy of the next row of the sequence into the buffer that has just been let go, and moves on to the
    // buffer whose copy is the oldest.
    __aicore__ inline void LoadNextStreamed()
    {
        if (loadToken_ < global_->tokenEnd) {
            CopyBuffer<T>& buffer = ring_[slot_];
            buffer.BeginLoad();
            if (loadStep_ == 0) {
                CopyRowIn(buffer.Local(), global_->gradHiddenStates[loadToken_ * global_->hidden], global_->width);
            } else {
                const uint32_t row = global_->rowBegin + residentRows_ + (loadStep_ - 1) % streamedRows_;
                CopyRowIn(buffer.Local(), global_->ValueRow(loadToken_, row, 0), global_->width);
            }
            buffer.EndLoad();
            if (++loadStep_ > 2 * streamedRows_) {
                loadStep_ = 0;
                ++loadToken_;
            }
        }
        slot_ = slot_ + 1 == ringBuffers_ ? 0 : slot_ + 1;
    }

    const GradTensors<T>* global_;
    uint32_t pitchBytes_;
    uint32_t pitchElements_;
    CopyBuffer<T> ring_[MAX_RING_BUFFERS];
    uint32_t ringBuffers_;
    AscendC::LocalTensor<T> resident_;
    uint32_t residentRows_;
    uint32_t streamedRows_;
    CopyBuffer<T> chunk_[MAX_CHUNKS];
    uint32_t chunkRows_;
    uint32_t chunks_;
    uint64_t loadToken_;
    uint32_t loadStep_ = 0;
    uint32_t slot_ = 0;
};

}  // namespace BlockAttentionResidualsGradShared

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_FULL_ROWS_H
