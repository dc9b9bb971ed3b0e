// SPLIT_H of arch35: a row, or a core's segment of it, does not fit in UB and is cut into tiles. Each core walks its
// tokens twice:
//   scores     token by token, tile by tile: g and d of all rows in two floats; then c = gs*inv_norm and the variance
//              scale s of the token go to the workspace, [T,N1] each
//   gradients  tile by tile, token by token: gradV of the tile, while the tile of the weight gradient stays in UB;
//              after each tile the cores add up their sums of it
// The workspace has one float for c. Its low part waits where the token's last tile of grad_partial_block will be
// written, which nobody reads before; where that tile is too short for it, c is rounded to one float. s is always one
// float: its term is about 1/sqrt(H) of c's, and H is large here. Of a token that cores share, which is a core's only
// one, all of that stays in UB. ../…_split_tiles.h brings the tiles; …_full_h.h is
// the kernel for rows that fit.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_SPLIT_H_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_SPLIT_H_H

#include "../block_attention_residuals_grad_split_tiles.h"
#include "block_attention_residuals_grad_base.h"

namespace BlockAttentionResidualsGradArch35
{

template <typename T>
class SplitH : private GradBase<T>
{
public:
    __aicore__ inline void Init(const GradArguments& arguments, const BlockAttentionResidualsGradTilingData& tiling,
                                AscendC::TPipe* pipe)
    {
        const uint32_t tile = static_cast<uint32_t>(tiling.hiddenTileSize);
        const uint32_t pitchBytes = AlignUp(tile * sizeof(T), REGISTER_BYTES);
        this->InitBase(arguments, tiling, pipe, tile, MODEL_COPY_BUFFERS * pitchBytes, 0);
        mostTiles_ = static_cast<uint32_t>(tiling.segmentTiles);
        tileElements_ = tile;
        lowScores_ = this->template NewBuffer<float>(AlignUp(tile * sizeof(float), REGISTER_BYTES));
        for (uint32_t i = 0; i < SCORE_BUFFERS; ++i) {
            scores_[i] = this->template NewBuffer<float>(this->scoreBytes_);
        }
        own_ = {scores_[3], {scores_[0], scores_[1]}, {scores_[2], scores_[4]}, 1, 1};
        copy_.Init(pipe, &this->tensors_, tile, this->copies_, RING_BUFFERS, pitchBytes);
        tiles_ = copy_.Tiles();
        InitScoreAreas(arguments, tiling);
        for (uint32_t set = 0; set < SCORE_SETS; ++set) {
            scoresBuffer_[set].Init(pipe, scores_[set * SCORES_PER_SET]);
        }
        spare_.Init(pipe, this->copies_[RING_BUFFERS * (pitchBytes / sizeof(T))]);
    }

    __aicore__ inline void Process()
    {
        copy_.BeginPhase(SplitPhase::SCORES);
        this->ForgetWeightTerms();
        for (uint64_t token = this->tensors_.tokenBegin; token < this->tensors_.tokenEnd; ++token) {
            ScoreToken(token);
        }
        Order<AscendC::HardEvent::MTE3_MTE2>(this->pipe_);  // the scores just stored are loaded again
        copy_.BeginPhase(SplitPhase::GRADIENTS);
        for (uint32_t tile = 0; tile < tiles_; ++tile) {
            GradientTile(tile);
        }
        copy_.MeetForMissingTiles(mostTiles_);
        for (uint32_t set = 0; set < SCORE_SETS; ++set) {
            scoresBuffer_[set].Drain();
        }
        copy_.Drain();
        spare_.Drain();
    }

private:
    using SplitPhase = BlockAttentionResidualsGradShared::SplitPhase;
    // Three of the model's copy buffers in the ring and one for the weights at the end of a tile: with the scores' and
    // a partial's that makes 7 of the 8 events of a pair of pipes.
    static constexpr uint32_t RING_BUFFERS = 3;
    static constexpr uint32_t SCORE_BUFFERS = 6;
    static constexpr uint32_t SCORE_SETS = 2;  // gradients: the scores of one token are copied while another's are used
    static constexpr uint32_t SCORES_PER_SET = SCORE_BUFFERS / SCORE_SETS;

