// FULL_H with several tokens at a time, for rows so short that instructions on one of them would leave most lanes empty
// or take longer to start than to run: per batch one pass over V for g and d, the scores of all its tokens at once, one
// pass for the gradients. ../…_token_batches.h brings the rows and takes the gradients away, …_batch_rows.h has the
// arithmetic; …_full_h.h is the kernel for longer rows.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_FULL_H_BATCH_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_FULL_H_BATCH_H

#include "../block_attention_residuals_grad_token_batches.h"
#include "block_attention_residuals_grad_batch_rows.h"

namespace BlockAttentionResidualsGradArch22
{

template <typename T>
class FullHBatch : private BatchRowsBase<T>, private BlockAttentionResidualsGradShared::TokenBatches<T, FullHBatch<T>>
{
public:
    __aicore__ inline void Init(const GradArguments& arguments, const BlockAttentionResidualsGradTilingData& tiling,
                                AscendC::TPipe* pipe)
    {
        const uint32_t hidden = static_cast<uint32_t>(tiling.hiddenSize);
        const uint32_t rows = static_cast<uint32_t>(tiling.totalBlocks);
        const uint32_t rowLanes = AlignUp(hidden, VECTOR_LANES);
        batchTokens_ = static_cast<uint32_t>(tiling.batchTokens);
        this->InitBase(arguments, tiling, pipe, BATCH_WORK_LANES / rowLanes * rowLanes, SCORE_BUFFERS, SCORE_LOW_PARTS);
        this->probs_ = this->scores_[0];
        invNorm_ = this->scores_[1];
        this->scaledScores_ = {this->scores_[2], this->scoreLow_[0]};
        this->varianceScales_ = {this->scores_[3], this->scoreLow_[1]};
        scorePitch_ = ScorePitch(batchTokens_);
        const uint32_t scoreBytes = rows * scorePitch_ * sizeof(float);
        probsCopy_ = this->template NewBuffer<float>(scoreBytes);
        invNormCopy_ = this->template NewBuffer<float>(scoreBytes);
        byRows_ = this->template NewBuffer<int32_t>(scoreBytes);
        scoresBuffer_.Init(pipe, probsCopy_);
        weights_.Init(pipe, this->template NewBuffer<T>((hidden < VECTOR_LANES ? VECTOR_LANES : hidden) * sizeof(T)));
        const uint32_t valueRows = batchTokens_ * rows;
        const AscendC::LocalTensor<T> values = this->template NewBuffer<T>(valueRows * rowLanes * sizeof(T));
        const AscendC::LocalTensor<T> copies = this->template NewBuffer<T>(batchTokens_ * rowLanes * sizeof(T));
        const FloatVector gradHidden = this->template NewBuffer<float>(batchTokens_ * rowLanes * sizeof(float));
        FloatVector gradHiddenTail;
        if constexpr (Arithmetic::IS_FLOAT) {
            gradHiddenTail = this->template NewBuffer<float>(batchTokens_ * rowLanes * sizeof(float));
        }
        this->InitGroups(gradHidden, gradHiddenTail, scorePitch_);
        Batches::InitBatches(pipe, &this->tensors_, batchTokens_, values, copies, rowLanes * sizeof(T));
        FillGaps(values, valueRows * rowLanes);
        FillGaps(copies, batchTokens_ * rowLanes);
        FillGaps();
        SetOrderByRows();
    }

    __aicore__ inline void Process()
    {
        LoadWeight(this->scoreWeight_.head, this->tensors_.normWeight);
        LoadWeight(this->scoreWeight_.tail, this->tensors_.projWeight);
        this->MakeScoreWeight(this->tensors_.hidden);
        weightSquares_ = this->SquareSum(this->scoreWeight_.head, this->tensors_.hidden);
        this->RepeatScoreWeight();
        this->StartWeightSum(0, this->GroupLanes());
        Batches::StartBatches();
        for (uint64_t token = this->tensors_.tokenBegin; token < this->tensors_.tokenEnd; token += batchTokens_) {
            ProcessBatch(token);
        }
        scoresBuffer_.Drain();
        weights_.Drain();
        Batches::DrainBatches();
        this->FoldWeightSum();
        this->ReduceWeightGradients(0, this->tensors_.hidden);
    }

private:
    using Arithmetic = BatchRowsBase<T>;
    using Batches = BlockAttentionResidualsGradShared::TokenBatches<T, FullHBatch<T>>;
    using Chunk = BlockAttentionResidualsGradShared::TokenChunk<T>;
    friend Batches;
    static constexpr uint32_t SCORE_BUFFERS = 4;
    static constexpr uint32_t SCORE_LOW_PARTS = 2;

    // Instructions pass over whole repeats, copies fill H elements of a row and N1 scores of a token: what lies between
    // is given a value once.
    __aicore__ inline void FillGaps(const AscendC::LocalTensor<T>& rows, uint32_t elements)
    {
        const AscendC::LocalTensor<uint16_t> bits = rows.template ReinterpretCast<uint16_t>();
        AscendC::Duplicate(bits, static_cast<uint16_t>(0), elements * (sizeof(T) / sizeof(uint16_t)));
    }

