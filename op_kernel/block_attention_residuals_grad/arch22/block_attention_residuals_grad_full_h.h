// FULL_H: a whole row of H elements fits in UB, so a token is finished before the next one begins. Per token: one pass
// over V for g and d of all rows, the [N1] scores, one pass for the gradients. ../…_full_rows.h brings the rows and
// takes the gradients away; …_split_h.h is the kernel for longer rows.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_FULL_H_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_FULL_H_H

#include "../block_attention_residuals_grad_full_rows.h"
#include "block_attention_residuals_grad_weight_gradient.h"

namespace BlockAttentionResidualsGradArch22
{

template <typename T>
class FullH : private WeightGradientBase<T>, private BlockAttentionResidualsGradShared::FullRows<T, FullH<T>>
{
public:
    __aicore__ inline void Init(const GradArguments& arguments, const BlockAttentionResidualsGradTilingData& tiling,
                                AscendC::TPipe* pipe)
    {
        const uint32_t elements = static_cast<uint32_t>(tiling.segmentElements);
        const uint32_t width = elements < VECTOR_LANES ? VECTOR_LANES : elements;
        const uint32_t pitchBytes = AlignUp(width * sizeof(T), BLOCK_BYTES);
        const uint32_t ringBuffers = static_cast<uint32_t>(tiling.streamBuffers);
        const uint32_t residentRows = static_cast<uint32_t>(tiling.residentRows);
        this->InitBase(arguments, tiling, pipe, width, SCORE_BUFFERS, SCORE_LOW_PARTS);
        this->probs_ = this->scores_[0];
        invNorm_ = this->scores_[1];
        this->scaledScores_ = {this->scores_[2], this->scoreLow_[0]};
        this->varianceScales_ = {this->scores_[3], this->scoreLow_[1]};
        scoresBuffer_.Init(pipe, this->probs_);
        if (this->tensors_.IsShared()) {
            sharedScores_ = this->template NewBuffer<float>(this->SharedScoreBytes());
        }
        const AscendC::LocalTensor<T> ring = this->template NewBuffer<T>(ringBuffers * pitchBytes);
        AscendC::LocalTensor<T> resident;
        if (residentRows > 0) {
            resident = this->template NewBuffer<T>(residentRows * pitchBytes);
        }
        // Its copy buffer is free for a whole token where no rows are streamed.
        keepsGradHidden_ = Base::IS_FLOAT && residentRows >= this->tensors_.ownRows;
        Rows::InitRows(pipe, &this->tensors_, resident, residentRows, ring, ringBuffers, pitchBytes);
    }

    __aicore__ inline void Process()
    {
        LoadWeight(this->scoreWeight_.head, this->tensors_.normWeight);
        LoadWeight(this->scoreWeight_.tail, this->tensors_.projWeight);
        this->MakeScoreWeight(this->tensors_.width);
        weightSquares_ = this->SquareSum(this->scoreWeight_.head, this->tensors_.width);
        this->StartWeightSum(0, this->tensors_.width);
        Rows::StartRows();
        for (uint64_t token = this->tensors_.tokenBegin; token < this->tensors_.tokenEnd; ++token) {
            ProcessToken(token);
        }
        scoresBuffer_.Drain();
        Rows::DrainRows();
        Rows::DrainRing();
        this->ReduceWeightGradients(0, this->tensors_.width);
    }

private:
    using Base = WeightGradientBase<T>;
    using Rows = BlockAttentionResidualsGradShared::FullRows<T, FullH<T>>;
    friend Rows;
    static constexpr uint32_t SCORE_BUFFERS = 4;
    static constexpr uint32_t SCORE_LOW_PARTS = 2;

    __aicore__ inline void LoadWeight(const FloatVector& dst, const AscendC::GlobalTensor<T>& weight)
    {
        CopyBuffer<T>& buffer = Rows::SpareBuffer();
        buffer.BeginLoad();
        CopyRowIn(buffer.Local(), weight, this->tensors_.width);
        buffer.EndLoad();
        buffer.AwaitLoad();
        this->Widen(dst, buffer.Local(), this->tensors_.width);
        buffer.ReleaseByVector();
    }

    __aicore__ inline void ProcessToken(uint64_t token)
    {
        const uint32_t rows = this->tensors_.rows;
        const uint32_t width = this->tensors_.width;
        const ScoreLayout layout = this->TokenLayout();
        scoresBuffer_.BeginLoad();
        CopyRowIn(this->probs_, this->tensors_.probs[token * rows], rows);
        CopyRowIn(invNorm_, this->tensors_.invNorm[token * rows], rows);
        scoresBuffer_.EndLoad();
        const float gradHiddenSquares = TakeGradHidden();
        scoresBuffer_.AwaitLoad();
        this->SetDotBiases(this->scaledScores_.high, gradHiddenSquares, invNorm_, rows);
        this->SetDotBiases(this->varianceScales_.high, weightSquares_, invNorm_, rows);
        Rows::DotPass();
        if (this->tensors_.IsShared()) {
            this->AddShares(this->scaledScores_, this->varianceScales_, sharedScores_);
        }
        FinishScores(this->scaledScores_, this->varianceScales_, this->probs_, invNorm_, this->tensors_.hidden,
                     this->scalars_, this->work_, layout);
        this->RaiseWeightBias(this->WeightTermSize(this->scaledScores_.high, invNorm_, layout), width);
        Rows::GradientPass(token);
        if (keepsGradHidden_) {
            Rows::ReleaseGradHidden();
        }
        scoresBuffer_.ReleaseByVector();
    }

    // grad_hidden of the next token, as the passes over its rows read it. The sum of its squares.
    __aicore__ inline float TakeGradHidden()
    {
        const uint32_t width = this->tensors_.width;
        const AscendC::LocalTensor<T>& row = Rows::AwaitGradHidden();
        if constexpr (Base::IS_FLOAT) {
            if (keepsGradHidden_) {
                const float squares = this->SquareSum(row, width);
                this->SplitGradHidden(row, width);
                return squares;
            }
        }
        this->Widen(this->gradHidden_, row, width);
        Rows::ReleaseGradHidden();
        return this->SquareSum(this->gradHidden_, width);
    }

    __aicore__ inline void Dots(const AscendC::LocalTensor<T>& row, uint32_t first, uint32_t count)
    {
        for (uint32_t i = 0; i < count; ++i) {
            this->RowDots(this->scaledScores_, this->varianceScales_, first + i, row[i * Rows::PitchElements()],
                          this->tensors_.width);
        }
    }

    __aicore__ inline void Gradients(const AscendC::LocalTensor<T>& row, uint32_t first, uint32_t count)
    {
        this->RowGradients(row, Rows::PitchElements(), first, count, this->tensors_.width);
    }

    FloatVector invNorm_;
    float weightSquares_;
    bool keepsGradHidden_;
    FloatVector sharedScores_;
    CopyBuffer<float> scoresBuffer_;
};

}  // namespace BlockAttentionResidualsGradArch22

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_FULL_H_H
