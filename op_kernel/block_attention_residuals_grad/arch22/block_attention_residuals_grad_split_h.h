// SPLIT_H: a row, or a core's segment of it, does not fit in UB and is cut into tiles. Each core walks its tokens
// twice:
//   scores     token by token, tile by tile: g and d of all rows in two floats; then c = gs*inv_norm and the variance
//              scale s of the token go to the workspace, [T,N1] each
//   gradients  tile by tile, token by token: gradV of the tile, while the tile of the weight gradient stays in UB;
//              after each tile the cores add up their sums of it
// The workspace has one float for each c and s. Their low parts wait where the token's last tile of grad_partial_block
// will be written, which nobody reads before; where that tile is too short for them, c and s are rounded to one float,
// and s is where rows have many float32 elements. Of a token that cores share, which is a core's only one, all of that
// stays in UB.
// ../…_split_tiles.h brings the tiles; …_full_h.h is the kernel for rows that fit.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_SPLIT_H_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_SPLIT_H_H

#include "../block_attention_residuals_grad_split_tiles.h"
#include "block_attention_residuals_grad_weight_gradient.h"

namespace BlockAttentionResidualsGradArch22
{

template <typename T>
class SplitH : private WeightGradientBase<T>
{
public:
    __aicore__ inline void Init(const GradArguments& arguments, const BlockAttentionResidualsGradTilingData& tiling,
                                AscendC::TPipe* pipe)
    {
        tileElements_ = static_cast<uint32_t>(tiling.hiddenTileSize);
        mostTiles_ = static_cast<uint32_t>(tiling.segmentTiles);
        const uint32_t pitchBytes = AlignUp(tileElements_ * sizeof(T), BLOCK_BYTES);
        const uint32_t ringBuffers = static_cast<uint32_t>(tiling.streamBuffers);
        this->InitBase(arguments, tiling, pipe, tileElements_, SCORE_BUFFERS, SCORE_LOW_PARTS);
        const uint64_t scores = tiling.batchSize * this->tensors_.rows;
        cGlobal_.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(arguments.workspace + tiling.gradScoresWkspOff),
                                 scores);
        sGlobal_.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(arguments.workspace + tiling.varianceScaleWkspOff),
                                 scores);
        for (uint32_t set = 0; set < SCORE_SETS; ++set) {
            scoresBuffer_[set].Init(pipe, this->scores_[set * SCORES_PER_SET]);
        }
        copy_.Init(pipe, &this->tensors_, tileElements_, this->template NewBuffer<T>(ringBuffers * pitchBytes),
                   ringBuffers, pitchBytes);
        tiles_ = copy_.Tiles();
        keepLowParts_ = copy_.TileElements(tiles_ - 1) >= LOW_PARTS_PER_SET * LowPartElements();
    }

    __aicore__ inline void Process()
    {
        copy_.BeginPhase(SplitPhase::SCORES);
        for (uint64_t token = this->tensors_.tokenBegin; token < this->tensors_.tokenEnd; ++token) {
            ScoreToken(token);
        }
        Order<AscendC::HardEvent::MTE3_MTE2>(this->pipe_);  // the scores just stored are loaded again
        if (!this->tensors_.IsShared()) {
            ClearLostLowParts();
        }
        copy_.BeginPhase(SplitPhase::GRADIENTS);
        for (uint32_t tile = 0; tile < tiles_; ++tile) {
            GradientTile(tile);
        }
        copy_.MeetForMissingTiles(mostTiles_);
        for (uint32_t set = 0; set < SCORE_SETS; ++set) {
            scoresBuffer_[set].Drain();
        }
        copy_.Drain();
    }