    // What the gradients of a token's rows are made of. A stride of 0: all low parts are the one 0 of Dump().
    struct TokenScores {
        AscendC::LocalTensor<float> probs;
        ScorePair c;  // g until FinishScores
        ScorePair s;  // d until FinishScores
        uint32_t cLowStride;
        uint32_t sLowStride;
    };

    __aicore__ inline void InitScoreAreas(const GradArguments& arguments,
                                          const BlockAttentionResidualsGradTilingData& tiling)
    {
        const uint64_t scores = tiling.batchSize * this->tensors_.rows;
        cGlobal_.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(arguments.workspace + tiling.gradScoresWkspOff),
                                 scores);
        sGlobal_.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(arguments.workspace + tiling.varianceScaleWkspOff),
                                 scores);
        gradPartialBlock_ = arguments.gradPartialBlock;
        lastTileBegin_ = static_cast<uint64_t>(tiles_ - 1) * tileElements_;
        const uint64_t lastTileBytes = copy_.TileElements(tiles_ - 1) * sizeof(T);
        keepLow_ = lastTileBytes >= this->tensors_.rows * sizeof(float) &&
                   tileElements_ * sizeof(float) >= SCORE_SETS * this->scoreBytes_;
    }

    // ---- scores --------------------------------------------------------------------------------------------------

    __aicore__ inline void ScoreToken(uint64_t token)
    {
        const uint32_t rows = this->tensors_.rows;
        const uint16_t steps = RowSteps(rows).All();
        const ScorePair& g = own_.c;
        const ScorePair& d = own_.s;
        const AscendC::LocalTensor<float>& probs = own_.probs;
        const AscendC::LocalTensor<float>& invNorm = scores_[5];
        for (const auto* sum : {&g.high, &g.low, &d.high, &d.low}) {
            asc_vf_call<ClearVf>(Address(*sum), steps);
        }
        CopyBuffer<float>& buffer = scoresBuffer_[1];
        buffer.BeginLoad();
        CopyRowIn(probs, this->tensors_.probs[token * rows], rows);
        CopyRowIn(invNorm, this->tensors_.invNorm[token * rows], rows);
        buffer.EndLoad();
        buffer.AwaitLoad();
        for (uint32_t tile = 0; tile < tiles_; ++tile) {
            const uint32_t count = copy_.TileElements(tile);
            TakeScoreWeight(count);
            this->MakeGradHidden(copy_.Await(), count);
            copy_.Release();
            for (uint32_t row = 0; row < rows; ++row) {
                this->AddTileDots({g.high[row], g.low[row]}, {d.high[row], d.low[row]}, invNorm[row], copy_.Await(),
                                  count);
                copy_.Release();
            }
        }
        if (this->tensors_.IsShared()) {
            this->AddShares(g, d, this->gradHidden_);
        }
        this->FinishScores(g, d, probs, invNorm, rows);
        this->NoteWeightTerms(g.high, invNorm);
        buffer.ReleaseByVector();
        if (!this->tensors_.IsShared()) {
            StoreScores(token, g, d.high);
        }
    }

    __aicore__ inline void StoreScores(uint64_t token, const ScorePair& c, const AscendC::LocalTensor<float>& s)
    {
        const uint32_t rows = this->tensors_.rows;
        Order<AscendC::HardEvent::V_MTE3>(this->pipe_);
        CopyRowOut(cGlobal_[token * rows], c.high, rows);
        CopyRowOut(sGlobal_[token * rows], s, rows);
        if (keepLow_) {
            CopyRowOut(LowScores(token), c.low, rows);
        }
        Order<AscendC::HardEvent::MTE3_V>(this->pipe_);
    }

    // Where the low parts of a token's c wait.
    __aicore__ inline AscendC::GlobalTensor<float> LowScores(uint64_t token) const
    {
        const uint64_t element = token * this->tensors_.hidden + lastTileBegin_;
        AscendC::GlobalTensor<float> low;
        low.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(gradPartialBlock_ + element * sizeof(T)),
                            this->tensors_.rows);
        return low;
    }

    // ---- gradients -----------------------------------------------------------------------------------------------

    __aicore__ inline void GradientTile(uint32_t tile)
    {
        const uint32_t count = copy_.TileElements(tile);
        const uint64_t offset = static_cast<uint64_t>(tile) * tileElements_;
        TakeScoreWeight(count);
        this->StartWeightSum(count);
        this->ClearDump();
        LoadScores(this->tensors_.tokenBegin);
        for (uint64_t token = this->tensors_.tokenBegin; token < this->tensors_.tokenEnd; ++token) {
            if (token + 1 < this->tensors_.tokenEnd) {
                LoadScores(token + 1);
            }
            this->MakeGradHidden(copy_.Await(), count);
            copy_.Release();
            GradientsOfToken(token, offset, count);
        }
        this->ReduceWeightGradients(spare_, this->gradHidden_, offset, count);
    }

    __aicore__ inline void LoadScores(uint64_t token)
    {
        if (this->tensors_.IsShared()) {
            return;
        }
        const uint32_t rows = this->tensors_.rows;
        const uint32_t set = token % SCORE_SETS;
        const AscendC::LocalTensor<float>* const scores = &scores_[set * SCORES_PER_SET];
        CopyBuffer<float>& buffer = scoresBuffer_[set];
        buffer.BeginLoad();
        CopyRowIn(scores[0], this->tensors_.probs[token * rows], rows);
        CopyRowIn(scores[1], cGlobal_[token * rows], rows);
        CopyRowIn(scores[2], sGlobal_[token * rows], rows);
        if (keepLow_) {
            CopyRowIn(LowSet(set), LowScores(token), rows);
        }
        buffer.EndLoad();
    }

    __aicore__ inline AscendC::LocalTensor<float> LowSet(uint32_t set) const
    {
        return lowScores_[set * (this->scoreBytes_ / sizeof(float))];
    }

    __aicore__ inline TokenScores AwaitScores(uint64_t token)
    {
        if (this->tensors_.IsShared()) {
            return own_;
        }
        const uint32_t set = token % SCORE_SETS;
        const AscendC::LocalTensor<float>* const scores = &scores_[set * SCORES_PER_SET];
        scoresBuffer_[set].AwaitLoad();
        return {scores[0],
                {scores[1], keepLow_ ? LowSet(set) : this->Dump()},
                {scores[2], this->Dump()},
                keepLow_ ? 1U : 0U,
                0};
    }

    __aicore__ inline void ReleaseScores(uint64_t token)
    {
        if (!this->tensors_.IsShared()) {
            scoresBuffer_[token % SCORE_SETS].ReleaseByVector();
        }
    }

    __aicore__ inline void GradientsOfToken(uint64_t token, uint64_t offset, uint32_t count)
    {
        const TokenScores scores = AwaitScores(token);
        for (uint32_t row = 0; row < this->tensors_.rows; ++row) {
            this->RowGradients(copy_.Await(), 0, scores.probs[row],
                               {scores.c.high[row], scores.c.low[row * scores.cLowStride]}, scores.cLowStride,
                               {scores.s.high[row], scores.s.low[row * scores.sLowStride]}, scores.sLowStride, 1,
                               count);
            copy_.Store(this->tensors_.GradRow(token, row, offset), count);
        }
        ReleaseScores(token);
    }

    __aicore__ inline void TakeScoreWeight(uint32_t count)
    {
        // Tiles are taken one at a time: the first of the two waits in the scratch row.
        AscendC::LocalTensor<T> norm = this->scratch_.template ReinterpretCast<T>();
        asc_vf_call<MoveVf<T>>(Address(norm), Address(copy_.Await()), RowSteps(count).All());
        copy_.Release();
        this->MakeScoreWeight(norm, copy_.Await(), count);
        copy_.Release();
    }

    AscendC::GlobalTensor<float> cGlobal_;
    AscendC::GlobalTensor<float> sGlobal_;
    GM_ADDR gradPartialBlock_;
    uint64_t lastTileBegin_;
    bool keepLow_;
    uint32_t tiles_;
    uint32_t mostTiles_;  // that any core's segment has
    uint32_t tileElements_;
    AscendC::LocalTensor<float> scores_[SCORE_BUFFERS];
    TokenScores own_;                        // of the token that ScoreToken works on
    AscendC::LocalTensor<float> lowScores_;  // two sets, in the model's buffer for workspace writes
    CopyBuffer<float> scoresBuffer_[SCORE_SETS];
    BlockAttentionResidualsGradShared::SplitTiles<T> copy_;
    CopyBuffer<T> spare_;
};

}  // namespace BlockAttentionResidualsGradArch35

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_SPLIT_H_H
