// SPLIT_H: a row does not fit in UB and is cut into hiddenTileNum tiles. Each core walks its tokens twice:
//   scores     token by token, tile by tile: g and d of all rows, summed over the tiles with compensation; then
//              c = gs*inv_norm and the variance scale s of the token go to the workspace, [T,N1] each
//   gradients  tile by tile, token by token: gradV of the tile, while the tile of the weight gradient stays in UB
// so V and grad_hidden are read twice and the weights once per token. Every copy goes through a ring of copy buffers
// and is started as many steps ahead as there are buffers. …_full_h.h is the kernel for rows that fit.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_SPLIT_H_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_SPLIT_H_H

#include "block_attention_residuals_grad_base.h"

namespace BlockAttentionResidualsGradArch22
{

template <typename T>
class SplitH : public GradBase<T>
{
public:
    __aicore__ inline void Init(const GradArguments& arguments, const BlockAttentionResidualsGradTilingData& tiling,
                                AscendC::TPipe* pipe)
    {
        this->InitBase(arguments, tiling, pipe, static_cast<uint32_t>(tiling.hiddenTileSize), SCORE_BUFFERS);
        tiles_ = static_cast<uint32_t>(tiling.hiddenTileNum);
        const uint64_t scores = tiling.batchSize * this->rows_;
        scaledScoresGlobal_.SetGlobalBuffer(
            reinterpret_cast<__gm__ float*>(arguments.workspace + tiling.gradScoresWkspOff), scores);
        varianceScalesGlobal_.SetGlobalBuffer(
            reinterpret_cast<__gm__ float*>(arguments.workspace + tiling.varianceScaleWkspOff), scores);
        for (uint32_t set = 0; set < SCORE_SETS; ++set) {
            scoresBuffer_[set].Init(pipe, this->scores_[set * SCORES_PER_SET]);
        }
    }

    __aicore__ inline void Process()
    {
        BeginPhase(Phase::SCORES);
        for (uint64_t token = this->tokenBegin_; token < this->tokenEnd_; ++token) {
            ScoreToken(token);
        }
        Order<AscendC::HardEvent::MTE3_MTE2>(this->pipe_);  // the scores just stored are loaded again
        BeginPhase(Phase::GRADIENTS);
        for (uint32_t tile = 0; tile < tiles_; ++tile) {
            GradientTile(tile);
        }
        for (uint32_t set = 0; set < SCORE_SETS; ++set) {
            scoresBuffer_[set].Drain();
        }
        this->ReduceWeightGradients();
        for (uint32_t i = 0; i < this->streamBuffers_; ++i) {
            this->stream_[i].Drain();
        }
    }

private:
    static constexpr uint32_t SCORE_BUFFERS = 6;
    static constexpr uint32_t SCORE_SETS = 2;  // gradients: the scores of one token are copied while another's are used
    static constexpr uint32_t SCORES_PER_SET = SCORE_BUFFERS / SCORE_SETS;

    enum class Phase : uint8_t { SCORES, GRADIENTS };
    // Steps of the copy sequence; GRAD_HIDDEN is followed by the rows 0 … N1-1.
    enum Step : uint32_t { NORM_WEIGHT = 0, PROJ_WEIGHT = 1, GRAD_HIDDEN = 2, FIRST_ROW = 3 };

    __aicore__ inline uint32_t TileElements(uint32_t tile) const
    {
        const uint32_t rest = this->hidden_ - tile * this->tile_;
        return rest < this->tile_ ? rest : this->tile_;
    }

    // ---- scores --------------------------------------------------------------------------------------------------