private:
    using SplitPhase = BlockAttentionResidualsGradShared::SplitPhase;
    static constexpr uint32_t SCORE_BUFFERS = 6;
    static constexpr uint32_t SCORE_SETS = 2;  // gradients: the scores of one token are copied while another's are used
    static constexpr uint32_t SCORES_PER_SET = SCORE_BUFFERS / SCORE_SETS;
    static constexpr uint32_t LOW_PARTS_PER_SET = 2;
    static constexpr uint32_t SCORE_LOW_PARTS = LOW_PARTS_PER_SET * SCORE_SETS;

    // ---- scores --------------------------------------------------------------------------------------------------

    __aicore__ inline void ScoreToken(uint64_t token)
    {
        const uint32_t rows = this->tensors_.rows;
        const TwoFloatVector g = {this->scores_[0], this->scoreLow_[0]};
        const TwoFloatVector d = {this->scores_[1], this->scoreLow_[1]};
        const FloatVector probs = this->scores_[3];
        const FloatVector invNorm = this->scores_[4];
        CopyBuffer<float>& buffer = scoresBuffer_[1];
        buffer.BeginLoad();
        CopyRowIn(probs, this->tensors_.probs[token * rows], rows);
        CopyRowIn(invNorm, this->tensors_.invNorm[token * rows], rows);
        buffer.EndLoad();
        this->ClearScores(g);
        this->ClearScores(d);
        buffer.AwaitLoad();
        for (uint32_t tile = 0; tile < tiles_; ++tile) {
            AddTileDots(g, d, invNorm, copy_.TileElements(tile));
        }
        if (this->tensors_.IsShared()) {
            this->AddShares(g, d, this->gradHidden_);
        }
        FinishScores(g, d, probs, invNorm, this->tensors_.hidden, this->scalars_, this->work_, this->TokenLayout());
        const float termSize = this->WeightTermSize(g.high, invNorm, this->TokenLayout());
        largestTermSize_ = termSize > largestTermSize_ ? termSize : largestTermSize_;
        buffer.ReleaseByVector();
        if (this->tensors_.IsShared()) {
            UseScores(probs, g, d);
        } else {
            StoreScores(token, g, d);
        }
    }

    // Adds a tile's part of g and d of all rows.
    __aicore__ inline void AddTileDots(const TwoFloatVector& g, const TwoFloatVector& d, const FloatVector& invNorm,
                                       uint32_t count)
    {
        const TwoFloatVector gTile = {this->scores_[2], this->scoreLow_[2]};
        const TwoFloatVector dTile = {this->scores_[5], this->scoreLow_[3]};
        TakeScoreWeight(count);
        TakeGradHidden(count);
        this->SetDotBiases(gTile.high, this->SquareSum(this->gradHidden_, count), invNorm, this->tensors_.rows);
        this->SetDotBiases(dTile.high, this->SquareSum(this->scoreWeight_.head, count), invNorm, this->tensors_.rows);
        for (uint32_t row = 0; row < this->tensors_.rows; ++row) {
            this->RowDots(gTile, dTile, row, copy_.Await(), count);
            copy_.Release();
        }
        this->AddScores(g, gTile);
        this->AddScores(d, dTile);
    }

    __aicore__ inline void StoreScores(uint64_t token, const TwoFloatVector& c, const TwoFloatVector& s)
    {
        const uint32_t rows = this->tensors_.rows;
        Order<AscendC::HardEvent::V_MTE3>(this->pipe_);
        CopyRowOut(cGlobal_[token * rows], c.high, rows);
        CopyRowOut(sGlobal_[token * rows], s.high, rows);
        if (keepLowParts_) {
            CopyRowOut(LowPartsGlobal(token, 0), c.low.template ReinterpretCast<T>(), LowPartElements());
            if (!this->HasManyElements()) {
                CopyRowOut(LowPartsGlobal(token, 1), s.low.template ReinterpretCast<T>(), LowPartElements());
            }
        }
        Order<AscendC::HardEvent::MTE3_V>(this->pipe_);
    }

    __aicore__ inline void ClearLostLowParts()
    {
        for (uint32_t i = 0; i < SCORE_LOW_PARTS; ++i) {
            if (!keepLowParts_ || (i % LOW_PARTS_PER_SET == 1 && this->HasManyElements())) {
                AscendC::Duplicate(this->scoreLow_[i], 0.0f, this->tensors_.rows);
            }
        }
    }

    // Elements of the main dtype that take as much room as N1 floats.
    __aicore__ inline uint32_t LowPartElements() const
    {
        return this->tensors_.rows * (sizeof(float) / sizeof(T));
    }

    // Where the low parts of a token's c (0) and s (1) wait.
    __aicore__ inline AscendC::GlobalTensor<T> LowPartsGlobal(uint64_t token, uint32_t which) const
    {
        const uint64_t offset = static_cast<uint64_t>(tiles_ - 1) * tileElements_ + which * LowPartElements();
        return this->tensors_.GradRow(token, this->tensors_.blocks, offset);
    }

    // ---- gradients -----------------------------------------------------------------------------------------------

    __aicore__ inline void GradientTile(uint32_t tile)
    {
        const uint32_t count = copy_.TileElements(tile);
        const uint64_t offset = static_cast<uint64_t>(tile) * tileElements_;
        TakeScoreWeight(count);
        this->StartWeightSum(largestTermSize_, count);
        LoadScores(this->tensors_.tokenBegin);
        for (uint64_t token = this->tensors_.tokenBegin; token < this->tensors_.tokenEnd; ++token) {
            if (token + 1 < this->tensors_.tokenEnd) {
                LoadScores(token + 1);
            }
            TakeGradHidden(count);
            AwaitScores(token);
            for (uint32_t row = 0; row < this->tensors_.rows; ++row) {
                this->RowGradients(copy_.Await(), 0, row, 1, count);
                copy_.Store(this->tensors_.GradRow(token, row, offset), count);
            }
            ReleaseScores(token);
        }
        this->ReduceWeightGradients(offset, count);
    }

    __aicore__ inline void LoadScores(uint64_t token)
    {
        if (this->tensors_.IsShared()) {
            return;
        }
        const uint32_t rows = this->tensors_.rows;
        const FloatVector* const scores = &this->scores_[token % SCORE_SETS * SCORES_PER_SET];
        const FloatVector* const low = &this->scoreLow_[token % SCORE_SETS * LOW_PARTS_PER_SET];
        CopyBuffer<float>& buffer = scoresBuffer_[token % SCORE_SETS];
        buffer.BeginLoad();
        CopyRowIn(scores[0], this->tensors_.probs[token * rows], rows);
        CopyRowIn(scores[1], cGlobal_[token * rows], rows);
        CopyRowIn(scores[2], sGlobal_[token * rows], rows);
        if (keepLowParts_) {
            CopyRowIn(low[0].template ReinterpretCast<T>(), LowPartsGlobal(token, 0), LowPartElements());
            if (!this->HasManyElements()) {
                CopyRowIn(low[1].template ReinterpretCast<T>(), LowPartsGlobal(token, 1), LowPartElements());
            }
        }
        buffer.EndLoad();
    }

    __aicore__ inline void AwaitScores(uint64_t token)
    {
        if (this->tensors_.IsShared()) {
            return;
        }
        const FloatVector* const scores = &this->scores_[token % SCORE_SETS * SCORES_PER_SET];
        const FloatVector* const low = &this->scoreLow_[token % SCORE_SETS * LOW_PARTS_PER_SET];
        scoresBuffer_[token % SCORE_SETS].AwaitLoad();
        UseScores(scores[0], {scores[1], low[0]}, {scores[2], low[1]});
    }

    // What the gradients of the token's rows are made of.
    __aicore__ inline void UseScores(const FloatVector& probs, const TwoFloatVector& c, const TwoFloatVector& s)
    {
        this->probs_ = probs;
        this->scaledScores_ = c;
        this->varianceScales_ = s;
    }

    __aicore__ inline void ReleaseScores(uint64_t token)
    {
        if (!this->tensors_.IsShared()) {
            scoresBuffer_[token % SCORE_SETS].ReleaseByVector();
        }
    }

    // ---- copies --------------------------------------------------------------------------------------------------

    __aicore__ inline void TakeScoreWeight(uint32_t count)
    {
        this->Widen(this->scoreWeight_.head, copy_.Await(), count);
        copy_.Release();
        this->Widen(this->scoreWeight_.tail, copy_.Await(), count);
        copy_.Release();
        this->MakeScoreWeight(count);
    }

    __aicore__ inline void TakeGradHidden(uint32_t count)
    {
        this->Widen(this->gradHidden_, copy_.Await(), count);
        copy_.Release();
    }

    AscendC::GlobalTensor<float> cGlobal_;
    AscendC::GlobalTensor<float> sGlobal_;
    bool keepLowParts_;
    float largestTermSize_ = 0;
    uint32_t tiles_;
    uint32_t mostTiles_;  // that any core's segment has
    uint32_t tileElements_;
    CopyBuffer<float> scoresBuffer_[SCORE_SETS];
    BlockAttentionResidualsGradShared::SplitTiles<T> copy_;
};

}  // namespace BlockAttentionResidualsGradArch22

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_SPLIT_H_H
