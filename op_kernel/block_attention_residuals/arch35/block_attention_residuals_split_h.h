// SPLIT_H of arch35: the rows of a token do not fit in UB together, so that V is read twice, in tiles: once for the
// sums of its rows, once for the mix. ../…_tile_stream.h brings the tiles; …_full_h.h is the kernel for rows that fit.

#ifndef BLOCK_ATTENTION_RESIDUALS_ARCH35_SPLIT_H_H
#define BLOCK_ATTENTION_RESIDUALS_ARCH35_SPLIT_H_H

#include "../block_attention_residuals_tile_stream.h"
#include "block_attention_residuals_base.h"

namespace BlockAttentionResidualsArch35
{

template <typename T>
class SplitH : private ForwardBase<T>
{
public:
    __aicore__ inline void Init(const ForwardArguments& arguments, const BlockAttentionResidualsTilingData& tiling,
                                AscendC::TPipe* pipe)
    {
        const uint32_t tile = static_cast<uint32_t>(tiling.hiddenTileSize);
        const uint32_t buffers = static_cast<uint32_t>(tiling.streamBuffers);
        const uint32_t pitchBytes = AlignUp(tile * sizeof(T), REGISTER_BYTES);
        tiles_ = static_cast<uint32_t>(tiling.hiddenTileNum);
        tileElements_ = tile;
        this->InitBase(arguments, tiling, pipe, tile);
        hiddenSum_ = this->NewFloatRow(tile);
        hiddenSumLow_ = ForwardBase<T>::LOW_PARTS ? this->NewFloatRow(tile) : hiddenSum_;
        stream_.Init(pipe, &this->tensors_, tile, tiles_, this->template NewBuffer<T>(buffers * pitchBytes), buffers,
                     pitchBytes);
        for (auto& result : hidden_) {
            result.Init(pipe, this->template NewBuffer<T>(pitchBytes));
        }
        this->InitScores(1);
    }

    __aicore__ inline void Process()
    {
        stream_.Start();
        for (uint64_t token = this->tensors_.tokens.begin; token < this->tensors_.tokens.end; ++token) {
            for (uint32_t tile = 0; tile < tiles_; ++tile) {
                SumTile(token, tile);
            }
            this->FinishScores(1);
            for (uint32_t tile = 0; tile < tiles_; ++tile) {
                MixTile(token, tile);
            }
            this->StoreScores(token, 1);
        }
        stream_.Drain();
        for (auto& result : hidden_) {
            result.Drain();
        }
        this->DrainScores();
    }

private:
    static constexpr uint32_t RESULT_BUFFERS = 2;

    __aicore__ inline void SumTile(uint64_t token, uint32_t tile)
    {
        const uint32_t count = stream_.TileElements(tile);
        const RowSteps steps(count);
        if (stream_.BringsWeights(token)) {
            this->MakeScoreWeight(stream_.Await(), stream_.AwaitSecond(), count, hiddenSum_);
            stream_.Release();
            stream_.Release();
        }
        for (uint32_t row = 0; row < this->tensors_.rows; ++row) {
            if (tile == 0) {
                RowSums<false>(row, steps);
            } else {
                RowSums<true>(row, steps);
            }
            stream_.Release();
        }
    }

    template <bool ADD>
    __aicore__ inline void RowSums(uint32_t row, const RowSteps& steps)
    {
        const uint32_t at = row * this->scorePitch_;
        asc_vf_call<TileSumsVf<T, ADD>>(Address(this->squares_) + at, Address(this->squaresLow_) + at,
                                        Address(this->dot_) + at, Address(this->dotLow_) + at, Address(stream_.Await()),
                                        Address(this->scoreWeight_), Address(this->scoreWeightLow_), steps.full,
                                        steps.tail, steps.tailCount);
    }

    __aicore__ inline void MixTile(uint64_t token, uint32_t tile)
    {
        const uint32_t count = stream_.TileElements(tile);
        const RowSteps steps(count);
        asc_vf_call<StartMixVf<T>>(Address(hiddenSum_), Address(hiddenSumLow_), Address(this->squaresLow_),
                                   steps.All());
        for (uint32_t row = 0; row < this->tensors_.rows; ++row) {
            const uint32_t at = row * this->scorePitch_;
            asc_vf_call<MixTileVf<T>>(Address(hiddenSum_), Address(hiddenSumLow_), Address(stream_.Await()),
                                      Address(this->dot_) + at, Address(this->dotLow_) + at, steps.full, steps.tail,
                                      steps.tailCount);
            stream_.Release();
        }
        KernelCommon::ResultBuffer<T>& result = hidden_[tile % RESULT_BUFFERS];
        result.BeginFill();
        asc_vf_call<FinishTileVf<T>>(Address(result.Local()), Address(hiddenSum_), Address(hiddenSumLow_),
                                     Address(this->squaresLow_), count, steps.All());
        result.BeginStore();
        const uint64_t offset = static_cast<uint64_t>(tile) * tileElements_;
        CopyRowOut(this->tensors_.hiddenStates[token * this->tensors_.hidden + offset], result.Local(), count);
        result.EndStore();
    }

    uint32_t tiles_;
    uint32_t tileElements_;
    AscendC::LocalTensor<float> hiddenSum_;
    AscendC::LocalTensor<float> hiddenSumLow_;
    BlockAttentionResidualsShared::TileStream<T> stream_;
    KernelCommon::ResultBuffer<T> hidden_[RESULT_BUFFERS];
};

}  // namespace BlockAttentionResidualsArch35

#endif  // BLOCK_ATTENTION_RESIDUALS_ARCH35_SPLIT_H_H
