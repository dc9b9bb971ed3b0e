// SPLIT_H's copies, for the kernels of both architectures: rows, or a core's segments of them, are cut into tiles, and
// a core walks its tokens twice. Tiles come through a ring of copy buffers in the order of use, each copy started as
// many steps ahead as the ring has buffers:
//   SCORES     token by token, tile by tile: norm_weight, proj_weight, grad_hidden, V[0] … V[N1-1]
//   GRADIENTS  tile by tile: norm_weight, proj_weight, then token by token: grad_hidden, V[0] … V[N1-1]

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_SPLIT_TILES_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_SPLIT_TILES_H

#include "block_attention_residuals_grad_copy_buffer.h"
#include "block_attention_residuals_grad_tensors.h"

namespace BlockAttentionResidualsGradShared
{

enum class SplitPhase : uint8_t { SCORES, GRADIENTS };

template <typename T>
class SplitTiles
{
public:
    // `copyBuffer`: the first of `ringBuffers` buffers of pitchBytes each in one stretch of UB.
    __aicore__ inline void Init(AscendC::TPipe* pipe, const GradTensors<T>* tensors, uint32_t tileElements,
                                const AscendC::LocalTensor<T>& copyBuffer, uint32_t ringBuffers, uint32_t pitchBytes)
    {
        global_ = tensors;
        tileElements_ = tileElements;
        tiles_ = CeilDiv(tensors->width, tileElements);
        ringBuffers_ = ringBuffers;
        for (uint32_t i = 0; i < ringBuffers; ++i) {
            ring_[i].Init(pipe, copyBuffer[i * (pitchBytes / sizeof(T))]);
        }
    }

    // Tiles of the core's segment, of which the last one may have fewer than others.
    __aicore__ inline uint32_t Tiles() const
    {
        return tiles_;
    }

    __aicore__ inline uint32_t TileElements(uint32_t tile) const
    {
        const uint32_t rest = global_->width - tile * tileElements_;
        return rest < tileElements_ ? rest : tileElements_;
    }

    // Starts the phase's first copies. Every tile of the phase before has been taken.
    __aicore__ inline void BeginPhase(SplitPhase phase)
    {
        phase_ = phase;
        loadToken_ = global_->tokenBegin;
        loadTile_ = 0;
        loadStep_ = NORM_WEIGHT;
        slot_ = 0;
        for (uint32_t i = 0; i < ringBuffers_; ++i) {
            LoadNext();
        }
    }

    // The next tile of the sequence; then exactly one of Release and Store.
    __aicore__ inline const AscendC::LocalTensor<T>& Await()
    {
        ring_[slot_].AwaitLoad();
        return ring_[slot_].Local();
    }

    // The vector unit has read the tile.
    __aicore__ inline void Release()
    {
        ring_[slot_].ReleaseByVector();
        LoadNext();
    }

    // The vector unit has replaced the tile by `count` elements for `dst`.
    __aicore__ inline void Store(const AscendC::GlobalTensor<T>& dst, uint32_t count)
    {
        CopyBuffer<T>& buffer = ring_[slot_];
        buffer.BeginStore();
        CopyRowOut(dst, buffer.Local(), count);
        buffer.EndStore();
        LoadNext();
    }

    // Where other cores' segments have up to `mostTiles` tiles, and add up the weight gradients of each of them.
    __aicore__ inline void MeetForMissingTiles(uint32_t mostTiles) const
    {
        for (uint32_t i = tiles_ * REDUCE_MEETINGS; i < mostTiles * REDUCE_MEETINGS; ++i) {
            AscendC::SyncAll();
        }
    }

    __aicore__ inline void Drain()
    {
        for (uint32_t i = 0; i < ringBuffers_; ++i) {
            ring_[i].Drain();
        }
    }

private:
    static constexpr uint32_t MAX_RING_BUFFERS = 4;
    static constexpr uint32_t REDUCE_MEETINGS = 3;  // of all cores, in the kernels' ReduceWeightGradients

    // Steps of the sequence; GRAD_HIDDEN is followed by the rows 0 … N1-1.
    enum Step : uint32_t { NORM_WEIGHT = 0, PROJ_WEIGHT = 1, GRAD_HIDDEN = 2, FIRST_ROW = 3 };

    // Starts the next copy of the sequence into the buffer that has just been let go, and moves on to the buffer whose
    // copy is the oldest.
    __aicore__ inline void LoadNext()
    {
        if (loadToken_ < global_->tokenEnd && loadTile_ < tiles_) {
            CopyBuffer<T>& buffer = ring_[slot_];
            buffer.BeginLoad();
            CopyRowIn(buffer.Local(), NextTile(), TileElements(loadTile_));
            buffer.EndLoad();
            Advance();
        }
        slot_ = slot_ + 1 == ringBuffers_ ? 0 : slot_ + 1;
    }

    __aicore__ inline AscendC::GlobalTensor<T> NextTile() const
    {
        const uint64_t offset = static_cast<uint64_t>(loadTile_) * tileElements_;
        if (loadStep_ == NORM_WEIGHT) {
            return global_->normWeight[offset];
        }
        if (loadStep_ == PROJ_WEIGHT) {
            return global_->projWeight[offset];
        }
        if (loadStep_ == GRAD_HIDDEN) {
            return global_->gradHiddenStates[loadToken_ * global_->hidden + offset];
        }
        return global_->ValueRow(loadToken_, loadStep_ - FIRST_ROW, offset);
    }

    __aicore__ inline void Advance()
    {
        if (++loadStep_ < FIRST_ROW + global_->rows) {
            return;
        }
        if (phase_ == SplitPhase::SCORES) {
            loadStep_ = NORM_WEIGHT;
            if (++loadTile_ == tiles_) {
                loadTile_ = 0;
                ++loadToken_;
            }
        } else {
            loadStep_ = GRAD_HIDDEN;
            if (++loadToken_ == global_->tokenEnd) {
                loadStep_ = NORM_WEIGHT;
                loadToken_ = global_->tokenBegin;
                ++loadTile_;
            }
        }
    }

    const GradTensors<T>* global_;
    CopyBuffer<T> ring_[MAX_RING_BUFFERS];
    uint32_t ringBuffers_;
    uint32_t tileElements_;
    uint32_t tiles_;
    SplitPhase phase_;
    uint64_t loadToken_;
    uint32_t loadTile_;
    uint32_t loadStep_;
    uint32_t slot_;
};

}  // namespace BlockAttentionResidualsGradShared

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_SPLIT_TILES_H