    __aicore__ inline void ScoreToken(uint64_t token)
    {
        const uint32_t rows = this->rows_;
        const AscendC::LocalTensor<float>& g = this->scores_[0];
        const AscendC::LocalTensor<float>& gCompensation = this->scores_[1];
        const AscendC::LocalTensor<float>& d = this->scores_[2];
        const AscendC::LocalTensor<float>& dCompensation = this->scores_[4];
        const AscendC::LocalTensor<float>& gTile = this->scores_[3];
        const AscendC::LocalTensor<float>& dTile = this->scores_[5];
        AscendC::Duplicate(g, 0.0f, rows);
        AscendC::Duplicate(gCompensation, 0.0f, rows);
        AscendC::Duplicate(d, 0.0f, rows);
        AscendC::Duplicate(dCompensation, 0.0f, rows);
        for (uint32_t tile = 0; tile < tiles_; ++tile) {
            const uint32_t count = TileElements(tile);
            TakeScoreWeight(count);
            TakeGradHidden(count);
            for (uint32_t row = 0; row < rows; ++row) {
                this->RowDots(gTile[row], dTile[row], AwaitStreamed().Local(), count);
                ReleaseStreamed();
            }
            AddScores(g, gCompensation, gTile);
            AddScores(d, dCompensation, dTile);
        }
        // The tile sums have done their work; probs and inv_norm take their place.
        CopyBuffer<float>& buffer = scoresBuffer_[1];
        this->probs_ = gTile;
        buffer.ReleaseByVector();
        buffer.BeginLoad();
        CopyRowIn(gTile, this->probsGlobal_[token * rows], rows);
        CopyRowIn(dTile, this->invNormGlobal_[token * rows], rows);
        buffer.EndLoad();
        buffer.AwaitLoad();
        this->FinishScores(g, d, dTile);
        Order<AscendC::HardEvent::V_MTE3>(this->pipe_);
        CopyRowOut(scaledScoresGlobal_[token * rows], g, rows);
        CopyRowOut(varianceScalesGlobal_[token * rows], d, rows);
        Order<AscendC::HardEvent::MTE3_V>(this->pipe_);
    }

    // sum += term over the [N1] scores, with Kahan's compensation. Destroys term.
    __aicore__ inline void AddScores(const AscendC::LocalTensor<float>& sum,
                                     const AscendC::LocalTensor<float>& compensation,
                                     const AscendC::LocalTensor<float>& term)
    {
        const uint32_t rows = this->rows_;
        AscendC::Sub(term, term, compensation, rows);
        AscendC::Add(this->scratch_, sum, term, rows);
        AscendC::Sub(compensation, this->scratch_, sum, rows);
        AscendC::Sub(compensation, compensation, term, rows);
        AscendC::Muls(sum, this->scratch_, 1.0f, rows);
    }

    // ---- gradients -----------------------------------------------------------------------------------------------

    __aicore__ inline void GradientTile(uint32_t tile)
    {
        const uint32_t count = TileElements(tile);
        const uint64_t offset = static_cast<uint64_t>(tile) * this->tile_;
        TakeScoreWeight(count);
        this->ClearWeightSum(count);
        LoadScores(this->tokenBegin_);
        for (uint64_t token = this->tokenBegin_; token < this->tokenEnd_; ++token) {
            if (token + 1 < this->tokenEnd_) {
                LoadScores(token + 1);
            }
            TakeGradHidden(count);
            UseScores(token);
            for (uint32_t row = 0; row < this->rows_; ++row) {
                CopyBuffer<T>& buffer = AwaitStreamed();
                this->RowGradient(buffer.Local(), row, count);
                buffer.BeginStore();
                CopyRowOut(GradRow(token, row, offset), buffer.Local(), count);
                buffer.EndStore();
                LoadNextStreamed();
            }
            scoresBuffer_[token % SCORE_SETS].ReleaseByVector();
        }
        this->StorePartial(offset, count);
    }

    __aicore__ inline void LoadScores(uint64_t token)
    {
        const uint32_t rows = this->rows_;
        const AscendC::LocalTensor<float>* const scores = &this->scores_[token % SCORE_SETS * SCORES_PER_SET];
        CopyBuffer<float>& buffer = scoresBuffer_[token % SCORE_SETS];
        buffer.BeginLoad();
        CopyRowIn(scores[0], this->probsGlobal_[token * rows], rows);
        CopyRowIn(scores[1], scaledScoresGlobal_[token * rows], rows);
        CopyRowIn(scores[2], varianceScalesGlobal_[token * rows], rows);
        buffer.EndLoad();
    }

    __aicore__ inline void UseScores(uint64_t token)
    {
        const AscendC::LocalTensor<float>* const scores = &this->scores_[token % SCORE_SETS * SCORES_PER_SET];
        scoresBuffer_[token % SCORE_SETS].AwaitLoad();
        this->probs_ = scores[0];
        this->scaledScores_ = scores[1];
        this->varianceScales_ = scores[2];
    }

