// SPLIT_H of arch22: the rows of a token do not fit in UB together, so that V is read twice, in tiles: once for the
// sums of its rows, once for the mix. ../…_tile_stream.h brings the tiles; …_full_h.h is the kernel for rows that fit.

#ifndef BLOCK_ATTENTION_RESIDUALS_ARCH22_SPLIT_H_H
#define BLOCK_ATTENTION_RESIDUALS_ARCH22_SPLIT_H_H

#include "../block_attention_residuals_tile_stream.h"
#include "block_attention_residuals_rows.h"

namespace BlockAttentionResidualsArch22
{

template <typename T>
class SplitH : private RowsBase<T>
{
public:
    __aicore__ inline void Init(const ForwardArguments& arguments, const BlockAttentionResidualsTilingData& tiling,
                                AscendC::TPipe* pipe)
    {
        const uint32_t buffers = static_cast<uint32_t>(tiling.streamBuffers);
        tileElements_ = static_cast<uint32_t>(tiling.hiddenTileSize);
        tiles_ = static_cast<uint32_t>(tiling.hiddenTileNum);
        const uint32_t pitchBytes = AlignUp(tileElements_ * sizeof(T), BLOCK_BYTES);
        this->InitBase(arguments, tiling, pipe, tileElements_);
        mix_.high = this->template NewBuffer<float>(tileElements_ * sizeof(float));
        if constexpr (Base::IS_FLOAT) {
            mix_.low = this->template NewBuffer<float>(tileElements_ * sizeof(float));
        }
        stream_.Init(pipe, &this->tensors_, tileElements_, tiles_, this->template NewBuffer<T>(buffers * pitchBytes),
                     buffers, pitchBytes);
        for (auto& result : hidden_) {
            result.Init(pipe, this->template NewBuffer<T>(pitchBytes));
        }
    }

    __aicore__ inline void Process()
    {
        stream_.Start();
        for (uint64_t token = this->tensors_.tokens.begin; token < this->tensors_.tokens.end; ++token) {
            for (uint32_t tile = 0; tile < tiles_; ++tile) {
                SumTile(token, tile);
            }
            this->BeginScores();
            this->FinishScores();
            for (uint32_t tile = 0; tile < tiles_; ++tile) {
                MixTile(token, tile);
            }
            this->StoreScores(token);
        }
        stream_.Drain();
        for (auto& result : hidden_) {
            result.Drain();
        }
        this->DrainScores();
    }

private:
    using Base = RowsBase<T>;
    static constexpr uint32_t RESULT_BUFFERS = 2;

    __aicore__ inline void SumTile(uint64_t token, uint32_t tile)
    {
        const uint32_t count = stream_.TileElements(tile);
        if (stream_.BringsWeights(token)) {
            this->TakeNormWeight(stream_.Await(), count);
            stream_.Release();
            this->TakeProjWeight(stream_.Await(), count);
            stream_.Release();
        }
        for (uint32_t row = 0; row < this->tensors_.rows; ++row) {
            if (tile == 0) {
                this->template RowSums<false>(stream_.Await(), row, count);
            } else {
                this->template RowSums<true>(stream_.Await(), row, count);
            }
            stream_.Release();
        }
    }

    __aicore__ inline void MixTile(uint64_t token, uint32_t tile)
    {
        const uint32_t count = stream_.TileElements(tile);
        for (uint32_t row = 0; row < this->tensors_.rows; ++row) {
            const AscendC::LocalTensor<T>& elements = stream_.Await();
            for (uint32_t begin = 0; begin < count; begin += this->work_.lanes) {
                this->MixChunk(MixAt(begin), elements[begin], row, this->ChunkElements(begin, count));
            }
            stream_.Release();
        }
        KernelCommon::ResultBuffer<T>& result = hidden_[tile % RESULT_BUFFERS];
        result.BeginFill();
        this->StoreMix(result.Local(), mix_, count);
        result.BeginStore();
        const uint64_t offset = static_cast<uint64_t>(tile) * tileElements_;
        CopyRowOut(this->tensors_.hiddenStates[token * this->tensors_.hidden + offset], result.Local(), count);
        result.EndStore();
    }

    __aicore__ inline TwoFloatVector MixAt(uint32_t element) const
    {
        if constexpr (Base::IS_FLOAT) {
            return {mix_.high[element], mix_.low[element]};
        } else {
            return {mix_.high[element], {}};
        }
    }

    uint32_t tiles_;
    uint32_t tileElements_;
    TwoFloatVector mix_;
    BlockAttentionResidualsShared::TileStream<T> stream_;
    KernelCommon::ResultBuffer<T> hidden_[RESULT_BUFFERS];
};

}  // namespace BlockAttentionResidualsArch22

#endif  // BLOCK_ATTENTION_RESIDUALS_ARCH22_SPLIT_H_H
