// SPLIT_H's copies, for the kernels of both architectures: rows are cut into hiddenTileNum tiles, and each token's are
// walked twice. Tiles come through a ring of copy buffers in the order of use, each copy started as many steps ahead as
// the ring has buffers. Per token:
//   SUMS  tile by tile: norm_weight, proj_weight, V[0] … V[N1-1]
//   MIX   tile by tile: V[0] … V[N1-1]
// Where a row is one tile the weights come for the core's first token alone.

#ifndef BLOCK_ATTENTION_RESIDUALS_TILE_STREAM_H
#define BLOCK_ATTENTION_RESIDUALS_TILE_STREAM_H

#include "../common/copy_buffer.h"
#include "block_attention_residuals_tensors.h"

namespace BlockAttentionResidualsShared
{

template <typename T>
class TileStream
{
public:
    // `copies`: `buffers` buffers of pitchBytes each.
    __aicore__ inline void Init(AscendC::TPipe* pipe, const ForwardTensors<T>* tensors, uint32_t tileElements,
                                uint32_t tiles, const AscendC::LocalTensor<T>& copies, uint32_t buffers,
                                uint32_t pitchBytes)
    {
        global_ = tensors;
        tileElements_ = tileElements;
        tiles_ = tiles;
        buffers_ = buffers;
        for (uint32_t i = 0; i < buffers; ++i) {
            ring_[i].Init(pipe, copies[i * (pitchBytes / sizeof(T))]);
        }
    }

    __aicore__ inline uint32_t TileElements(uint32_t tile) const
    {
        const uint32_t rest = global_->hidden - tile * tileElements_;
        return rest < tileElements_ ? rest : tileElements_;
    }

    // Whether the weights' tile precedes a token's sums over tile `tile`.
    __aicore__ inline bool BringsWeights(uint64_t token) const
    {
        return tiles_ > 1 || token == global_->tokens.begin;
    }

    __aicore__ inline void Start()
    {
        token_ = global_->tokens.begin;
        for (uint32_t i = 0; i < buffers_; ++i) {
            LoadNext();
        }
    }

    // The next tile of the sequence, and the one after it; then as often Release.
    __aicore__ inline const AscendC::LocalTensor<T>& Await()
    {
        ring_[slot_].AwaitLoad();
        return ring_[slot_].Local();
    }

    __aicore__ inline const AscendC::LocalTensor<T>& AwaitSecond()
    {
        KernelCommon::CopyBuffer<T>& second = ring_[Next(slot_)];
        second.AwaitLoad();
        return second.Local();
    }

    // The vector unit has read the tile.
    __aicore__ inline void Release()
    {
        ring_[slot_].ReleaseByVector();
        LoadNext();
    }

    __aicore__ inline void Drain()
    {
        for (uint32_t i = 0; i < buffers_; ++i) {
            ring_[i].Drain();
        }
    }

private:
    static constexpr uint32_t MAX_BUFFERS = 4;

    // Steps of the sequence; FIRST_ROW is followed by the other rows.
    enum Step : uint32_t { NORM_WEIGHT = 0, PROJ_WEIGHT = 1, FIRST_ROW = 2 };

    __aicore__ inline uint32_t Next(uint32_t slot) const
    {
        return slot + 1 == buffers_ ? 0 : slot + 1;
    }

    // Starts the next copy of the sequence into the buffer that has just been let go, and moves on to the buffer whose
    // copy is the oldest.
    __aicore__ inline void LoadNext()
    {
        if (token_ < global_->tokens.end) {
            KernelCommon::CopyBuffer<T>& buffer = ring_[slot_];
            buffer.BeginLoad();
            KernelCommon::CopyRowIn(buffer.Local(), NextTile(), TileElements(tile_));
            buffer.EndLoad();
            Advance();
        }
        slot_ = Next(slot_);
    }

    __aicore__ inline AscendC::GlobalTensor<T> NextTile() const
    {
        const uint64_t offset = static_cast<uint64_t>(tile_) * tileElements_;
        if (step_ == NORM_WEIGHT) {
            return global_->normWeight[offset];
        }
        if (step_ == PROJ_WEIGHT) {
            return global_->projWeight[offset];
        }
        return global_->ValueRow(token_, step_ - FIRST_ROW, offset);
    }

    __aicore__ inline void Advance()
    {
        if (++step_ < FIRST_ROW + global_->rows) {
            return;
        }
        if (++tile_ == tiles_) {
            tile_ = 0;
            token_ += mixing_ ? 1 : 0;
            mixing_ = !mixing_;
        }
        step_ = !mixing_ && BringsWeights(token_) ? NORM_WEIGHT : FIRST_ROW;
    }

    const ForwardTensors<T>* global_;
    KernelCommon::CopyBuffer<T> ring_[MAX_BUFFERS];
    uint32_t buffers_;
    uint32_t tileElements_;
    uint32_t tiles_;
    uint64_t token_ = 0;
    uint32_t tile_ = 0;
    uint32_t step_ = NORM_WEIGHT;
    bool mixing_ = false;
    uint32_t slot_ = 0;
};

}  // namespace BlockAttentionResidualsShared

#endif  // BLOCK_ATTENTION_RESIDUALS_TILE_STREAM_H