    // ---- the copy sequence ---------------------------------------------------------------------------------------

    __aicore__ inline void TakeScoreWeight(uint32_t count)
    {
        this->Widen(this->scoreWeight_, AwaitStreamed().Local(), count);
        ReleaseStreamed();
        this->Widen(this->scratch_, AwaitStreamed().Local(), count);
        ReleaseStreamed();
        AscendC::Mul(this->scoreWeight_, this->scoreWeight_, this->scratch_, count);
    }

    __aicore__ inline void TakeGradHidden(uint32_t count)
    {
        this->Widen(this->gradHidden_, AwaitStreamed().Local(), count);
        ReleaseStreamed();
    }

    __aicore__ inline CopyBuffer<T>& AwaitStreamed()
    {
        this->stream_[slot_].AwaitLoad();
        return this->stream_[slot_];
    }

    __aicore__ inline void ReleaseStreamed()
    {
        this->stream_[slot_].ReleaseByVector();
        LoadNextStreamed();
    }

    __aicore__ inline void BeginPhase(Phase phase)
    {
        phase_ = phase;
        loadToken_ = this->tokenBegin_;
        loadTile_ = 0;
        loadStep_ = NORM_WEIGHT;
        slot_ = 0;
        for (uint32_t i = 0; i < this->streamBuffers_; ++i) {
            LoadNextStreamed();
        }
    }

    // Starts the next copy of the sequence into the buffer that has just been let go, and moves on to the buffer whose
    // copy is the oldest.
    __aicore__ inline void LoadNextStreamed()
    {
        if (loadToken_ < this->tokenEnd_ && loadTile_ < tiles_) {
            CopyBuffer<T>& buffer = this->stream_[slot_];
            buffer.BeginLoad();
            CopyRowIn(buffer.Local(), StreamedRow(), TileElements(loadTile_));
            buffer.EndLoad();
            AdvanceSequence();
        }
        slot_ = slot_ + 1 == this->streamBuffers_ ? 0 : slot_ + 1;
    }

    __aicore__ inline AscendC::GlobalTensor<T> StreamedRow() const
    {
        const uint64_t offset = static_cast<uint64_t>(loadTile_) * this->tile_;
        if (loadStep_ == NORM_WEIGHT) {
            return this->normWeight_[offset];
        }
        if (loadStep_ == PROJ_WEIGHT) {
            return this->projWeight_[offset];
        }
        const uint64_t tokenOffset = loadToken_ * this->hidden_ + offset;
        if (loadStep_ == GRAD_HIDDEN) {
            return this->gradHiddenStates_[tokenOffset];
        }
        const uint32_t row = loadStep_ - FIRST_ROW;
        return row < this->blocks_ ? this->blockRes_[(loadToken_ * this->blocks_ + row) * this->hidden_ + offset]
                                   : this->partialBlock_[tokenOffset];
    }

    __aicore__ inline void AdvanceSequence()
    {
        if (++loadStep_ < FIRST_ROW + this->rows_) {
            return;
        }
        if (phase_ == Phase::SCORES) {
            loadStep_ = NORM_WEIGHT;
            if (++loadTile_ == tiles_) {
                loadTile_ = 0;
                ++loadToken_;
            }
        } else {
            loadStep_ = GRAD_HIDDEN;
            if (++loadToken_ == this->tokenEnd_) {
                loadStep_ = NORM_WEIGHT;
                loadToken_ = this->tokenBegin_;
                ++loadTile_;
            }
        }
    }

    __aicore__ inline AscendC::GlobalTensor<T> GradRow(uint64_t token, uint32_t row, uint64_t offset) const
    {
        return row < this->blocks_ ? this->gradBlockRes_[(token * this->blocks_ + row) * this->hidden_ + offset]
                                   : this->gradPartialBlock_[token * this->hidden_ + offset];
    }

    AscendC::GlobalTensor<float> scaledScoresGlobal_;
    AscendC::GlobalTensor<float> varianceScalesGlobal_;
    CopyBuffer<float> scoresBuffer_[SCORE_SETS];
    uint32_t tiles_;
    Phase phase_;
    uint64_t loadToken_;
    uint32_t loadTile_;
    uint32_t loadStep_;
    uint32_t slot_;
};

}  // namespace BlockAttentionResidualsGradArch22

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_SPLIT_H_H
