// FULL_H of arch35: a whole row of H elements fits in UB, so a token is finished before the next one begins. Per token:
// one pass over V for g and d of all rows, the [N1] scores, one pass for the gradients. ../…_full_rows.h brings the
// rows and takes the gradients away; …_split_h.h is the kernel for longer rows.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_FULL_H_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_FULL_H_H

#include "../block_attention_residuals_grad_full_rows.h"
#include "block_attention_residuals_grad_base.h"

namespace BlockAttentionResidualsGradArch35
{

template <typename T>
class FullH : private GradBase<T>, private BlockAttentionResidualsGradShared::FullRows<T, FullH<T>>
{
public:
    __aicore__ inline void Init(const GradArguments& arguments, const BlockAttentionResidualsGradTilingData& tiling,
                                AscendC::TPipe* pipe)
    {
        const uint32_t width = static_cast<uint32_t>(tiling.segmentElements);
        const uint32_t pitchBytes = AlignUp(width, COPY_ALIGNMENT) * sizeof(T);
        const uint32_t copyBuffers = MODEL_COPY_BUFFERS + static_cast<uint32_t>(tiling.extraRowBuffers);
        this->InitBase(arguments, tiling, pipe, width, copyBuffers * pitchBytes, FreeFloatRows(tiling));
        InitScores();
        // The ring is at the end, away from the scratch row.
        const uint32_t ringBuffers = static_cast<uint32_t>(tiling.streamBuffers);
        const uint32_t ringBegin = this->copies_.GetSize() - ringBuffers * (pitchBytes / sizeof(T));
        const AscendC::LocalTensor<T> ring = this->copies_[ringBegin];
        const uint32_t ringFloats = ringBuffers * pitchBytes / sizeof(float);
        const uint32_t floats = this->behindScratch_.GetSize();
        this->behindScratch_.SetSize(floats > ringFloats ? floats - ringFloats : 0);
        Rows::InitRows(pipe, &this->tensors_, this->copies_, static_cast<uint32_t>(tiling.residentRows), ring,
                       ringBuffers, pitchBytes);
    }

    __aicore__ inline void Process()
    {
        this->LoadScoreWeight(Rows::SpareBuffer());
        Rows::StartRows();
        for (uint64_t token = this->tensors_.tokenBegin; token < this->tensors_.tokenEnd; ++token) {
            ProcessToken(token);
        }
        Rows::DrainRows();
        scores_.Drain();
        this->ReduceWeightGradients(Rows::SpareBuffer(), this->behindScratch_, 0, this->tensors_.width);
        Rows::DrainRing();
    }

private:
    using Rows = BlockAttentionResidualsGradShared::FullRows<T, FullH<T>>;
    friend Rows;
    static constexpr uint32_t COPY_ALIGNMENT = 16;  // elements

    // Rows of the model that nobody needs while tokens are worked on, and that hold value rows then: the low part of
    // the score weight where the main dtype has 2 bytes, and the scratch row where it has no low parts of scores.
    __aicore__ inline static uint32_t FreeFloatRows(const BlockAttentionResidualsGradTilingData& tiling)
    {
        return (sizeof(T) == sizeof(float) ? 0 : 1) + (tiling.scoreLowParts == SCORE_LOW_PARTS_IN_SCRATCH ? 0 : 1);
    }

    __aicore__ inline void InitScores()
    {
        probs_ = this->template NewBuffer<float>(this->scoreBytes_);
        invNorm_ = this->template NewBuffer<float>(this->scoreBytes_);
        c_ = this->NewScorePair();
        s_ = this->NewScorePair();
        if (this->lowParts_ == SCORE_LOW_PARTS_IN_SCRATCH) {
            this->PlaceLowParts(c_, s_, this->scratch_);
        } else if (this->lowParts_ == SCORE_LOW_PARTS_OWN) {
            this->PlaceLowParts(c_, s_, this->template NewBuffer<float>(2 * this->scoreBytes_));
        }
        scores_.Init(this->pipe_, probs_);
        if (this->tensors_.IsShared()) {
            sharedScores_ = this->template NewBuffer<float>(this->SharedScoreBytes());
        }
    }

    __aicore__ inline void ProcessToken(uint64_t token)
    {
        const uint32_t rows = this->tensors_.rows;
        scores_.BeginLoad();
        CopyRowIn(probs_, this->tensors_.probs[token * rows], rows);
        CopyRowIn(invNorm_, this->tensors_.invNorm[token * rows], rows);
        scores_.EndLoad();
        this->MakeGradHidden(Rows::AwaitGradHidden(), this->tensors_.width);
        Rows::ReleaseGradHidden();
        scores_.AwaitLoad();
        this->MakeRowSumBiases(c_.high, s_.high, invNorm_);
        Rows::DotPass();
        if (this->tensors_.IsShared()) {
            this->AddShares(c_, s_, sharedScores_);
        }
        if (this->lowStride_ == 0) {
            this->FinishScores(c_, s_, probs_, invNorm_, 0);
            this->ClearDump();
        } else {
            this->FinishScores(c_, s_, probs_, invNorm_, rows);
        }
        if (token == this->tensors_.tokenBegin) {
            this->ForgetWeightTerms();
            this->NoteWeightTerms(c_.high, invNorm_);
            this->StartWeightSum(this->tensors_.width);
        }
        Rows::GradientPass(token);
        scores_.ReleaseByVector();
    }

    __aicore__ inline void Dots(const AscendC::LocalTensor<T>& row, uint32_t first, uint32_t count)
    {
        this->RowDots(Advance(c_, first), Advance(s_, first), row, Rows::PitchElements(), count);
    }

    __aicore__ inline void Gradients(const AscendC::LocalTensor<T>& row, uint32_t first, uint32_t count)
    {
        this->RowGradients(row, Rows::PitchElements(), probs_[first], Advance(c_, first), this->lowStride_,
                           Advance(s_, first), this->lowStride_, count, this->tensors_.width);
    }

    __aicore__ inline ScorePair Advance(const ScorePair& pair, uint32_t first) const
    {
        return {pair.high[first], pair.low[first * this->lowStride_]};
    }

    AscendC::LocalTensor<float> probs_;
    AscendC::LocalTensor<float> invNorm_;
    ScorePair c_;  // g until FinishScores
    ScorePair s_;  // d until FinishScores
    CopyBuffer<float> scores_;
    AscendC::LocalTensor<float> sharedScores_;
};

}  // namespace BlockAttentionResidualsGradArch35

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_FULL_H_H