    __aicore__ inline void FillGaps()
    {
        const uint32_t scores = this->tensors_.rows * scorePitch_;
        const FloatVector all[] = {probsCopy_, invNormCopy_, this->scaledScores_.low, this->varianceScales_.low};
        for (const FloatVector& vector : all) {
            AscendC::Duplicate(vector, 0.0f, scores);
        }
        AscendC::Duplicate(this->scoreWeight_.head, 0.0f, this->GroupLanes());
        AscendC::Duplicate(this->scoreWeight_.tail, 0.0f, this->GroupLanes());
        AscendC::Duplicate(this->scalars_, 0.0f, scorePitch_);
        Order<AscendC::HardEvent::V_MTE2>(this->pipe_);
    }

    // Where in an array that lies by tokens, [t * N1 + i], the score of row i of token t is, in bytes.
    __aicore__ inline void SetOrderByRows()
    {
        const int32_t rows = static_cast<int32_t>(this->tensors_.rows);
        const int32_t pitch = static_cast<int32_t>(scorePitch_);
        AscendC::CreateVecIndex(byRows_, 0, scorePitch_);
        AscendC::Muls(byRows_, byRows_, rows * static_cast<int32_t>(sizeof(float)), pitch);
        for (int32_t row = 1; row < rows; ++row) {
            AscendC::Adds(byRows_[row * pitch], byRows_, row * static_cast<int32_t>(sizeof(float)), pitch);
        }
    }

    __aicore__ inline void LoadWeight(const FloatVector& dst, const AscendC::GlobalTensor<T>& weight)
    {
        weights_.BeginLoad();
        CopyRowIn(weights_.Local(), weight, this->tensors_.hidden);
        weights_.EndLoad();
        weights_.AwaitLoad();
        this->Widen(dst, weights_.Local(), this->tensors_.hidden);
        weights_.ReleaseByVector();
    }

    __aicore__ inline void ProcessBatch(uint64_t token)
    {
        const uint32_t rows = this->tensors_.rows;
        const uint32_t hidden = this->tensors_.hidden;
        const ScoreLayout layout = {Batches::BatchTokens(token), rows, scorePitch_};
        scoresBuffer_.BeginLoad();
        CopyRowIn(probsCopy_, this->tensors_.probs[token * rows], layout.tokens * rows);
        CopyRowIn(invNormCopy_, this->tensors_.invNorm[token * rows], layout.tokens * rows);
        scoresBuffer_.EndLoad();
        this->TakeGradHidden(Batches::AwaitGradHidden(), layout.tokens);
        Batches::ReleaseGradHidden(token);
        scoresBuffer_.AwaitLoad();
        const AscendC::LocalTensor<uint32_t> byRows = byRows_.template ReinterpretCast<uint32_t>();
        AscendC::Gather(this->probs_, probsCopy_, byRows, 0, layout.Count());
        AscendC::Gather(invNorm_, invNormCopy_, byRows, 0, layout.Count());
        scoresBuffer_.ReleaseByVector();
        this->SetBatchDotBiases(this->scaledScores_.high, invNorm_, layout);
        this->SetDotBiases(this->varianceScales_.high, weightSquares_, invNorm_, layout.Count());
        Batches::DotPass(token);
        FinishScores(this->scaledScores_, this->varianceScales_, this->probs_, invNorm_, hidden, this->scalars_,
                     this->work_, layout);
        this->RaiseWeightBias(this->WeightTermSize(this->scaledScores_.high, invNorm_, layout), this->GroupLanes());
        Batches::GradientPass(token);
    }

    __aicore__ inline void Dots(const Chunk& chunk)
    {
        if (this->tensors_.blocks > 0) {
            this->StretchDots(BlockRows(chunk));
        }
        this->StretchDots(PartialRows(chunk));
    }

    __aicore__ inline void Gradients(const Chunk& chunk)
    {
        if (this->tensors_.blocks > 0) {
            this->StretchGradients(BlockRows(chunk));
        }
        this->StretchGradients(PartialRows(chunk));
    }

    __aicore__ inline RowStretch<T> BlockRows(const Chunk& chunk) const
    {
        const uint32_t blocks = this->tensors_.blocks;
        return {chunk.blockRows, chunk.first, 0, blocks, chunk.tokens * blocks};
    }

    __aicore__ inline RowStretch<T> PartialRows(const Chunk& chunk) const
    {
        return {chunk.partialRows, chunk.first, this->tensors_.blocks, 1, chunk.tokens};
    }

    FloatVector invNorm_;
    FloatVector probsCopy_;  // by tokens, and so is the other copy
    FloatVector invNormCopy_;
    AscendC::LocalTensor<int32_t> byRows_;
    uint32_t scorePitch_;
    float weightSquares_;
    CopyBuffer<float> scoresBuffer_;
    CopyBuffer<T> weights_;
    uint32_t batchTokens_;
};

}  // namespace BlockAttentionResidualsGradArch22

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_FULL_H_BATCH_H
